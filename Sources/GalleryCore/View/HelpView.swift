internal import ImageLoading

/// The key table over the gallery.
struct HelpView {
    let state: GalleryState
    let scroll: Int

    func draw(into frame: inout Frame) {
        let panel = Self.panel(on: state.screen)
        frame.fill(panel, style: state.theme.panel)
        let title = FrameRect(row: panel.row, column: panel.column, rows: 1, columns: panel.columns)
        frame.fill(title, style: state.theme.panelTitle)
        frame.draw(
            state.text(" Keys", limit: panel.columns),
            row: panel.row,
            column: panel.column,
            style: state.theme.panelTitle
        )
        let height = panel.rows - 1
        for (offset, line) in Self.lines.dropFirst(min(scroll, lastScroll)).prefix(height)
            .enumerated()
        {
            draw(line, row: panel.row + 1 + offset, panel: panel, into: &frame)
        }
        drawHint(panel, into: &frame)
    }

    /// How far it can be scrolled.
    static func lastScroll(on screen: ScreenSize) -> Int {
        max(0, lines.count - panel(on: screen).rows + 1)
    }

    private var lastScroll: Int { Self.lastScroll(on: state.screen) }

    private struct Line {
        var label: String
        var asciiLabel: String?
        var help: String
    }

    private static let lines: [Line] = keys + marks + figures

    private static let keys: [Line] = KeyTable.sections.flatMap { section in
        [Line(label: section.title, help: "")]
            + section.bindings.compactMap { binding in
                binding.help.map { Line(label: binding.label, help: $0) }
            }
    }

    /// What the marks before the captions mean.
    private static let marks: [Line] =
        [Line(label: "Marks", help: "")]
        + ImageSource.allCases.map { source in
            Line(
                label: source.symbol,
                asciiLabel: source.asciiSymbol,
                help: "came from \(source == .network ? "the network" : source.rawValue)"
            )
        } + [
            Line(label: "…", asciiLabel: "~", help: "shown, may still change"),
            Line(label: "✗", asciiLabel: "x", help: "failed"),
        ]

    /// What the less obvious rows of the statistics mean.
    private static let figures: [Line] =
        [Line(label: "Statistics", help: "")]
        + [
            ("joined", "shares a running load"),
            ("saved", "bytes that need not come"),
            ("tried again", "after a failure"),
            ("resumed", "went on from bytes kept"),
            ("not modified", "ours is still good"),
            ("stale", "the server is away"),
            ("left alone", "the host fails"),
            ("damaged", "deleted, fetched anew"),
            ("pressure", "memory is short"),
        ].map { Line(label: $0, help: $1) }

    private static func panel(on screen: ScreenSize) -> FrameRect {
        FrameRect(row: 0, column: 0, rows: max(1, screen.rows - 1), columns: screen.columns)
            .centered(rows: lines.count + 1, columns: 50)
    }

    private func draw(_ line: Line, row: Int, panel: FrameRect, into frame: inout Frame) {
        let isTitle = line.help.isEmpty
        let labelWidth = min(15, panel.columns / 2)
        let isASCII = state.capabilities.symbols == .ascii
        let label = isASCII ? line.asciiLabel ?? line.label : line.label
        let text = state.text(label, limit: isTitle ? panel.columns - 2 : labelWidth)
        frame.draw(
            text,
            row: row,
            column: panel.column + 1,
            style: isTitle ? state.theme.panelStrong : state.theme.panel
        )
        guard !isTitle else { return }
        let column = panel.column + labelWidth + (panel.columns >= 50 ? 4 : 2)
        let help = state.text(line.help, limit: panel.column + panel.columns - column)
        frame.draw(help, row: row, column: column, style: state.theme.panel)
    }

    private func drawHint(_ panel: FrameRect, into frame: inout Frame) {
        let hidden = lastScroll - scroll
        let hint = state.text(hidden > 0 ? "j: more  Esc: back " : "Esc: back ")
        guard hint.width + 6 < panel.columns else { return }
        frame.draw(
            hint,
            row: panel.row,
            column: panel.column + panel.columns - hint.width,
            style: state.theme.panelTitle
        )
    }
}
