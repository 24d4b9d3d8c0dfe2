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
