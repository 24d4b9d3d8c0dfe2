import ImageLoadingTesting
import Testing
import VirtualTerminal

@testable import TerminalUI

@Suite struct NearestOf256Tests {
    /// Lightness, a and b by Ottosson's own code.
    @Test(
        arguments: [
            (0xFFFFFF, SIMD3<Float>(1, 0, 0)), (0x000000, SIMD3(0, 0, 0)),
            (0xFF0000, SIMD3(0.62796, 0.22486, 0.12585)),
            (0x00FF00, SIMD3(0.86644, -0.23389, 0.17950)),
            (0x0000FF, SIMD3(0.45201, -0.03246, -0.31153)),
        ]
    )
    func `the primaries have their OKLab values`(code: Int, expected: SIMD3<Float>) {
        let color = OKLab(Self.color(code))

        let error = SIMD3(color.lightness, color.a, color.b) - expected
        #expect((error * error).sum() < 1e-7)
    }

    @Test(
        arguments: [
            (0x213A5C, 0x005F87), (0x1F3A5F, 0x005F87), (0x000080, 0x000087),
            (0x24532A, 0x005F00), (0x14503A, 0x005F5F), (0x3A1F4A, 0x5F005F),
            (0xDC3545, 0xD70000), (0x4682B4, 0x5F87AF), (0xC68E6F, 0xD7875F),
        ]
    )
    func `navy stays blue, dark green stays green and red stays red`(code: Int, shown: Int) {
        #expect(TerminalPalette.xterm256.nearest(to: Self.color(code)).color == Self.color(shown))
    }

    @Test(arguments: [0x777777, 0x7A7570, 0x4A4A55, 0xF5F0E6, 0x121820])
    func `an almost gray color becomes gray, not colored`(code: Int) {
        let shown = TerminalPalette.xterm256.nearest(to: Self.color(code)).color

        #expect(shown.red == shown.green && shown.green == shown.blue, "\(shown)")
    }

    @Test func `the nearest color equals a full search's, up to rounding to five bits`() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            let color = Self.color(.random(in: 0...0xFFFFFF, using: &generator))

            let found = TerminalPalette.xterm256.nearest(to: color).color

            let isOwn = found == color
            #expect(isOwn || Self.isNearest(found, to: NearestOf256.rounded(color)), "\(color)")
        }
    }

    @Test func `grays become the nearest gray without rounding`() {
        for value in 0...255 {
            let gray = RGB(red: value, green: value, blue: value)

            #expect(Self.isNearest(TerminalPalette.xterm256.nearest(to: gray).color, to: gray))
        }
    }

    @Test func `rounding moves a channel by four at most`() {
        for value in 0...255 {
            let rounded = NearestOf256.rounded(RGB(red: value, green: 0, blue: 255))

            #expect(abs(rounded.red - value) <= 4)
            #expect((rounded.green, rounded.blue) == (0, 255))
        }
    }

    private static func isNearest(_ entry: RGB, to color: RGB) -> Bool {
        let color = OKLab(color)
        let distances = (16...255).map { index in
            NearestOf256.distance(from: color, to: OKLab(TerminalPalette.xterm256.color(of: index)))
        }
        return NearestOf256.distance(from: color, to: OKLab(entry)) == distances.min()
    }

    private static func color(_ code: Int) -> RGB {
        RGB(red: code >> 16, green: code >> 8 & 255, blue: code & 255)
    }
}
