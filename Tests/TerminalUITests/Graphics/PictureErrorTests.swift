import Decoders
import Testing

@testable import TerminalUI

@Suite struct PictureErrorTests {
    private let gray = Pictures.make(width: 13, height: 9) { _, _ in (100, 100, 100) }

    /// The picture with the same difference at every pixel, or at every second one the opposite.
    private func samples(_ difference: Int, alternating: Bool) -> [UInt8] {
        (0..<13 * 9).flatMap { index -> [UInt8] in
            let sign = alternating && (index % 13 + index / 13).isMultiple(of: 2) ? -1 : 1
            return Array(repeating: UInt8(100 + difference * sign), count: 3)
        }
    }

    @Test func `the same image has no error`() {
        #expect(PictureError.between(gray.samples, gray) == 0)
    }

    @Test func `a wrong patch counts for more than equally wrong grain`() {
        let patch = PictureError.between(samples(6, alternating: false), gray)
        let grain = PictureError.between(samples(6, alternating: true), gray)

        #expect(patch == 4 * 36)
        #expect(grain < 1.2 * 36)
    }
}
