internal import ImageLoading
import TerminalUI

/// A view that shows the statistics.
///
/// It is a panel beside the grid, or a page if there is too little space. A panel shows complete
/// groups; pressing its key again shows the groups that did not fit. A page scrolls.
struct StatisticsView {
    let state: GalleryState
    let content: PanelContent
    private let groups: [StatisticsGroup]

    init(state: GalleryState) {
        self.state = state
        let groups = StatisticsGroups(state: state).groups
        self.groups = groups
        content = PanelContent(
            heights: groups.map(\.height),
            in: PanelArea(
                on: state.screen,
                isPage: state.isStatisticsPage,
                from: state.panels.column ?? 0
            ),
            at: state.panels.statistics?.position ?? PanelPosition()
        )
    }

    func draw(into frame: inout Frame) {
        let area = content.area
        let hint = content.hint(key: state.keys.name(of: .nextStatistics))
        area.drawTitle("Statistics", hint: hint, into: &frame, state: state)
        var pen = StatisticsPen(state: state, columns: area.columns, surface: area.surface)
        pen.row = area.top - content.firstLine
        pen.rows = area.top..<area.top + content.height
        for group in groups[content.visibleGroups] {
            pen.draw(group, into: &frame)
            pen.row += 1
        }
    }
}
