import Testing

@testable import GalleryCore

@Suite struct PaletteTests {
    private static let levels = [0, 95, 135, 175, 215, 255]

    @Test func `every colour of the cube and every grey is its own nearest`() {
        for index in 16...255 {
            let color = Self.color(index)

            let found = Palette.xterm256.nearest(to: color)

            #expect(found.color == color, "entry \(index)")
        }
    }

    @Test(
        arguments: [
            (RGB(red: 0, green: 0, blue: 0), 0), (RGB(red: 250, green: 5, blue: 5), 9),
            (RGB(red: 255, green: 255, blue: 255), 15), (RGB(red: 120, green: 130, blue: 125), 8),
        ]
    )
    func `the nearest of 16 is the one that looks like it`(color: RGB, index: Int) {
        #expect(Palette.ansi16.nearest(to: color).index == UInt8(index))
    }

    @Test func `16 colours are mixed by dithering, but for a colour that is one of them`() {
        let exact = RGB(red: 205, green: 0, blue: 0)
        let between = RGB(red: 160, green: 60, blue: 60)

        #expect(Self.entries(exact, .ansi16).count == 1)
        #expect(Self.entries(between, .ansi16).count > 1)
    }

    @Test func `256 colours are dithered only if asked for, because it looks like noise`() {
        #expect(Dithering.standard(for: .palette256) == .none)
        #expect(Self.entries(RGB(red: 115, green: 105, blue: 95), .xterm256).count > 1)
    }

    private static func entries(_ color: RGB, _ palette: Palette) -> Set<UInt8> {
        Set(
            (0..<16).map {
                OrderedDither.entry(color, row: $0 / 4, column: $0 % 4, palette: palette).index
            }
        )
    }

    private static func color(_ index: Int) -> RGB {
        guard index < 232 else {
            let level = 8 + 10 * (index - 232)
            return RGB(red: level, green: level, blue: level)
        }
        let cube = index - 16
        return RGB(
            red: levels[cube / 36],
            green: levels[cube / 6 % 6],
            blue: levels[cube % 6]
        )
    }
}
