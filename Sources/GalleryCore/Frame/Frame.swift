public import TerminalGraphics

/// A whole screen as values: what the gallery draws and the painters compare.
public struct Frame: Equatable, Sendable {
    /// Its size.
    public let size: ScreenSize
    /// `columns * rows` cells, row by row.
    public private(set) var cells: [FrameCell]
    /// The images among the cells that a terminal with pixels can show better.
    public internal(set) var images: [PlacedImage] = []
    /// How those are to be shown; nil for their cells alone.
    public var graphics: GraphicsProtocol?
    /// Where the terminal's own cursor is shown; nil to hide it.
    public var cursor: FrameCursor?

    /// Makes an empty screen, without an argument in the terminal's own colours.
    public init(size: ScreenSize, blank: FrameCell = FrameCell()) {
        self.size = size
        self.cells = Array(repeating: blank, count: size.columns * size.rows)
    }

    /// The cell at a place, which must be on the screen.
    public subscript(row: Int, column: Int) -> FrameCell {
        get { cells[row * size.columns + column] }
        set { cells[row * size.columns + column] = newValue }
    }
}

/// A place for the terminal's cursor, from 0.
public struct FrameCursor: Hashable, Sendable {
    /// The row on the screen.
    public let row: Int
    /// The column on the screen.
    public let column: Int
}

/// The size of the screen in character cells.
public struct ScreenSize: Hashable, Sendable {
    /// Cells from left to right.
    public var columns: Int
    /// Cells from top to bottom.
    public var rows: Int

    /// Makes a size of at least 1×1.
    public init(columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
    }
}

/// A rectangle of screen cells.
struct FrameRect: Hashable, Sendable {
    var row: Int
    var column: Int
    var rows: Int
    var columns: Int

    func contains(row: Int, column: Int) -> Bool {
        row >= self.row && row < self.row + rows
            && column >= self.column && column < self.column + columns
    }

    /// A rectangle of at most this size, centred in this one.
    func centered(rows: Int, columns: Int) -> FrameRect {
        let rows = min(rows, self.rows)
        let columns = min(columns, self.columns)
        return FrameRect(
            row: row + (self.rows - rows) / 2,
            column: column + (self.columns - columns) / 2,
            rows: rows,
            columns: columns
        )
    }

    /// The rectangle with that many cells less on each side.
    func inset(rows: Int, columns: Int) -> FrameRect {
        FrameRect(
            row: row + rows,
            column: column + columns,
            rows: max(0, self.rows - 2 * rows),
            columns: max(0, self.columns - 2 * columns)
        )
    }
}

/// Drawing that stays on the screen and never leaves half of a wide character.
extension Frame {
    /// Writes text; returns the column after it.
    ///
    /// What is off the screen is not drawn.
    @discardableResult
    mutating func draw(_ text: FrameText, row: Int, column: Int, style: CellStyle) -> Int {
        guard row >= 0, row < size.rows else { return column + text.width }
        for (offset, scalar) in text.columns.enumerated() {
            let isCutWide =
                column + offset == size.columns - 1 && offset + 1 < text.width
                && text.columns[offset + 1] == 0
            let shown = isCutWide ? 0x20 : scalar
            put(shown, row: row, column: column + offset, style: style)
        }
        return column + text.width
    }

    /// Fills a rectangle with blanks, or with a one-column character.
    mutating func fill(_ rect: FrameRect, style: CellStyle, with scalar: Unicode.Scalar = " ") {
        for row in max(0, rect.row)..<max(0, min(rect.row + rect.rows, size.rows)) {
            for column in max(
                0,
                rect.column
            )..<max(0, min(rect.column + rect.columns, size.columns)) {
                put(scalar.value, row: row, column: column, style: style)
            }
        }
    }

    /// Puts a ready cell, as of an image.
    mutating func place(_ cell: FrameCell, row: Int, column: Int) {
        guard row >= 0, row < size.rows, column >= 0, column < size.columns else { return }
        mendNeighbours(row: row, column: column, scalar: cell.scalar)
        self[row, column] = cell
    }

    /// Changes the look of what is there.
    mutating func restyle(_ rect: FrameRect, _ change: (inout FrameCell) -> Void) {
        for row in max(0, rect.row)..<max(0, min(rect.row + rect.rows, size.rows)) {
            for column in max(
                0,
                rect.column
            )..<max(0, min(rect.column + rect.columns, size.columns)) {
                change(&self[row, column])
            }
        }
    }

    private mutating func put(_ scalar: UInt32, row: Int, column: Int, style: CellStyle) {
        var cell = FrameCell(
            foreground: style.foreground,
            background: style.background,
            attributes: style.attributes
        )
        cell.scalar = scalar
        place(cell, row: row, column: column)
    }

    /// Blanks what is left of a character that is about to lose a column.
    private mutating func mendNeighbours(row: Int, column: Int, scalar: UInt32) {
        if !FrameCell.isContinuation(scalar) {
            var start = column
            while start > 0, self[row, start].isContinuation { start -= 1 }
            for left in start..<column { self[row, left].scalar = 0x20 }
        }
        var right = column + 1
        while right < size.columns, self[row, right].isContinuation {
            self[row, right].scalar = 0x20
            right += 1
        }
    }
}

/// An image's place on a frame.
///
/// The one way in which an image comes onto the screen: its cells are drawn where it stands, and
/// a painter that shows pixels finds there what to show in place of them.
struct FrameImage {
    let cells: CellImage
    var rect: FrameRect

    /// Puts an image into the middle of a box; what is larger is cut at the right and at the bottom.
    init(_ cells: CellImage, centeredIn box: FrameRect) {
        self.cells = cells
        rect = box.centered(rows: cells.rows, columns: cells.columns)
    }
}

/// An image on a frame in the pixels of its cells.
public struct PlacedImage: Equatable, Sendable {
    /// The pixels.
    public let image: PixelImage
    /// The first of its rows on the screen, from 0.
    public let row: Int
    /// The first of its columns on the screen, from 0.
    public let column: Int
    fileprivate let cells: CellImage
}

extension Frame {
    /// Draws an image where it stands.
    mutating func draw(_ image: FrameImage) {
        let rect = image.rect
        for row in 0..<rect.rows {
            for column in 0..<rect.columns {
                var cell = image.cells[row, column]
                // What the image leaves of its last row is of the ground that it lies on.
                if cell.background == .terminalDefault {
                    cell.background = background(row: rect.row + row, column: rect.column + column)
                }
                place(cell, row: rect.row + row, column: rect.column + column)
            }
        }
        // Not what is cut: the terminal would draw all of it.
        guard let pixels = image.cells.pixelImage, contains(rect),
            rect.rows == pixels.box.rows, rect.columns == pixels.box.columns
        else { return }
        images.append(
            PlacedImage(image: pixels, row: rect.row, column: rect.column, cells: image.cells)
        )
    }

    /// Whether an image's cells are all there: nothing was drawn over them since.
    public func isUncovered(_ placed: PlacedImage) -> Bool {
        let box = placed.image.box
        for row in 0..<box.rows {
            for column in 0..<box.columns {
                let shown = self[placed.row + row, placed.column + column]
                var drawn = placed.cells[row, column]
                if drawn.background == .terminalDefault { drawn.background = shown.background }
                if shown != drawn { return false }
            }
        }
        return true
    }

    private func background(row: Int, column: Int) -> CellColor {
        guard row >= 0, row < size.rows, column >= 0, column < size.columns else {
            return .terminalDefault
        }
        return self[row, column].background
    }

    private func contains(_ rect: FrameRect) -> Bool {
        rect.row >= 0 && rect.column >= 0 && rect.row + rect.rows <= size.rows
            && rect.column + rect.columns <= size.columns
    }
}

/// Cells that a picture in pixels stands on.
extension FrameCell {
    /// The character that kitty's protocol replaces by a part of a picture; no text holds it, since
    /// `FrameText` lets no character of private use through.
    public static let picturePlaceholder: UInt32 = 0x10EEEE

    /// The part of picture `id` (24 bits) at a row and a column of its cells, below 4096 each.
    init(picture id: UInt32, row: Int, column: Int) {
        self.init()
        scalar = Self.picturePlaceholder
        foreground = .rgb(
            UInt8(truncatingIfNeeded: id >> 16),
            UInt8(truncatingIfNeeded: id >> 8),
            UInt8(truncatingIfNeeded: id)
        )
        let place = row << 12 | column
        background = .rgb(
            UInt8(truncatingIfNeeded: place >> 16),
            UInt8(truncatingIfNeeded: place >> 8),
            UInt8(truncatingIfNeeded: place)
        )
    }

    /// The picture whose part the cell is, and which part; nil for any other cell.
    public var picturePart: (id: UInt32, row: Int, column: Int)? {
        guard scalar == Self.picturePlaceholder else { return nil }
        let place = Int(background.rawValue & 0xFF_FFFF)
        return (foreground.rawValue & 0xFF_FFFF, place >> 12, place & 0xFFF)
    }
}

extension Frame {
    /// Puts the parts of a picture in place of the cells that it covers.
    public mutating func replaceCells(
        row: Int,
        column: Int,
        box: ScreenSize,
        withPicture id: UInt32
    ) {
        for line in 0..<box.rows {
            for offset in 0..<box.columns {
                self[row + line, column + offset] = FrameCell(
                    picture: id,
                    row: line,
                    column: offset
                )
            }
        }
    }
}
