internal import ImageLoading

/// Every counter of the engine, beside the pictures so that one can watch them.
struct StatisticsView {
    let state: GalleryState

    func draw(into frame: inout Frame) {
        let screen = state.screen
        let rows = StatisticsRows(statistics: state.statistics, ahead: state.aheadStatistics)
            .fitting(screen.rows - 2)
        let width = min(46, screen.columns)
        let height = min(rows.count + 1, screen.rows - 1)
        let panel = FrameRect(
            row: 0,
            column: screen.columns - width,
            rows: height,
            columns: width
        )
        frame.fill(panel, style: state.theme.panel)
        let title = FrameRect(row: 0, column: panel.column, rows: 1, columns: width)
        frame.fill(title, style: state.theme.panelTitle)
        frame.draw(
            state.text(" Statistics"),
            row: 0,
            column: panel.column,
            style: state.theme.panelTitle
        )
        for (offset, row) in rows.prefix(height - 1).enumerated() {
            draw(row, at: 1 + offset, panel: panel, into: &frame)
        }
    }

    private func draw(
        _ row: StatisticsRows.Row,
        at line: Int,
        panel: FrameRect,
        into frame: inout Frame
    ) {
        switch row {
        case .value(let name, let value):
            let text = state.text(value, limit: panel.columns - 2)
            let label = state.text(name, limit: panel.columns - text.width - 3)
            frame.draw(label, row: line, column: panel.column + 1, style: state.theme.panel)
            frame.draw(
                text,
                row: line,
                column: panel.column + panel.columns - text.width - 1,
                style: state.theme.panelStrong
            )
        case .bar(let part, let whole):
            drawBar(part, of: whole, at: line, panel: panel, into: &frame)
        }
    }

    private func drawBar(
        _ part: Int,
        of whole: Int,
        at line: Int,
        panel: FrameRect,
        into frame: inout Frame
    ) {
        let width = panel.columns - 2
        let filled = whole > 0 ? min(width, Int(Double(part) / Double(whole) * Double(width))) : 0
        let done = state.glyph("█", ascii: "#").columns[0]
        let rest = state.glyph("░", ascii: "-").columns[0]
        let cells = (0..<width).map { $0 < filled ? done : rest }
        frame.draw(
            FrameText(cleaned: cells),
            row: line,
            column: panel.column + 1,
            style: state.theme.panelBar
        )
    }
}
