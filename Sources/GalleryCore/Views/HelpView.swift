import TerminalUI

/// The help page with the keys, the mouse actions and the symbols.
struct HelpView {
    let state: GalleryState
    let help: HelpState

    func draw(into frame: inout Frame) {
        let content = state.helpContent(help)
        for (index, rows) in content.columns.enumerated() {
            let columns = content.place(ofColumn: index)
            let shown = rows.dropFirst(help.scroll).prefix(content.height)
            for (offset, row) in shown.enumerated() {
                draw(row, at: content.top + offset, columns: columns, into: &frame)
            }
        }
        guard content.columns.allSatisfy(\.isEmpty) else { return }
        PageMessage(lines: ["Nothing matches.", "Esc shows all keys."])
            .draw(into: &frame, state: state, tone: .dim)
    }

    private func draw(
        _ line: HelpContent.Row,
        at row: Int,
        columns: Range<Int>,
        into frame: inout Frame
    ) {
        let start = columns.lowerBound
        func put(_ text: String, _ tone: Theme.Tone, at offset: Int) {
            let shown = state.text(text, limit: columns.count - offset)
            frame.draw(shown, row: row, column: start + offset, style: state.theme.style(tone))
        }
        switch line {
        case .blank: break
        case .title(let title): put(title, .accent, at: 0)
        case .keys(let label, let help, let offset):
            put(label, .strong, at: 0)
            put(help, .caption, at: offset)
        case .signs(let signs, let help, let offset):
            for (index, sign) in signs.enumerated() {
                let (symbol, ascii) = sign.spelling
                put(state.capabilities.spelling(symbol, ascii: ascii), sign.tone, at: 3 * index)
            }
            put(help, .caption, at: offset)
        case .loading(let help, let offset):
            let (symbol, ascii) = TileSign.queued.spelling
            put(state.capabilities.spelling(symbol, ascii: ascii), TileSign.queued.tone, at: 0)
            put(ProgressBar(fraction: 0.5, columns: 5).text(state), .progress, at: 3)
            put(help, .caption, at: offset)
        case .badges(let help, let offset):
            let badges = [Badge(isMarked: true), Badge(label: 3)]
            for (index, badge) in badges.enumerated() {
                badge.draw(row: row, column: start + 4 * index, into: &frame, state: state)
            }
            put(state.capabilities.spelling("•", ascii: "+"), .strong, at: 8)
            put(help, .caption, at: offset)
        }
    }
}

extension GalleryState {
    /// The help text, laid out for the screen size and with the user's keys.
    func helpContent(_ help: HelpState) -> HelpContent {
        HelpContent(on: screen, keys.groups, filter: help.filter)
    }
}
