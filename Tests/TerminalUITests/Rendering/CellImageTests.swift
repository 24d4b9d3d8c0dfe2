import Decoders
import Testing
import VirtualTerminal

@testable import TerminalUI

@Suite struct CellImageTests {
    /// Red, green above blue, white.
    private let picture = PixelBuffer(
        size: PixelSize(width: 2, height: 2),
        bytes: [
            255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255, 255, 255, 255,
        ],
        hasAlpha: false
    )

    /// Larger than any box: what was loaded of it fills its box.
    private let large = PixelSize(width: 400, height: 400)

    private func cells(_ depth: ColorDepth, _ symbols: SymbolSet = .halfBlocks) -> CellImage {
        CellImage(
            picture,
            of: large,
            box: ScreenSize(columns: 2, rows: 1),
            capabilities: ScreenCapabilities(colorDepth: depth, symbols: symbols)
        )
    }

    // MARK: Content mode

    /// Red, green and blue stripes of equal height in an image of 4 by 12 pixels.
    private let stripes = PixelBuffer(
        size: PixelSize(width: 4, height: 12),
        bytes: [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255]].flatMap { color in
            (0..<16).flatMap { _ in color }
        },
        hasAlpha: false
    )

    @Test(arguments: SymbolSet.allCases.filter { $0 != .ascii })
    func `an image that fills its box shows its middle`(symbols: SymbolSet) {
        let cells = CellImage(
            stripes,
            of: PixelSize(width: 400, height: 1200),
            box: ScreenSize(columns: 4, rows: 2),
            capabilities: ScreenCapabilities(colorDepth: .trueColor, symbols: symbols),
            contentMode: .fill
        )

        #expect(cells.columns == 4 && cells.rows == 2)
        for (row, column) in [(0, 0), (0, 3), (1, 0), (1, 3)] {
            let cell = cells[row, column]
            let color = cell.scalar == 0x20 ? cell.background : cell.foreground
            #expect(color == .rgb(0, 255, 0))
        }
    }

    @Test func `the pixels of an image that fills its box are its middle, too`() throws {
        var capabilities = ScreenCapabilities.color
        capabilities.cellPixels = PixelSize(width: 4, height: 8)
        capabilities.graphics = .kitty
        let cells = CellImage(
            stripes,
            of: PixelSize(width: 400, height: 1200),
            box: ScreenSize(columns: 2, rows: 1),
            capabilities: capabilities,
            contentMode: .fill
        )

        let pixels = try #require(cells.pixelImage).pixels()
        #expect(pixels.size == PixelSize(width: 8, height: 8))
        #expect(pixels.bytes == (0..<64).flatMap { _ in [0, 255, 0, 255] as [UInt8] })
    }

    @Test func `an image that fills its box is enlarged to at most four times its size`() {
        var capabilities = ScreenCapabilities.color
        capabilities.cellPixels = PixelSize(width: 8, height: 16)
        let box = ScreenSize(columns: 40, rows: 20)

        let images = [ImageContentMode.fit, .fill].map { mode in
            CellImage(
                stripes,
                of: stripes.size,
                box: box,
                capabilities: capabilities,
                contentMode: mode
            )
        }

        #expect(images[0] == images[1])
        #expect(images[0].columns == 2 && images[0].rows == 3)
    }

    // MARK: Colors

    @Test func `in 24 bits a cell is an upper half block over a background`() {
        let cells = cells(.trueColor)

        #expect(cells.columns == 2)
        #expect(cells.rows == 1)
        #expect(
            cells[0, 0] == FrameCell("▀", foreground: .rgb(255, 0, 0), background: .rgb(0, 0, 255))
        )
        #expect(
            cells[0, 1]
                == FrameCell("▀", foreground: .rgb(0, 255, 0), background: .rgb(255, 255, 255))
        )
    }

    @Test func `in 256 colors a cell holds entries of the cube`() {
        let cells = cells(.palette256)

        #expect(
            cells[0, 0] == FrameCell("▀", foreground: .palette(196), background: .palette(21))
        )
        #expect(
            cells[0, 1] == FrameCell("▀", foreground: .palette(46), background: .palette(231))
        )
    }

    @Test func `in 16 colors a cell holds theme colors`() {
        let cells = cells(.ansi16)

        #expect(cells[0, 0].foreground == .palette(9))
        #expect(cells[0, 1].background == .palette(15))
    }

    @Test func `without colors bright pixels are drawn in the terminal's own color`() {
        let black: [UInt8] = [0, 0, 0, 255]
        let white: [UInt8] = [255, 255, 255, 255]
        let picture = PixelBuffer(
            size: PixelSize(width: 2, height: 2),
            bytes: black + white + white + white,
            hasAlpha: false
        )

        let cells = CellImage(
            picture,
            of: large,
            box: box,
            capabilities: ScreenCapabilities(colorDepth: .monochrome, symbols: .halfBlocks)
        )

        #expect(cells[0, 0] == FrameCell("▄"))
        #expect(cells[0, 1] == FrameCell("█"))
    }

    @Test func `in ASCII a letter's density is the brightness of both pixels`() {
        let black = CellImage(
            .plain(2, 2, [0, 0, 0, 255]),
            of: large,
            box: box,
            capabilities: ascii
        )
        let white = CellImage(
            .plain(2, 2, [255, 255, 255, 255]),
            of: large,
            box: box,
            capabilities: ascii
        )

        #expect(black[0, 0].scalar == 0x20)
        #expect(white[0, 0].scalar == Unicode.Scalar("@").value)
        #expect(cells(.monochrome, .ascii)[0, 0].scalar < 0x7F)
    }

    private let box = ScreenSize(columns: 2, rows: 1)
    private let ascii = ScreenCapabilities(colorDepth: .trueColor, symbols: .ascii)

    @Test func `an image of odd height leaves the last half cell to its background`() {
        let cells = CellImage(
            .plain(1, 3),
            of: PixelSize(width: 100, height: 300),
            box: ScreenSize(columns: 1, rows: 2),
            capabilities: .color
        )

        #expect(cells.rows == 2)
        #expect(cells[1, 0].background == .terminalDefault)
    }

    @Test(arguments: [
        (100, 100, 10, 5), (200, 50, 10, 2), (50, 200, 3, 5), (3, 3, 1, 1), (10, 20, 4, 4),
    ])
    func `an image fits into the box and is enlarged at most four times`(
        width: Int,
        height: Int,
        columns: Int,
        rows: Int
    ) {
        let cells = CellImage(
            .plain(width, height),
            box: ScreenSize(columns: 10, rows: 5),
            capabilities: .color
        )

        #expect(cells.columns == columns)
        #expect(cells.rows == rows)
    }

    private func corner(
        _ rgba: [UInt8],
        _ theme: ThemeChoice = .dark,
        isPreview: Bool = false
    ) -> [CellColor] {
        var capabilities = ScreenCapabilities.color
        capabilities.theme = theme
        let cells = CellImage(
            .plain(4, 4, rgba),
            of: large,
            box: ScreenSize(columns: 4, rows: 2),
            capabilities: capabilities,
            isPreview: isPreview
        )
        return [cells[0, 0].foreground, cells[0, 2].foreground]
    }

    @Test func `transparent and missing areas are a faint checkerboard`() {
        let dark: [CellColor] = [.rgb(0x1C, 0x20, 0x28), .rgb(0x27, 0x2C, 0x37)]

        #expect(corner([0, 0, 0, 0]) == dark)
        #expect(corner([0, 0, 0, 0], isPreview: true) == [dark[1], dark[1]])
        #expect(corner([0, 0, 0, 0], .light) == [.rgb(0xEB, 0xED, 0xF1), .rgb(0xD9, 0xDD, 0xE4)])
    }

    @Test func `a half-transparent pixel is mixed half with the card`() {
        #expect(corner([228, 224, 216, 128])[0] == .rgb(128, 128, 128))
    }

    @Test(arguments: ColorDepth.allCases, SymbolSet.allCases)
    func `an empty image has no cells`(depth: ColorDepth, symbols: SymbolSet) {
        let cells = CellImage(
            .plain(0, 5),
            box: box,
            capabilities: ScreenCapabilities(colorDepth: depth, symbols: symbols)
        )

        #expect(cells.columns == 0)
    }
}
