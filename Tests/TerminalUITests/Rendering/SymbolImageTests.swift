import Decoders
import ImageLoadingTesting
import Testing
import VirtualTerminal

@testable import TerminalUI

@Suite struct SymbolImageTests {
    private static let fine: [SymbolSet] = [.quadrants, .sextants, .octants]

    @Test(arguments: fine)
    func `finer symbols are nearer to the image than half blocks`(symbols: SymbolSet) {
        for seed in 1...4 as ClosedRange<UInt64> {
            let picture = Self.hills(seed: seed)

            let fine = DrawnArt(picture, symbols).squaredError

            #expect(fine < DrawnArt(picture, .halfBlocks).squaredError)
        }
    }

    /// Not so sextants, which can't part a cell at half of its height.
    @Test(arguments: [SymbolSet.quadrants, .octants])
    func `smooth gradients are not worse in finer symbols`(symbols: SymbolSet) {
        let fine = DrawnArt(Self.gradient, symbols).squaredError

        #expect(fine <= DrawnArt(Self.gradient, .halfBlocks).squaredError)
    }

    @Test(arguments: SymbolSet.allCases)
    func `an image has the same position in all symbols`(symbols: SymbolSet) {
        for (width, height) in [(90, 60), (60, 90), (31, 7), (1, 50)] {
            let half = Self.cells(.plain(width, height), .halfBlocks)
            let cells = Self.cells(.plain(width, height), symbols)

            #expect(cells.columns == half.columns, "\(width)×\(height)")
            #expect(cells.rows == half.rows, "\(width)×\(height)")
        }
    }

    @Test func `an image decoded for octants is not blurred by rounding`() {
        let striped = PixelBuffer.made(60, 31) { _, row in
            row.isMultiple(of: 2) ? (0, 0, 0) : (255, 255, 255)
        }

        let cells = Self.cells(striped, .octants)

        #expect(cells.columns == 30)
        for row in 0..<7 {
            let colors = Set([cells[row, 3].foreground, cells[row, 3].background])
            #expect(colors == [.rgb(0, 0, 0), .rgb(255, 255, 255)])
        }
    }

    @Test(arguments: fine)
    func `a plain cell is a blank on its color`(symbols: SymbolSet) {
        let cells = Self.cells(.plain(8, 8, [10, 20, 30, 255]), symbols)

        #expect(cells[0, 0].scalar == 0x20)
        #expect(cells[0, 0].background == .rgb(10, 20, 30))
    }

    @Test(arguments: fine)
    func `rows outside the image have the terminal's own background`(symbols: SymbolSet) {
        let capabilities = ScreenCapabilities(colorDepth: .trueColor, symbols: symbols)
        let cells = CellImage(
            scaled: .plain(symbols.grid.columns, symbols.grid.rows + 1),
            capabilities: capabilities
        )

        #expect(cells.rows == 2)
        #expect(cells[1, 0].foreground == .rgb(200, 100, 50))
        #expect(cells[1, 0].background == .terminalDefault)
        #expect(cells[1, 0].scalar != 0x20)
    }

    @Test func `dots below the image fill the last row of cells`() {
        #expect(Self.cells(.plain(3, 3), .braille)[1, 0].background == .rgb(200, 100, 50))
    }

    @Test(arguments: fine + [.braille])
    func `transparent areas show squares of the same size in all symbols`(symbols: SymbolSet) {
        let cells = Self.cells(.plain(4, 4, [0, 0, 0, 0]), symbols)

        #expect(cells[0, 0].background == .rgb(0x1C, 0x20, 0x28))
        #expect(cells[0, 1].background == cells[0, 0].background)
        #expect(cells[0, 2].background == .rgb(0x27, 0x2C, 0x37))
        #expect(cells[1, 0].background == cells[0, 2].background)
    }

    @Test func `the bright pixels of a cell are its dots`() {
        let cells = Self.cells(.halves(left: 20, right: 220), .braille)

        #expect(cells[0, 0].scalar == 0x28B8)
        #expect(cells[0, 0].foreground == .rgb(255, 255, 255))
    }

    @Test(arguments: [SymbolSet.quadrants, .sextants, .octants, .braille])
    func `without colors the bright pixels are lit`(symbols: SymbolSet) {
        let cells = Self.cells(.halves(left: 20, right: 220), symbols, .monochrome)

        #expect(cells[0, 0] == FrameCell(symbols == .braille ? "\u{28B8}" : "▐"))
    }

    @Test(arguments: [SymbolSet.quadrants, .sextants, .octants])
    func `in 256 colors a cell has two entries of the palette`(symbols: SymbolSet) {
        let cells = Self.cells(.halves(left: 0, right: 95), symbols, .palette256)

        #expect(
            Set([cells[0, 0].foreground, cells[0, 0].background]) == [.palette(16), .palette(59)]
        )
    }

    private static func cells(
        _ pixels: PixelBuffer,
        _ symbols: SymbolSet,
        _ depth: ColorDepth = .trueColor
    ) -> CellImage {
        CellImage(
            pixels,
            of: PixelSize(width: pixels.size.width * 100, height: pixels.size.height * 100),
            box: ScreenSize(columns: 30, rows: 15),
            capabilities: ScreenCapabilities(colorDepth: depth, symbols: symbols)
        )
    }

    private static let gradient = PixelBuffer.made(96, 96) { column, row in
        (column * 2 + row / 2, 255 - row * 2, column + row)
    }

    /// Coarse and fine bumps, with an edge of sky.
    private static func hills(seed: UInt64) -> PixelBuffer {
        var generator = SeededGenerator(seed: seed)
        let grain = (0..<96 * 96).map { _ in Int.random(in: -20...20, using: &generator) }
        return .made(96, 96) { column, row in
            let edge = 48 + (column % 24 - 12) * (column % 24 - 12) / 6
            let noise = grain[row / 3 * 96 + column / 3] + grain[row * 96 + column] / 3
            return row < edge
                ? (90 + row, 140 + row, 230 + noise / 4) : (60 + noise, 110 + noise, 40 + noise)
        }
    }
}

/// Symbols converted back to pixels, with the expected pixels.
private struct DrawnArt {
    private let drawn: PixelBuffer
    private let picture: PixelBuffer

    /// Draws 96×96 pixels into 8×4 cells of 12×24.
    init(_ picture: PixelBuffer, _ symbols: SymbolSet) {
        let cells = CellImage(
            picture,
            box: ScreenSize(columns: 8, rows: 4),
            capabilities: ScreenCapabilities(colorDepth: .trueColor, symbols: symbols)
        )
        let patterns = Dictionary(
            (0..<1 << symbols.grid.pixelCount).map { (symbols.glyph(UInt8($0)), $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let grid = symbols.grid
        self.picture = picture
        drawn = .made(96, 96) { column, row in
            let cell = cells[row / 24, column / 12]
            let pixel =
                row % 24 * grid.rows / 24 * grid.columns + column % 12 * grid.columns / 12
            let isInside = (patterns[cell.scalar] ?? 0) >> pixel & 1 == 1
            guard
                case .rgb(let red, let green, let blue) =
                    (isInside ? cell.foreground : cell.background).kind
            else { return (0, 0, 0) }
            return (Int(red), Int(green), Int(blue))
        }
    }

    var squaredError: Int {
        zip(drawn.bytes, picture.bytes).reduce(0) { sum, bytes in
            let difference = Int(bytes.0) - Int(bytes.1)
            return sum + difference * difference
        }
    }
}

extension PixelBuffer {
    fileprivate static func made(
        _ width: Int,
        _ height: Int,
        _ color: (_ column: Int, _ row: Int) -> (Int, Int, Int)
    ) -> PixelBuffer {
        let bytes = (0..<width * height).flatMap { index -> [UInt8] in
            let (red, green, blue) = color(index % width, index / width)
            return [UInt8(clamping: red), UInt8(clamping: green), UInt8(clamping: blue), 255]
        }
        let size = PixelSize(width: width, height: height)
        return PixelBuffer(size: size, bytes: bytes, hasAlpha: false)
    }

    /// Returns 60 cells of two gray halves each.
    fileprivate static func halves(left: Int, right: Int) -> PixelBuffer {
        made(60, 60) { column, _ in
            let gray = column.isMultiple(of: 2) ? left : right
            return (gray, gray, gray)
        }
    }
}
