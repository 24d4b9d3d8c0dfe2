internal import ImageLoading

/// The statistics: a panel beside the grid, or a page where there is no room for one.
///
/// A panel shows whole groups, and the same key goes on to those that did not fit; a page scrolls.
struct StatisticsView {
    let state: GalleryState

    private var isPage: Bool { state.isStatisticsPage }
    private var start: Int { state.statisticsStart ?? 0 }
    private var groups: [StatisticsGroup] { StatisticsGroups(state: state).groups }

    func draw(into frame: inout Frame) {
        let area = area
        let hint = nextStart == nil ? "s closes" : "s shows more"
        area.drawTitle("Statistics", hint: hint, into: &frame, state: state)
        var pen = StatisticsPen(state: state, columns: area.columns, surface: area.surface)
        pen.row = area.top
        pen.rows = area.top..<area.top + area.height
        let shown = isPage ? groups[...] : groups[start..<endOfPanel]
        if isPage { pen.row -= start }
        for group in shown {
            pen.draw(group, into: &frame)
            pen.row += 1
        }
    }

    // MARK: Room

    private var area: PanelArea {
        PanelArea(on: state.screen, isPage: isPage, from: state.panelColumn ?? 0)
    }

    /// The rows for lines.
    var height: Int { area.height }

    private var lineCount: Int { groups.reduce(-1) { $0 + $1.height + 1 } }

    /// The last line that a page can begin with.
    var lastStart: Int { max(0, lineCount - height) }

    /// Where the same key goes on; nil if all has been shown.
    var nextStart: Int? {
        if isPage { return start < lastStart ? min(start + height, lastStart) : nil }
        return endOfPanel < groups.count ? endOfPanel : nil
    }

    /// The first group that does not fit on the panel; at least one is shown.
    private var endOfPanel: Int { area.end(of: groups.map(\.height), from: start) }

    /// Which rows of a page are seen; nil if all are.
    var rowsNote: String? {
        guard lastStart > 0 else { return nil }
        return "rows \(start + 1)-\(min(lineCount, start + height)) of \(lineCount)"
    }
}
