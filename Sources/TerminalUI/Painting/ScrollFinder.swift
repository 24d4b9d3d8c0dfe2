/// Searches for rows that moved up or down together between two frames of the same size.
///
/// The search in ncurses compares only characters. All rows of half blocks look the same to it, so
/// it repaints them. This search also compares colors. It needs no hint that rows have moved, and
/// costs less than writing the cells that it saves.
struct ScrollFinder {
    private let old: UnsafeBufferPointer<FrameCell>
    private let new: UnsafeBufferPointer<FrameCell>
    private let columns: Int
    private let rowCount: Int

    /// Creates a finder for two frames that have `columns` columns and the same number of rows.
    init(
        old: UnsafeBufferPointer<FrameCell>,
        new: UnsafeBufferPointer<FrameCell>,
        columns: Int
    ) {
        (self.old, self.new, self.columns) = (old, new, columns)
        rowCount = new.count / columns
    }

    /// Returns the scroll that saves the most rows, or nil if it would save at most one row of
    /// cells.
    package func best() -> Scroll? {
        let unscrolled = changedCells(after: nil)
        // Moving a band of rows costs the terminal about as much as writing two rows of cells.
        guard unscrolled > 2 * columns else { return nil }
        guard let scroll = found() else { return nil }
        return changedCells(after: scroll) + columns < unscrolled ? scroll : nil
    }

    private func changedCells(after scroll: Scroll?) -> Int {
        var count = 0
        let blank = Array(repeating: FrameCell(), count: columns)
        blank.withUnsafeBufferPointer { blank in
            for row in 0..<rowCount {
                let source = scroll?.source(of: row) ?? .row(row)
                let before =
                    switch source {
                    case .row(let from): CellRow(from, of: old, columns: columns)
                    case .blank: CellRow(0, of: blank, columns: columns)
                    }
                let after = CellRow(row, of: new, columns: columns)
                count += RowDifference.count(old: before, new: after)
            }
        }
        return count
    }

    /// Returns the scroll with the highest score, or nil if no scroll saves rows.
    ///
    /// For each distance, the best group of adjacent rows is found with Kadane's maximum subarray
    /// algorithm. Each row that is saved counts +1, and each unchanged row that would be
    /// overwritten counts -1.
    private func found() -> Scroll? {
        let before = (0..<rowCount).map { CellRow($0, of: old, columns: columns).fingerprint }
        let after = (0..<rowCount).map { CellRow($0, of: new, columns: columns).fingerprint }
        var best: (scroll: Scroll, score: Int)?
        for distance in 1 - rowCount..<rowCount where distance != 0 {
            var (score, start) = (0, 0)
            for row in max(0, -distance)..<min(rowCount, rowCount - distance) {
                if score <= 0 { (score, start) = (0, row) }
                let matches = after[row] == before[row + distance]
                let isChanged = after[row] != before[row]
                score += matches == isChanged ? (matches ? 1 : -1) : 0
                if score > best?.score ?? 0 {
                    let band = min(start, start + distance)..<max(row, row + distance) + 1
                    best = (Scroll(rows: band, distance: distance), score)
                }
            }
        }
        return best?.scroll
    }
}

/// A group of adjacent rows whose content moves up or down.
///
/// Content that leaves these rows is lost. Rows without new content become blank and must be drawn.
package struct Scroll: Hashable, Sendable {
    /// The rows on the screen.
    package var rows: Range<Int>
    /// The number of rows by which the content moves up, or a negative number if it moves down.
    package var distance: Int

    /// The origin of a row's content after a scroll.
    package enum Source {
        /// The earlier content of this row.
        case row(Int)
        /// Blanks, because no content has moved to this row.
        case blank
    }

    /// Returns the origin of a row's content.
    package func source(of row: Int) -> Source {
        guard rows.contains(row) else { return .row(row) }
        return rows.contains(row + distance) ? .row(row + distance) : .blank
    }
}
