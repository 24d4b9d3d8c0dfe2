import Decoders
@testable import GalleryCore
import Testing

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

@Suite struct ErrorDiffusionTests {
    @Test(arguments: [20, 64, 100, 128, 200, 250])
    func `the mean of black and white is the grey they stand for`(grey: UInt8) {
        let shown = ErrorDiffusion.dithered(Self.plane(grey), palette: .blackAndWhite)

        let mean = shown.colors.reduce(0) { $0 + Int($1.x) } / shown.colors.count
        #expect(Set(shown.colors.map(\.x)).isSubset(of: [0, 255]))
        #expect(abs(mean - Int(grey)) <= 5)
    }

    @Test(arguments: [Palette.xterm256, .ansi16])
    func `every colour is one of the palette`(palette: Palette) {
        let shown = ErrorDiffusion.dithered(Self.plane(117), palette: palette)

        #expect(shown.colors.allSatisfy { palette.nearest(to: RGB($0)).color == RGB($0) })
    }

    @Test func `a colour of the palette stays as it is`() {
        let plane = Self.plane(95)

        let shown = ErrorDiffusion.dithered(plane, palette: .xterm256)

        #expect(shown.colors.map(\.x) == plane.colors.map(\.x))
    }

    @Test(arguments: Dithering.allCases, [ColorDepth.palette256, .ansi16, .monochrome])
    func `a mean grey survives every way but the plainest`(
        dithering: Dithering,
        depth: ColorDepth
    ) {
        let plane = Ditherer(depth: depth, dithering: dithering).dithered(Self.plane(115))

        let mean = plane.colors.reduce(0) { $0 + Int($1.y) } / plane.colors.count
        guard dithering == .none else {
            #expect(abs(mean - (depth == .monochrome ? 127 : 115)) <= 12)
            return
        }
        #expect(Set(plane.colors).count == 1)
    }

    private static func plane(_ grey: UInt8) -> PixelPlane {
        PixelPlane(
            .plain(32, 32, [grey, grey, grey, 255]),
            grid: SymbolSet.octants.grid,
            backdrop: ScreenCapabilities.color.backdrop
        )
    }
}
