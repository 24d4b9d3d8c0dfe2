/// Where the cells of the grid are: a pure function of the screen, the preferred cell size and
/// the number of items.
struct GridLayout: Hashable, Sendable {
    /// Below this the screen can't hold an image, its caption and the status bar.
    static let minimumScreen = ScreenSize(columns: 20, rows: 5)

    let columns: Int
    let rows: Int
    /// Distance from cell to cell, the gap included.
    let pitch: ScreenSize
    /// The part of a cell that the image may fill.
    let imageBox: ScreenSize
    private let itemCount: Int
    private let margin: Int

    init(screen: ScreenSize, cellSize: CellSize, itemCount: Int) {
        self.itemCount = itemCount
        let height = max(1, screen.rows - Self.statusRows)
        let preferred = min(cellSize.columns, screen.columns)
        columns = max(1, screen.columns / preferred)
        rows = max(1, (height + Self.gap) / cellSize.rows)
        let width = screen.columns / columns
        pitch = ScreenSize(columns: width, rows: (height + Self.gap) / rows)
        imageBox = ScreenSize(
            columns: width - Self.gutter,
            rows: pitch.rows - Self.captionRows - Self.gap
        )
        margin = (screen.columns - columns * width) / 2
    }

    /// Blank rows below each cell but the last.
    private static let gap = 1
    /// Blank columns left of each cell; the selection's bar stands there.
    private static let gutter = 1
    private static let captionRows = 1
    private static let statusRows = 1

    /// Rows of the whole feed.
    var totalRows: Int { (itemCount + columns - 1) / columns }

    /// The largest first row; the last screen is full.
    var lastTopRow: Int { max(0, totalRows - rows) }

    /// The items on the screen when `topRow` is its first row.
    func visibleItems(topRow: Int) -> Range<Int> {
        let start = min(topRow * columns, itemCount)
        return start..<min(start + rows * columns, itemCount)
    }

    /// The first row nearest to `topRow` that shows `item`.
    func topRow(_ topRow: Int, showing item: Int) -> Int {
        let row = item / columns
        let shown = min(max(topRow, row - rows + 1), row)
        return max(0, min(shown, lastTopRow))
    }

    /// The image box and caption line of a visible item, counted from the first on the screen.
    func rect(at position: Int) -> FrameRect {
        FrameRect(
            row: position / columns * pitch.rows,
            column: margin + position % columns * pitch.columns + Self.gutter,
            rows: imageBox.rows + Self.captionRows,
            columns: imageBox.columns
        )
    }

    /// The visible position at a place of the screen, or nil for a gap.
    func position(row: Int, column: Int) -> Int? {
        (0..<rows * columns).first { rect(at: $0).contains(row: row, column: column) }
    }
}

/// How large the cells of the grid are to be; the layout makes them fill the screen.
public struct CellSize: Hashable, Sendable {
    /// Which of the steps, from the smallest.
    private let step: Int

    private static let widths = [10, 14, 20, 28, 40, 60, 90, 140]

    private init(step: Int) {
        self.step = step
    }

    /// Four by two images on 80×24.
    public static let standard = CellSize(step: 2)

    /// The next size up; nil at the largest.
    var larger: CellSize? { step + 1 < Self.widths.count ? CellSize(step: step + 1) : nil }

    /// The next size down; nil at the smallest.
    var smaller: CellSize? { step > 0 ? CellSize(step: step - 1) : nil }

    /// Columns, the gap included.
    var columns: Int { Self.widths[step] }

    /// Rows, caption and gap included: an image box that is square in pixels.
    var rows: Int { columns / 2 + 1 }
}
