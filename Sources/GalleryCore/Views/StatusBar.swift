internal import Feeds
internal import ImageLoading
import TerminalUI

/// The last row of the screen, which shows the status, a message or a prompt.
struct StatusBar {
    let state: GalleryState

    private var row: Int { state.screen.rows - 1 }
    private var columns: Int { state.screen.columns }

    func draw(into frame: inout Frame) {
        let line = FrameRect(row: row, column: 0, rows: 1, columns: columns)
        frame.fill(line, style: state.theme.surface(.raised))
        switch state.prompt.overlay {
        case .count(let text):
            let hints = [
                ("arrows", "this many"), ("g", "that image"), ("%", "percent"), ("Esc", ""),
            ]
            PromptBar(look: PromptLook(label: "", hints: hints), before: text)
                .draw(into: &frame, state: state)
        case .prompt(let prompt):
            PromptBar(look: state.look(of: prompt), before: prompt.before, after: prompt.after)
                .draw(into: &frame, state: state)
        case .sort:
            let keys = SortKey.row + [("R", "reverse"), ("o", "feed")]
            PromptBar(look: PromptLook(label: "sort  ", hints: [("Esc", "")]), before: "")
                .draw(keys, into: &frame, state: state)
        case .help(let help) where help.isTyping:
            let hints = [("Enter", "keeps"), ("Esc", "shows all")]
            PromptBar(look: PromptLook(label: "/", hints: hints), before: help.filter)
                .draw(into: &frame, state: state)
        case .help, nil: drawStatus(into: &frame)
        }
    }

    private func drawStatus(into frame: inout Frame) {
        let line = StatusLine(state)
        for part in line.parts {
            frame.draw(part.text, row: row, column: part.column, style: part.style)
        }
        guard let column = line.badgeColumn else { return }
        StatusFacts(state: state).badge
            .draw(row: row, column: column, isOnBar: true, into: &frame, state: state)
    }
}
