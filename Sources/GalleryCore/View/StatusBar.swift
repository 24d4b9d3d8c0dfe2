internal import ImageLoading

/// The last line: position, loads, caches, savings; or a notice, a question, a prompt.
struct StatusBar {
    let state: GalleryState

    func draw(into frame: inout Frame) {
        let row = state.screen.rows - 1
        let line = FrameRect(row: row, column: 0, rows: 1, columns: state.screen.columns)
        if let message {
            frame.fill(line, style: state.theme.notice)
            let text = state.text(message, limit: state.screen.columns - 2)
            frame.draw(text, row: row, column: 1, style: state.theme.notice)
            return
        }
        frame.fill(line, style: state.theme.statusBar)
        drawSegments(into: &frame, row: row)
    }

    private var message: String? {
        switch state.overlay {
        case .confirmClearDisk: return question
        case .goTo(let text): return "go to: \(text)_  (Enter: number, %: percent, Esc)"
        case .help, nil: return state.notice?.text
        }
    }

    private var question: String {
        let disk = state.statistics.diskCache
        let long =
            "Empty the disk cache (\(disk.entryCount) files, \(CountText.bytes(disk.byteCount)))?"
        let wide = long + " y/n"
        return wide.count + 2 <= state.screen.columns ? wide : "clear disk? y/n"
    }

    private func drawSegments(into frame: inout Frame, row: Int) {
        let position = state.itemCount == 0 ? 0 : state.selection + 1
        let segments = StatusSegments(
            position: position,
            total: state.itemCount,
            statistics: state.statistics,
            symbols: state.capabilities.symbols,
            isPaused: state.isPaused
        ).fitted(to: state.screen.columns - 2)
        var column = 1
        for (index, segment) in segments.enumerated() {
            let style = index == 0 ? state.theme.statusStrong : state.theme.statusBar
            let room = state.screen.columns - column
            column = frame.draw(
                state.text(segment, limit: room),
                row: row,
                column: column,
                style: style
            )
            column += StatusSegments.gap
        }
        let hint = "? help"
        guard column + hint.count < state.screen.columns else { return }
        frame.draw(
            state.text(hint),
            row: row,
            column: state.screen.columns - 1 - hint.count,
            style: state.theme.statusBar
        )
    }
}
