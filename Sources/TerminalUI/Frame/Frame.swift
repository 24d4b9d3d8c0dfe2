/// The content of the entire screen.
///
/// The gallery draws a frame, and a painter compares the frame with the previous one.
package struct Frame: Equatable, Sendable {
    package let size: ScreenSize
    /// The `columns * rows` cells in row-major order.
    package private(set) var cells: [FrameCell]
    /// The images in the frame that the terminal can show as pixels.
    package internal(set) var images: [PlacedImage] = []
    /// The links in the frame, which only `FrameLines` writes.
    package var links: [FrameLink] = []
    /// The graphics protocol, or nil if images are drawn only with characters.
    package var graphics: GraphicsProtocol?
    /// The position of the terminal's cursor, or nil if the cursor is hidden.
    package var cursor: FrameCursor?

    /// Creates an empty frame in the terminal's own colors by default.
    package init(size: ScreenSize, blank: FrameCell = FrameCell()) {
        self.size = size
        self.cells = Array(repeating: blank, count: size.columns * size.rows)
    }

    /// The cell at a position, which must be on the screen.
    package subscript(row: Int, column: Int) -> FrameCell {
        get { cells[row * size.columns + column] }
        set { cells[row * size.columns + column] = newValue }
    }
}

/// The position of the terminal's cursor; row and column start at 0.
package struct FrameCursor: Hashable, Sendable {
    package let row: Int
    package let column: Int

    package init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }
}

/// Methods that draw text, images and single cells.
///
/// Drawing is clipped to the screen. If one half of a wide character is overwritten, the other half
/// becomes a space.
extension Frame {
    /// Draws text, and returns the column after the text.
    ///
    /// Any part outside the screen is not drawn.
    @discardableResult
    package mutating func draw(_ text: FrameText, row: Int, column: Int, style: CellStyle) -> Int {
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

    /// Fills a rectangle with spaces or with a one-column character.
    package mutating func fill(
        _ rect: FrameRect,
        style: CellStyle,
        with scalar: Unicode.Scalar = " "
    ) {
        for row in max(0, rect.row)..<max(0, min(rect.row + rect.rows, size.rows)) {
            for column in max(
                0,
                rect.column
            )..<max(0, min(rect.column + rect.columns, size.columns)) {
                put(scalar.value, row: row, column: column, style: style)
            }
        }
    }

    /// Replaces a cell.
    ///
    /// If the cell is part of a wide character, the other part becomes a space. A position outside
    /// the frame is ignored.
    package mutating func place(_ cell: FrameCell, row: Int, column: Int) {
        guard row >= 0, row < size.rows, column >= 0, column < size.columns else { return }
        mendNeighbors(row: row, column: column, scalar: cell.scalar)
        self[row, column] = cell
    }

    /// Applies `change` to every cell in a rectangle, for example to change the cell's style.
    package mutating func restyle(_ rect: FrameRect, _ change: (inout FrameCell) -> Void) {
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

    /// Replaces the rest of a wide character with spaces if a part of it is about to be
    /// overwritten.
    private mutating func mendNeighbors(row: Int, column: Int, scalar: UInt32) {
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

/// An image and its position in a frame.
///
/// Every image is drawn with this type. The frame then contains the image's cells and, for painters
/// that can show pixels, the image's position.
package struct FrameImage {
    package let cells: CellImage
    package var rect: FrameRect

    /// Creates an image centered in a box.
    ///
    /// If the image is larger than the box, it is cut off on the right and at the bottom.
    package init(_ cells: CellImage, centeredIn box: FrameRect) {
        self.cells = cells
        rect = box.centered(rows: cells.rows, columns: cells.columns)
    }
}

/// An image in a frame that can be shown as pixels.
package struct PlacedImage: Equatable, Sendable {
    package let image: PixelImage
    /// The first row on the screen, zero-based.
    package let row: Int
    /// The first column on the screen, zero-based.
    package let column: Int
    fileprivate let cells: CellImage
}

extension Frame {
    /// Draws an image at its position.
    package mutating func draw(_ image: FrameImage) {
        let rect = image.rect
        for row in 0..<rect.rows {
            for column in 0..<rect.columns {
                var cell = image.cells[row, column]
                // The uncovered part of the last row shows the surface below the image.
                if cell.background == .terminalDefault {
                    cell.background = background(row: rect.row + row, column: rect.column + column)
                }
                place(cell, row: rect.row + row, column: rect.column + column)
            }
        }
        // A clipped image is not recorded because the terminal would draw all of it.
        guard let pixels = image.cells.pixelImage, contains(rect),
            rect.rows == pixels.box.rows, rect.columns == pixels.box.columns
        else { return }
        images.append(
            PlacedImage(image: pixels, row: rect.row, column: rect.column, cells: image.cells)
        )
    }

    /// Draws another frame with its images, clipped to this frame.
    ///
    /// A clipped image is drawn only with characters. Links are not copied.
    package mutating func draw(_ other: Frame, row: Int, column: Int) {
        for line in 0..<min(other.size.rows, size.rows - row) {
            for offset in 0..<min(other.size.columns, size.columns - column) {
                place(other[line, offset], row: row + line, column: column + offset)
            }
        }
        for placed in other.images {
            let moved = PlacedImage(
                image: placed.image,
                row: placed.row + row,
                column: placed.column + column,
                cells: placed.cells
            )
            let (box, end) = (placed.image.box, moved.column + placed.image.box.columns)
            guard moved.row + box.rows <= size.rows, end <= size.columns else { continue }
            images.append(moved)
        }
    }

    /// Returns whether no cell of an image has changed since the image was drawn.
    package func isUncovered(_ placed: PlacedImage) -> Bool {
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

/// Cells that represent parts of an image shown as pixels.
extension FrameCell {
    /// The character that the kitty protocol replaces with a part of an image.
    ///
    /// It does not occur in text because `FrameText` rejects private-use characters.
    package static let picturePlaceholder: UInt32 = 0x10EEEE

    /// Creates a cell that represents a part of the image `id`.
    ///
    /// `id` has 24 bits. `row` and `column` are the cell position of the part within the image;
    /// each is less than 4096.
    package init(picture id: UInt32, row: Int, column: Int) {
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

    /// The image and the position of the part that the cell represents, or nil for other cells.
    package var picturePart: (id: UInt32, row: Int, column: Int)? {
        guard scalar == Self.picturePlaceholder else { return nil }
        let place = Int(background.rawValue & 0xFF_FFFF)
        return (foreground.rawValue & 0xFF_FFFF, place >> 12, place & 0xFFF)
    }
}

extension Frame {
    /// Replaces the cells of an image with cells that represent its parts.
    package mutating func replaceCells(
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
