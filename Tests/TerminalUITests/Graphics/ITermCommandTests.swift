import Decoders
import Foundation
import Testing

@testable import TerminalUI

@Suite struct ITermCommandTests {
    private static let picture = EncodedPicture(
        payload: Array("not a picture".utf8),
        form: .jpeg,
        size: PixelSize(width: 190, height: 220)
    )

    @Test func `the file is sent with its size in bytes and in cells`() {
        var bytes = Array("before".utf8)
        ITermCommand.image(
            Self.picture,
            columns: 19,
            rows: 11,
            keepsCursor: false,
            to: &bytes
        )

        let keys = "File=inline=1;size=13;width=19;height=11;preserveAspectRatio=0"
        let expected = "before\u{1B}]1337;\(keys):bm90IGEgcGljdHVyZQ==\u{7}"
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test func `a terminal that supports it is asked to keep the cursor`() {
        var bytes: [UInt8] = []
        ITermCommand.image(Self.picture, columns: 1, rows: 1, to: &bytes)

        #expect(String(decoding: bytes, as: UTF8.self).contains(";doNotMoveCursor=1:"))
    }
}
