public import Decoders

/// An image as terminal cells.
///
/// It is as large as the image needs inside the box it was made for; whoever draws it centres it.
/// Nine bytes a cell: 1.4 kB for a thumbnail.
public struct CellImage: Hashable, Sendable {
    /// Cells from left to right.
    public let columns: Int
    /// Cells from top to bottom.
    public let rows: Int
    private let symbols: SymbolSet
    /// Which pixels of each cell are in the foreground, or its ASCII character.
    private let patterns: [UInt8]
    /// Foreground and background of each cell.
    private let colors: [CellColor]

    /// Lays an image into a box of cells: whole, in its own aspect ratio, never enlarged.
    ///
    /// A cell is taken to be twice as high as wide. In every set of symbols the image has the
    /// same place: as many half cells as it has pixels at most.
    public init(_ pixels: PixelBuffer, box: ScreenSize, capabilities: ScreenCapabilities) {
        self.init(pixels, box: box, capabilities: capabilities, backdrop: .checkerboard)
    }

    /// As the public one, over a backdrop of one's choice.
    init(
        _ pixels: PixelBuffer,
        box: ScreenSize,
        capabilities: ScreenCapabilities,
        backdrop: Backdrop
    ) {
        let target = PixelSize(width: box.columns, height: box.rows * 2)
        let layout = pixels.size.scaled(into: target, mode: .fit)
        let size = capabilities.symbols.grid.pixels(filling: layout, of: pixels.size)
        self.init(
            scaled: pixels.resampled(to: size),
            capabilities: capabilities,
            backdrop: backdrop
        )
    }

    /// Renders an image that has its size in the symbols' pixels already.
    init(
        scaled pixels: PixelBuffer,
        capabilities: ScreenCapabilities,
        backdrop: Backdrop = .checkerboard
    ) {
        symbols = capabilities.symbols
        let grid = symbols.grid
        columns = pixels.size.width / grid.columns
        rows = (pixels.size.height + grid.rows - 1) / grid.rows
        let renderer = CellRenderer(pixels, capabilities: capabilities, backdrop: backdrop)
        var patterns: [UInt8] = []
        var colors: [CellColor] = []
        patterns.reserveCapacity(columns * rows)
        colors.reserveCapacity(columns * rows * 2)
        for row in 0..<rows {
            for column in 0..<columns {
                let cell = renderer.cell(row: row, column: column)
                patterns.append(cell.pattern)
                colors.append(cell.foreground)
                colors.append(cell.background)
            }
        }
        self.patterns = patterns
        self.colors = colors
    }

    /// The cell at a place inside the image.
    public subscript(row: Int, column: Int) -> FrameCell {
        let index = row * columns + column
        var cell = FrameCell(foreground: colors[index * 2], background: colors[index * 2 + 1])
        cell.scalar = symbols.glyph(patterns[index])
        return cell
    }
}

extension CellImage {
    /// Renders the part of an image that a viewport shows.
    ///
    /// Takes milliseconds with a large image: call it off the UI thread.
    public init(
        _ pixels: PixelBuffer,
        viewport: DetailViewport,
        capabilities: ScreenCapabilities
    ) {
        guard !pixels.size.isEmpty, pixels.size == viewport.imageSize else {
            self.init(pixels, box: viewport.box, capabilities: capabilities)
            return
        }
        let size = capabilities.symbols.grid.pixels(filling: viewport.outputSize)
        let scaled = pixels.resampled(to: size, from: viewport.crop)
        self.init(scaled: scaled, capabilities: capabilities)
    }
}
