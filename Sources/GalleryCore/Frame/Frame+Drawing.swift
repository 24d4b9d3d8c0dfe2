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

    /// Puts a ready cell, as of a picture.
    mutating func place(_ cell: FrameCell, row: Int, column: Int) {
        guard row >= 0, row < size.rows, column >= 0, column < size.columns else { return }
        mendWideNeighbours(row: row, column: column, scalar: cell.scalar)
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

    /// Blanks the other half of a wide character that is about to lose one.
    private mutating func mendWideNeighbours(row: Int, column: Int, scalar: UInt32) {
        if scalar != 0, column > 0, self[row, column].scalar == 0 {
            self[row, column - 1].scalar = 0x20
        }
        if column + 1 < size.columns, self[row, column + 1].scalar == 0 {
            self[row, column + 1].scalar = 0x20
        }
    }
}
