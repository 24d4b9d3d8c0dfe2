internal import ImageLoading
import TerminalUI

/// A view of the statistics, as a panel beside the grid or, if there is too little space, as a
/// page.
///
/// A panel shows complete groups; pressing its key again shows the groups that did not fit. A page
/// scrolls.
struct StatisticsView {
    let state: GalleryState

    private var isPage: Bool { state.isStatisticsPage }
    private var position: PanelPosition { state.panels.statistics?.position ?? PanelPosition() }
    private var groups: [StatisticsGroup] { StatisticsGroups(state: state).groups }

    func draw(into frame: inout Frame) {
        let area = area
        let hint = nextPosition == nil ? "s closes" : "s shows more"
        area.drawTitle("Statistics", hint: hint, into: &frame, state: state)
        var pen = StatisticsPen(state: state, columns: area.columns, surface: area.surface)
        pen.row = area.top
        pen.rows = area.top..<area.top + area.height
        let shown = isPage ? groups[...] : groups[panelGroups]
        if isPage { pen.row -= firstLine }
        for group in shown {
            pen.draw(group, into: &frame)
            pen.row += 1
        }
    }

    // MARK: Room

    private var area: PanelArea {
        PanelArea(on: state.screen, isPage: isPage, from: state.panels.column ?? 0)
    }

    /// The number of rows available for lines.
    var height: Int { area.height }

    private var lineCount: Int { groups.reduce(-1) { $0 + $1.height + 1 } }

    /// The largest scroll position of a page.
    var lastStart: Int { max(0, lineCount - height) }

    /// The first visible line of a page.
    var firstLine: Int { max(0, min(position.line, lastStart)) }

    /// The scroll position after the next press of the key, or nil if everything has been shown.
    var nextPosition: PanelPosition? {
        var next = position
        if isPage {
            guard firstLine < lastStart else { return nil }
            next.line = min(firstLine + height, lastStart)
        } else {
            guard panelGroups.upperBound < groups.count else { return nil }
            next.group = panelGroups.upperBound
        }
        return next
    }

    /// The indices of the groups that a panel shows.
    private var panelGroups: Range<Int> {
        area.groups(of: groups.map(\.height), from: position.group)
    }

    /// A note with the range of visible rows, or nil if all rows are visible.
    var rowsNote: String? {
        guard lastStart > 0 else { return nil }
        return "rows \(firstLine + 1)-\(min(lineCount, firstLine + height)) of \(lineCount)"
    }
}
