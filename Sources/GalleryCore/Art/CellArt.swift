public import Decoders

/// A picture as terminal cells.
///
/// It is as large as the picture needs inside the box it was made for; whoever draws it centres it.
/// Ten bytes a cell: 1.6 kB for a thumbnail.
public struct CellArt: Hashable, Sendable {
    /// Cells from left to right.
    public let columns: Int
    /// Cells from top to bottom.
    public let rows: Int
    /// One glyph a cell; all of them are in the Basic Multilingual Plane.
    private let glyphs: [UInt16]
    /// Foreground and background of each cell.
    private let colors: [CellColor]

    /// Lays a picture into a box of cells: whole, in its own aspect ratio, never enlarged.
    ///
    /// A cell is taken to be twice as high as wide: two square pixels, one above the other.
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
        let size = pixels.size.scaled(into: target, mode: .fit)
        self.init(
            scaled: pixels.resampled(to: size),
            capabilities: capabilities,
            backdrop: backdrop
        )
    }

    /// Makes art of a picture that has its size already: a pixel a column, two pixels a row.
    init(
        scaled pixels: PixelBuffer,
        capabilities: ScreenCapabilities,
        backdrop: Backdrop = .checkerboard
    ) {
        columns = pixels.size.width
        rows = (pixels.size.height + 1) / 2
        let painter = CellPainter(pixels, capabilities: capabilities, backdrop: backdrop)
        var glyphs: [UInt16] = []
        var colors: [CellColor] = []
        glyphs.reserveCapacity(columns * rows)
        colors.reserveCapacity(columns * rows * 2)
        for row in 0..<rows {
            for column in 0..<columns {
                let cell = painter.cell(row: row, column: column)
                glyphs.append(cell.glyph)
                colors.append(cell.foreground)
                colors.append(cell.background)
            }
        }
        self.glyphs = glyphs
        self.colors = colors
    }

    /// The cell at a place inside the art.
    public subscript(row: Int, column: Int) -> FrameCell {
        let index = row * columns + column
        var cell = FrameCell(foreground: colors[index * 2], background: colors[index * 2 + 1])
        cell.scalar = UInt32(glyphs[index])
        return cell
    }
}
