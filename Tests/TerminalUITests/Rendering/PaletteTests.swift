import Decoders
@testable import TerminalUI
import Testing
import VirtualTerminal

@Suite struct PaletteTests {
    private static let levels = [0, 95, 135, 175, 215, 255]

    @Test func `every color of the cube and every gray is its own nearest`() {
        for index in 16...255 {
            let color = Self.color(index)

            let found = TerminalPalette.xterm256.nearest(to: color)

            #expect(found.color == color, "entry \(index)")
        }
    }

    @Test(
        arguments: [
            (RGB(red: 0, green: 0, blue: 0), 0), (RGB(red: 250, green: 5, blue: 5), 9),
            (RGB(red: 255, green: 255, blue: 255), 15), (RGB(red: 120, green: 130, blue: 125), 8),
        ]
    )
    func `the nearest of 16 colors is the perceptually closest`(color: RGB, index: Int) {
        #expect(TerminalPalette.ansi16.nearest(to: color).index == UInt8(index))
    }

    @Test func `16 colors are dithered, except for a color that is one of them`() {
        let exact = RGB(red: 205, green: 0, blue: 0)
        let between = RGB(red: 160, green: 60, blue: 60)

        #expect(Self.entries(exact, .ansi16).count == 1)
        #expect(Self.entries(between, .ansi16).count > 1)
    }

    @Test func `fewer colors than 24 bits are dithered by default`() {
        #expect(ColorDepth.allCases.filter { Dithering.standard(for: $0) == .none } == [.trueColor])
        #expect(Self.entries(RGB(red: 115, green: 105, blue: 95), .xterm256).count > 1)
    }

    private static func entries(_ color: RGB, _ palette: TerminalPalette) -> Set<UInt8> {
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
    func `the mean of dithered black and white is the intended gray`(gray: UInt8) {
        // The darkest and the brightest pixels make all of the scale count.
        var plane = Self.plane(gray)
        for place in 0..<32 { plane.colors[place] = SIMD4(0, 0, 0, 255) }
        for place in 992..<1024 { plane.colors[place] = SIMD4(255, 255, 255, 255) }
        let shown = MonochromeDither(dithering: .diffusion, isDots: true).dithered(plane)

        let middle = shown.colors[128..<896]
        let mean = middle.reduce(0) { $0 + Int($1.x) } / middle.count
        #expect(Set(shown.colors.map(\.x)).isSubset(of: [0, 255]))
        #expect(abs(mean - Int(gray)) <= 8)
    }

    @Test(arguments: [TerminalPalette.xterm256, .ansi16])
    func `every color is in the palette`(palette: TerminalPalette) {
        let shown = ErrorDiffusion.dithered(Self.plane(117), palette: palette)

        #expect(shown.colors.allSatisfy { palette.nearest(to: RGB($0)).color == RGB($0) })
    }

    @Test func `a color of the palette is unchanged`() {
        let plane = Self.plane(95)

        let shown = ErrorDiffusion.dithered(plane, palette: .xterm256)

        #expect(shown.colors.map(\.x) == plane.colors.map(\.x))
    }

    @Test(arguments: Dithering.allCases, [ColorDepth.palette256, .ansi16, .monochrome])
    func `a medium gray is drawn in every mode but the plainest`(
        dithering: Dithering,
        depth: ColorDepth
    ) {
        let plane = Ditherer(depth: depth, dithering: dithering).dithered(Self.plane(115))

        let light = plane.colors.reduce(0) { $0 + SRGBTransfer.decode(Double($1.y) / 255) } / 1024
        let coded = plane.colors.reduce(0) { $0 + Double($1.y) } / 1024
        switch (dithering, depth) {
        case (.none, _): #expect(Set(plane.colors).count == 1)
        // The middle of the scale, darkened because blocks are bright.
        case (_, .monochrome): #expect(abs(coded / 255 - 0.354) < 0.05)
        case (.diffusion, _):
            #expect(abs(light - SRGBTransfer.decode(115 / 255)) < 0.01)
        case (.ordered, _): #expect(abs(coded - 115) <= 12)
        }
    }

    @Test(arguments: Dithering.allCases, [ColorDepth.palette256, .ansi16, .monochrome])
    func `transparent areas are plain in every color depth`(
        dithering: Dithering,
        depth: ColorDepth
    ) {
        var pixels = [UInt8](repeating: 90, count: 32 * 32 * 4)
        for start in stride(from: 0, to: 2048, by: 4) {
            pixels.replaceSubrange(start..<start + 4, with: [7, 7, 7, 0])
        }
        let capabilities = ScreenCapabilities(
            colorDepth: depth,
            symbols: .halfBlocks,
            dithering: dithering
        )
        let image = PixelBuffer(size: .init(width: 32, height: 32), bytes: pixels, hasAlpha: true)
        let cells = CellImage(scaled: image, capabilities: capabilities)

        let corner = (0..<8).flatMap { row in [0, 1, 4, 5, 8].map { cells[row, $0] } }
        for cell in corner where depth != .palette256 { #expect(cell == corner[0]) }
        #expect(Set(corner).count <= 2)
    }

    private static func plane(_ gray: UInt8) -> PixelPlane {
        PixelPlane(
            .plain(32, 32, [gray, gray, gray, 255]),
            grid: SymbolSet.octants.grid,
            backdrop: ScreenCapabilities.color.backdrop
        )
    }
}
