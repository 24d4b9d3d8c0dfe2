internal import Decoders

/// How many pixels of a picture a cell shows.
struct CellGrid: Hashable, Sendable {
    let columns: Int
    let rows: Int

    var pixelCount: Int { columns * rows }

    /// The size of a picture that fills `layout`, which is in half cells: whole cells across, and
    /// down as many rows as come nearest.
    ///
    /// Every set of symbols fills the same place this way, whatever the shape of its pixels.
    func pixels(filling layout: PixelSize) -> PixelSize {
        PixelSize(width: layout.width * columns, height: (layout.height * rows + 1) / 2)
    }

    /// As `pixels(filling:)`, but a picture that has this size already, give or take a row, keeps
    /// its own: a rounding of half cells must not blur what was decoded for these symbols.
    func pixels(filling layout: PixelSize, of picture: PixelSize) -> PixelSize {
        let size = pixels(filling: layout)
        let isNear = size.width == picture.width && abs(size.height - picture.height) <= 1
        let limit = (layout.height + 1) / 2 * rows
        return isNear && picture.height <= limit ? picture : size
    }
}

extension PixelSize {
    /// Whether a picture that fits into the size has all the pixels that one for `other` has.
    func covers(_ other: PixelSize) -> Bool { width >= other.width && height >= other.height }
}

extension SymbolSet {
    /// The pixels of a cell.
    var grid: CellGrid {
        switch self {
        case .halfBlocks, .ascii: CellGrid(columns: 1, rows: 2)
        case .quadrants: CellGrid(columns: 2, rows: 2)
        case .sextants: CellGrid(columns: 2, rows: 3)
        case .octants, .braille: CellGrid(columns: 2, rows: 4)
        }
    }

    /// The size to decode a picture at for a box of cells: square pixels, as many as the symbols
    /// can show.
    ///
    /// One size for all sets that are finer than half cells: changing between them loads nothing.
    func pictureSize(filling box: ScreenSize) -> PixelSize {
        let scale = grid.columns
        return PixelSize(width: box.columns * scale, height: box.rows * 2 * scale)
    }
}
