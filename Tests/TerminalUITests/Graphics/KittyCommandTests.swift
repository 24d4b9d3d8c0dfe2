import Decoders
import Foundation
import Testing

@testable import TerminalUI

@Suite struct KittyCommandTests {
    private static let dot = EncodedPicture(
        payload: [1, 2, 3],
        form: .rgb,
        size: PixelSize(width: 1, height: 1)
    )

    private func text(_ append: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        append(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func `data to be placed later is sent without showing it`() {
        let command = text {
            KittyCommand.transmit(
                id: 7,
                picture: Self.dot,
                columns: 2,
                rows: 1,
                placeholder: false,
                to: &$0
            )
        }

        #expect(command == "\u{1B}_Ga=t,i=7,q=2,f=24,s=1,v=1;AQID\u{1B}\\")
    }

    @Test func `data for placeholders is sent with its size in cells`() {
        let command = text {
            KittyCommand.transmit(
                id: 7,
                picture: Self.dot,
                columns: 2,
                rows: 1,
                placeholder: true,
                to: &$0
            )
        }

        #expect(command == "\u{1B}_Ga=T,U=1,c=2,r=1,i=7,q=2,f=24,s=1,v=1;AQID\u{1B}\\")
    }

    @Test(arguments: [
        (EncodedPicture.Form.rgb, ",f=24,s=5,v=4"),
        (.zlibRGB, ",f=24,o=z,s=5,v=4"),
        (.png, ",f=100"),
    ])
    func `the command states the format of the data`(form: EncodedPicture.Form, keys: String) {
        let picture = EncodedPicture(
            payload: [0],
            form: form,
            size: PixelSize(width: 5, height: 4)
        )

        let command = text {
            KittyCommand.transmit(
                id: 1,
                picture: picture,
                columns: 1,
                rows: 1,
                placeholder: false,
                to: &$0
            )
        }

        #expect(command == "\u{1B}_Ga=t,i=1,q=2\(keys);AA==\u{1B}\\")
    }

    @Test func `shared memory is named instead of sent`() {
        let command = text {
            KittyCommand.transmitSharedMemory(
                id: 9,
                name: "/picture-9",
                size: PixelSize(width: 190, height: 220),
                format: .rgba,
                columns: 19,
                rows: 11,
                placeholder: true,
                to: &$0
            )
        }

        let keys = "a=T,U=1,c=19,r=11,i=9,q=2,t=s,f=32,s=190,v=220"
        #expect(command == "\u{1B}_G\(keys);L3BpY3R1cmUtOQ==\u{1B}\\")
    }

    @Test func `placing leaves the cursor where it is`() {
        let command = text {
            KittyCommand.place(id: 7, placement: 3, columns: 19, rows: 11, z: -1, to: &$0)
        }

        #expect(command == "\u{1B}_Ga=p,i=7,p=3,c=19,r=11,C=1,q=2,z=-1\u{1B}\\")
    }

    @Test func `one placement is deleted, or the whole image`() {
        let placement = text { KittyCommand.deletePlacement(id: 7, placement: 3, to: &$0) }
        let image = text { KittyCommand.deleteImage(id: 7, to: &$0) }

        #expect(placement == "\u{1B}_Ga=d,d=i,i=7,p=3,q=2\u{1B}\\")
        #expect(image == "\u{1B}_Ga=d,d=I,i=7,q=2\u{1B}\\")
    }

    @Test(arguments: [0, 1, 2, 3, 3071, 3072, 3073, 6144, 6145, 20_000])
    func `chunks of at most 4096 characters join to the data`(byteCount: Int) throws {
        let payload = Pictures.noise(width: byteCount, height: 1, seed: 3).samples.prefix(byteCount)
        let picture = EncodedPicture(
            payload: Array(payload),
            form: .png,
            size: PixelSize(width: 10, height: 10)
        )

        var bytes: [UInt8] = [65]
        KittyCommand.transmit(
            id: 1,
            picture: picture,
            columns: 1,
            rows: 1,
            placeholder: false,
            to: &bytes
        )

        let chunks = try Chunk.all(in: bytes.dropFirst())
        #expect(chunks.allSatisfy { $0.base64.count <= 4096 })
        #expect(chunks.dropLast().allSatisfy { $0.base64.count.isMultiple(of: 4) })
        #expect(chunks.flatMap(\.data) == Array(payload))
        #expect(chunks.dropLast().allSatisfy { $0.keys.hasSuffix(",m=1") })
        #expect(chunks.count == 1 || chunks.last?.keys == "q=2,m=0")
        #expect(bytes.count - 1 <= picture.byteCountOnLine)
    }

    /// A command as a terminal reads it.
    private struct Chunk {
        let keys: String
        let base64: Substring
        /// By Foundation, whose base64 isn't ours.
        let data: [UInt8]

        struct Malformed: Error {}

        static func all(in bytes: ArraySlice<UInt8>) throws -> [Chunk] {
            let text = String(decoding: bytes, as: UTF8.self)
            return try text.split(separator: "\u{1B}\\").map { command in
                guard command.hasPrefix("\u{1B}_G") else { throw Malformed() }
                let parts = command.dropFirst(3)
                    .split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
                let base64 = parts.count > 1 ? parts[1] : ""
                guard let data = Data(base64Encoded: String(base64)) else { throw Malformed() }
                return Chunk(keys: String(parts[0]), base64: base64, data: Array(data))
            }
        }
    }
}
