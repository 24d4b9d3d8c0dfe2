import Decoders
import Testing

@testable import GalleryCore

@Suite struct CellArtTests {
    /// Red, green above blue, white.
    private let picture = PixelBuffer(
        size: PixelSize(width: 2, height: 2),
        bytes: [
            255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255,
        ],
        hasAlpha: false
    )

    private func art(_ depth: ColorDepth, _ symbols: SymbolSet = .halfBlocks) -> CellArt {
        CellArt(
            picture,
            box: ScreenSize(columns: 2, rows: 1),
            capabilities: ScreenCapabilities(colorDepth: depth, symbols: symbols)
        )
    }

    @Test func `in 24 bits a cell is an upper half block over a background`() {
        let art = art(.trueColor)

        #expect(art.columns == 2)
        #expect(art.rows == 1)
        #expect(
            art[0, 0] == FrameCell("▀", foreground: .rgb(255, 0, 0), background: .rgb(0, 0, 255))
        )
        #expect(
            art[0, 1]
                == FrameCell("▀", foreground: .rgb(0, 255, 0), background: .rgb(255, 255, 255))
        )
    }

    @Test func `in 256 colours a cell holds entries of the cube`() {
        let art = art(.palette256)

        #expect(
            art[0, 0] == FrameCell("▀", foreground: .palette(196), background: .palette(21))
        )
        #expect(
            art[0, 1] == FrameCell("▀", foreground: .palette(46), background: .palette(231))
        )
    }

    @Test func `in 16 colours a cell holds theme colours`() {
        let art = art(.ansi16)

        #expect(art[0, 0].foreground == .palette(9))
        #expect(art[0, 1].background == .palette(15))
    }

    @Test func `without colours the bright pixels are lit in the terminal's own`() {
        let black: [UInt8] = [0, 0, 0, 255]
        let white: [UInt8] = [255, 255, 255, 255]
        let picture = PixelBuffer(
            size: PixelSize(width: 2, height: 2),
            bytes: black + white + white + white,
            hasAlpha: false
        )

        let art = CellArt(
            picture,
            box: box,
            capabilities: ScreenCapabilities(colorDepth: .monochrome, symbols: .halfBlocks)
        )

        #expect(art[0, 0] == FrameCell("▄"))
        #expect(art[0, 1] == FrameCell("█"))
    }

    @Test func `in ASCII a letter's density is the brightness of both pixels`() {
        let black = CellArt(.plain(2, 2, [0, 0, 0, 255]), box: box, capabilities: ascii)
        let white = CellArt(.plain(2, 2, [255, 255, 255, 255]), box: box, capabilities: ascii)

        #expect(black[0, 0].scalar == 0x20)
        #expect(white[0, 0].scalar == Unicode.Scalar("@").value)
        #expect(art(.monochrome, .ascii)[0, 0].scalar < 0x7F)
    }

    private let box = ScreenSize(columns: 2, rows: 1)
    private let ascii = ScreenCapabilities(colorDepth: .trueColor, symbols: .ascii)

    @Test func `a picture of odd height leaves the last half cell to the terminal`() {
        let art = CellArt(
            .plain(1, 3),
            box: ScreenSize(columns: 4, rows: 4),
            capabilities: .color
        )

        #expect(art.rows == 2)
        #expect(art[1, 0].background == .terminalDefault)
    }

    @Test(arguments: [(100, 100, 10, 5), (200, 50, 10, 2), (50, 200, 3, 5), (3, 3, 3, 2)])
    func `a picture is laid whole into the box and never enlarged`(
        width: Int,
        height: Int,
        columns: Int,
        rows: Int
    ) {
        let art = CellArt(
            .plain(width, height),
            box: ScreenSize(columns: 10, rows: 5),
            capabilities: .color
        )

        #expect(art.columns == columns)
        #expect(art.rows == rows)
    }

    @Test func `what is transparent shows a checkerboard that neither black nor white vanishes on`()
    {
        let art = CellArt(
            .plain(4, 4, [0, 0, 0, 0]),
            box: ScreenSize(columns: 4, rows: 2),
            capabilities: .color
        )

        #expect(art[0, 0].foreground != art[0, 2].foreground)
        #expect(art[0, 0].foreground == .rgb(0x68, 0x68, 0x68))
    }

    @Test(arguments: ColorDepth.allCases, SymbolSet.allCases)
    func `an empty picture makes empty art`(depth: ColorDepth, symbols: SymbolSet) {
        let art = CellArt(
            .plain(0, 5),
            box: box,
            capabilities: ScreenCapabilities(colorDepth: depth, symbols: symbols)
        )

        #expect(art.columns == 0)
    }
}
