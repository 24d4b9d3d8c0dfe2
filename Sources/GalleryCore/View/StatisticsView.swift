internal import ImageLoading

/// The statistics: a panel beside the grid, or a page where there is no room for one.
///
/// A panel shows whole groups, and the same key goes on to those that did not fit; a page scrolls.
struct StatisticsView {
    let state: GalleryState

    /// A panel is at least so wide.
    static let leastWidth = 40

    private var isPage: Bool { state.isStatisticsPage }
    private var start: Int { state.statisticsStart ?? 0 }
    private var groups: [StatisticsGroup] { StatisticsGroups(state: state).groups }

    func draw(into frame: inout Frame) {
        let area = area
        let surface: Theme.Surface = isPage ? .ground : .card
        if !isPage {
            frame.fill(area.panel, style: state.theme.surface(.card))
            drawTitle(area, into: &frame)
        }
        var pen = StatisticsPen(state: state, columns: area.columns, surface: surface)
        pen.row = area.top
        pen.rows = area.top..<area.top + area.height
        let shown = isPage ? groups[...] : groups[start..<endOfPanel]
        if isPage { pen.row -= start }
        for group in shown {
            pen.draw(group, into: &frame)
            pen.row += 1
        }
    }

    private func drawTitle(_ area: Area, into frame: inout Frame) {
        let theme = state.theme
        var style = theme.style(.strong, on: .card)
        style.attributes.insert(.bold)
        let row = area.top - area.titleRows
        let title = state.text("Statistics")
        frame.draw(title, row: row, column: area.columns.lowerBound, style: style)
        let hint = state.text(nextStart == nil ? "s closes" : "s shows more")
        frame.draw(
            hint,
            row: row,
            column: area.columns.upperBound - hint.width,
            style: theme.style(.dim, on: .card)
        )
    }

    // MARK: Room

    /// Where the lines are.
    private struct Area {
        let panel: FrameRect
        let columns: Range<Int>
        let top: Int
        let height: Int
        /// Rows from the title to the first line.
        let titleRows: Int
    }

    /// The rows for lines.
    var height: Int { area.height }

    private var area: Area {
        let screen = state.screen
        let first = isPage ? 0 : state.panelColumn ?? 0
        let width = screen.columns - first
        let margin = width >= 50 ? 3 : width >= 40 ? 2 : 1
        let air = screen.rows >= 12 ? 1 : 0
        let titleRows = isPage ? 0 : 1 + air
        let top = air + titleRows
        return Area(
            panel: FrameRect(row: 0, column: first, rows: screen.rows - 1, columns: width),
            columns: first + margin..<max(first + margin, screen.columns - margin),
            top: top,
            height: max(1, screen.rows - 1 - top),
            titleRows: titleRows
        )
    }

    private var lineCount: Int { groups.reduce(-1) { $0 + $1.height + 1 } }

    /// The last line that a page can begin with.
    var lastStart: Int { max(0, lineCount - height) }

    /// Where the same key goes on; nil if all has been shown.
    var nextStart: Int? {
        if isPage { return start < lastStart ? min(start + height, lastStart) : nil }
        return endOfPanel < groups.count ? endOfPanel : nil
    }

    /// The first group that does not fit on the panel; at least one is shown.
    private var endOfPanel: Int {
        let (groups, height) = (groups, height)
        var end = min(start, groups.count - 1)
        var used = -1
        while end < groups.count, used + 1 + groups[end].height <= height || end == start {
            used += 1 + groups[end].height
            end += 1
        }
        return end
    }

    /// Which rows of a page are seen; nil if all are.
    var rowsNote: String? {
        guard lastStart > 0 else { return nil }
        return "rows \(start + 1)-\(min(lineCount, start + height)) of \(lineCount)"
    }
}
