import GalleryCore

/// Finds the band of rows that moved between two frames of one size.
///
/// ncurses' own search looks at characters only; rows of half blocks all look alike to it, so
/// it repaints. Here colours count. Nobody has to say that something moved: the rows tell, and a
/// search costs less than the cells that it saves.
struct ScrollFinder {
    private let old: UnsafeBufferPointer<FrameCell>
    private let new: UnsafeBufferPointer<FrameCell>
    private let columns: Int
    private let rowCount: Int

    /// Both frames have `columns` columns and the same number of rows.
    init(
        old: UnsafeBufferPointer<FrameCell>,
        new: UnsafeBufferPointer<FrameCell>,
        columns: Int
    ) {
        (self.old, self.new, self.columns) = (old, new, columns)
        rowCount = new.count / columns
    }

    /// The scroll that leaves the fewest cells to write, if it is worth its own bytes.
    func best() -> Scroll? {
        let unscrolled = changedCells(after: nil)
        // A scroll makes the terminal move a band and costs about as much as this many cells.
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

    /// Tries every distance; for each, the band in which most rows match (Kadane's maximum
    /// subarray over +1 for a row saved, -1 for an unchanged row spoilt).
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

/// A band of rows whose content moved.
///
/// `rows` are the rows of the band on the screen; their content moved up by `distance` rows
/// (down if negative), what left the band is gone, and what came in is to be drawn.
struct Scroll: Hashable, Sendable {
    /// The band.
    var rows: Range<Int>
    /// Rows by which the content moved up.
    var distance: Int

    /// What a row of the screen shows after the scroll.
    enum Source {
        /// What this row showed before.
        case row(Int)
        /// Blanks: it came in.
        case blank
    }

    /// Where the content of `row` comes from.
    func source(of row: Int) -> Source {
        guard rows.contains(row) else { return .row(row) }
        return rows.contains(row + distance) ? .row(row + distance) : .blank
    }
}
