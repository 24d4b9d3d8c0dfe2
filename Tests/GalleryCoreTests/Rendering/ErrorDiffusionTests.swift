import Decoders
import Testing

@testable import GalleryCore

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
            backdrop: .plain
        )
    }
}
