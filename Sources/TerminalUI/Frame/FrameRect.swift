/// A size in character cells, at least 1×1.
package struct ScreenSize: Hashable, Sendable {
    package var columns: Int
    package var rows: Int

    /// Creates a size of at least 1×1.
    package init(columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
    }
}

/// A rectangle of screen cells.
package struct FrameRect: Hashable, Sendable {
    package var row: Int
    package var column: Int
    package var rows: Int
    package var columns: Int

    package init(row: Int, column: Int, rows: Int, columns: Int) {
        self.row = row
        self.column = column
        self.rows = rows
        self.columns = columns
    }

    package func contains(row: Int, column: Int) -> Bool {
        row >= self.row && row < self.row + rows
            && column >= self.column && column < self.column + columns
    }

    /// Returns a centered rectangle of the specified size, reduced to fit this rectangle if
    /// necessary.
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

    /// Returns the rectangle without its outer rows and columns.
    ///
    /// Removes `rows` rows at both the top and the bottom, and `columns` columns on each side.
    package func inset(rows: Int, columns: Int) -> FrameRect {
        FrameRect(
            row: row + rows,
            column: column + columns,
            rows: max(0, self.rows - 2 * rows),
            columns: max(0, self.columns - 2 * columns)
        )
    }
}
