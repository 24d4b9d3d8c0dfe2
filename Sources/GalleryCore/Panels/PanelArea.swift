import TerminalUI

/// The area of a panel beside the images, or of a page that covers them.
struct PanelArea {
    /// The minimum width of a panel in columns.
    static let leastWidth = 40

    /// Whether the area is a page that covers the images.
    let isPage: Bool
    /// The entire area, including the margins and the title.
    let panel: FrameRect
    /// The columns in which lines are drawn.
    let columns: Range<Int>
    /// The row of the first line.
    let top: Int
    /// The number of rows available for lines.
    let height: Int
    /// The number of rows from the title to the first line.
    ///
    /// It is 0 for a page, because the status bar shows its title.
    let titleRows: Int
    /// The theme surface on which the area is drawn.
    let surface: Theme.Surface

    /// Creates the area of a page, or of a panel whose first column is `column`.
    init(on screen: ScreenSize, isPage: Bool, from column: Int) {
        self.isPage = isPage
        let first = isPage ? 0 : column
        let width = screen.columns - first
        let margin = width >= 50 ? 3 : width >= 40 ? 2 : 1
        let air = screen.rows >= 12 ? 1 : 0
        titleRows = isPage ? 0 : 1 + air
        top = air + titleRows
        panel = FrameRect(row: 0, column: first, rows: screen.rows - 1, columns: width)
        columns = first + margin..<max(first + margin, screen.columns - margin)
        height = max(1, screen.rows - 1 - top)
        surface = isPage ? .ground : .card
    }

    /// Draws the background of a panel, its title, and a hint about the panel's key.
    ///
    /// For a page, nothing is drawn.
    func drawTitle(_ title: String, hint: String, into frame: inout Frame, state: GalleryState) {
        guard !isPage else { return }
        let theme = state.theme
        frame.fill(panel, style: theme.surface(.card))
        var style = theme.style(.strong, on: .card)
        style.attributes.insert(.bold)
        let row = top - titleRows
        frame.draw(state.text(title), row: row, column: columns.lowerBound, style: style)
        let hint = state.text(hint)
        let dim = theme.style(.dim, on: .card)
        frame.draw(hint, row: row, column: columns.upperBound - hint.width, style: dim)
    }

    /// Returns the indices of the groups that fit, starting with group `start`.
    ///
    /// `heights` contains the number of rows of each group. Groups are separated by an empty row.
    /// The result contains at least one group, even if it is too tall. An invalid `start` is
    /// clamped because the number of groups may have decreased.
    func groups(of heights: [Int], from start: Int) -> Range<Int> {
        guard !heights.isEmpty else { return 0..<0 }
        let start = max(0, min(start, heights.count - 1))
        var end = start
        var used = -1
        while end < heights.count, used + 1 + heights[end] <= height || end == start {
            used += 1 + heights[end]
            end += 1
        }
        return start..<end
    }
}
