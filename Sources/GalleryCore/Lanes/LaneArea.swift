import TerminalUI

/// The screen rows between the grid and the status bar, which show the transfer slots as lanes.
///
/// There are up to two lines of text above the lanes. In a small window, text and lanes share a
/// row.
struct LaneArea: Equatable, Sendable {
    let rect: FrameRect
    /// The number of rows for text, or 0 if text and lanes share a row.
    let textRows: Int
    /// The number of rows of lanes.
    let laneRows: Int
    /// The number of lanes in a row.
    let laneColumns: Int

    /// The minimum width of a lane in columns, including the space between two lanes.
    private static let leastWidth = 26
    private static let margin = 1

    /// Returns the number of rows that the lanes need, or 0 if the window is too small.
    ///
    /// The number does not depend on the panels, so nothing moves when a panel opens.
    static func rows(on screen: ScreenSize, slots: Int) -> Int {
        guard screen.columns >= 40 else { return 0 }
        switch screen.rows {
        case ..<12: return 0
        case ..<18: return 1
        case ..<24: return 2
        default:
            let columns = columns(inWidth: screen.columns)
            let needed = (slots + columns - 1) / columns
            return 2 + min(needed, screen.rows < 40 ? 2 : screen.rows < 60 ? 3 : 4)
        }
    }

    /// Creates the area on a screen.
    ///
    /// `columns` is the number of columns not covered by a panel.
    init(on screen: ScreenSize, columns: Int, slots: Int) {
        let rows = Self.rows(on: screen, slots: slots)
        rect = FrameRect(row: screen.rows - 1 - rows, column: 0, rows: rows, columns: columns)
        textRows = rows >= 3 ? 2 : rows == 2 ? 1 : 0
        laneRows = max(0, rows - textRows)
        laneColumns = Self.columns(inWidth: columns)
    }

    /// The number of lanes that fit into the area.
    var laneCount: Int { laneRows * laneColumns }

    /// The screen columns that the text may use.
    var textColumns: Range<Int> {
        Self.margin..<max(Self.margin, rect.columns - Self.margin)
    }

    /// Returns the screen area of a lane, which is one row high.
    ///
    /// Lanes are numbered row by row.
    func place(ofLane lane: Int) -> FrameRect {
        let pitch = (rect.columns - 2 * Self.margin + Self.gap) / laneColumns
        return FrameRect(
            row: rect.row + textRows + lane / laneColumns,
            column: Self.margin + lane % laneColumns * pitch,
            rows: 1,
            columns: max(0, pitch - Self.gap)
        )
    }

    private static let gap = 2

    private static func columns(inWidth width: Int) -> Int {
        max(1, (width - 2 * margin + gap) / leastWidth)
    }
}
