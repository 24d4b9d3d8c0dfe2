internal import Feeds
internal import ImageLoading
import TerminalUI

/// The last row of the screen, which shows either the status, a message or a prompt.
struct StatusBar {
    let state: GalleryState

    private var row: Int { state.screen.rows - 1 }
    private var columns: Int { state.screen.columns }
    private var facts: StatusFacts { StatusFacts(state: state) }

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
        case .help, nil: drawStatus(into: &frame)
        }
    }

    private func drawStatus(into frame: inout Frame) {
        // A small window only has space for one text.
        if let notice = state.notice, columns < 40 {
            return draw(notice, at: 1, end: columns - 1, into: &frame)
        }
        let start = state.labeling.isOn ? drawLabelMode(into: &frame) : 0
        var column = draw(facts.position, .strong, at: start + 1, attributes: .bold, into: &frame)
        for mode in facts.modes { column = draw(mode, .warning, at: column + 2, into: &frame) }
        let page = pageTitle
        let end = drawHint(after: column, isPage: page != nil, into: &frame)
        guard end > column else { return }
        if let notice = state.notice {
            draw(notice, at: column + 2, end: end, into: &frame)
        } else if let page {
            let title = state.text(page.title)
            guard column + 2 + title.width <= end else { return }
            column = frame.draw(title, row: row, column: column + 2, style: style(.strong))
            let note = state.text(page.note)
            guard column + 3 + note.width <= end else { return }
            frame.draw(note, row: row, column: column + 3, style: style(.dim))
        } else {
            drawFacts(at: column, end: end, into: &frame)
        }
    }

    /// Draws the sign " LABEL " for label mode, and returns the column after it.
    private func drawLabelMode(into frame: inout Frame) -> Int {
        frame.draw(
            state.text(" LABEL "),
            row: row,
            column: 0,
            style: state.theme.style(.strong, on: .selection)
        )
    }

    private func drawFacts(at start: Int, end: Int, into frame: inout Frame) {
        // The badge includes one column of space.
        let badge = facts.badge
        let width = badge.width(state: state)
        let isShown = width > 0 && end - start > width + 10
        let start = isShown ? start + width : start
        if isShown {
            let column = start + 1 - width
            badge.draw(row: row, column: column, isOnBar: true, into: &frame, state: state)
        }
        let name = state.text(facts.name ?? "")
        let fitted = StatusSegments(nameWidth: name.width, segments: facts.segments)
            .fitted(to: end - start, window: columns)
        var column = start
        if fitted.name > 0, let name = facts.name {
            let shown = state.caption(name, limit: fitted.name)
            column += StatusSegments.nameGap
            frame.draw(shown, row: row, column: column, style: style(.strong))
            column += fitted.name
        }
        for part in fitted.parts {
            let style = style(part.tone)
            column = frame.draw(part.text, row: row, column: column + part.gap, style: style)
        }
    }

    private func draw(_ notice: Notice, at column: Int, end: Int, into frame: inout Frame) {
        let (sign, tone): (String, Theme.Tone) =
            switch notice.kind {
            case .note: ("", .caption)
            case .warning: ("! ", .warning)
            case .failure: (state.capabilities.spelling("✗ ", ascii: "x "), .failure)
            }
        let text = state.text(sign + notice.text, limit: end - column)
        frame.draw(text, row: row, column: column, style: style(tone))
    }

    /// The title of the visible page, and a note such as the range of visible rows.
    ///
    /// If no page is visible, it is nil.
    private var pageTitle: (title: String, note: String)? {
        if case .help(let scroll)? = state.prompt.overlay {
            let rows = HelpView.rowsNote(scroll: scroll, on: state.screen)
            return ("Help", rows ?? "see man termgallery")
        }
        if state.isInformationPage {
            return ("Information", InformationView(state: state).content.rowsNote ?? "")
        }
        if state.isTracePage, !state.isStatisticsPage { return ("Trace", "newest at the bottom") }
        guard state.isStatisticsPage else { return nil }
        let content = StatisticsView(state: state).content
        let hint = content.hint(key: state.keys.name(of: .nextStatistics))
        return ("Statistics", content.rowsNote ?? hint)
    }

    /// Draws the key that opens the help or closes a page.
    ///
    /// Returns the column before which other text must end.
    private func drawHint(after column: Int, isPage: Bool, into frame: inout Frame) -> Int {
        let (key, does) = isPage ? ("Esc", "back") : (state.keys.name(of: .toggleHelp), "help")
        let start = columns - 1 - key.count - 1 - does.count
        guard start >= column + 2 else { return column }
        frame.draw(state.text(key), row: row, column: start, style: style(.accent))
        frame.draw(state.text(does), row: row, column: start + key.count + 1, style: style(.dim))
        return start - 2
    }

    @discardableResult
    private func draw(
        _ text: String,
        _ tone: Theme.Tone,
        at column: Int,
        attributes: CellAttributes = [],
        into frame: inout Frame
    ) -> Int {
        var style = style(tone)
        style.attributes.formUnion(attributes)
        return frame.draw(state.text(text), row: row, column: column, style: style)
    }

    private func style(_ tone: Theme.Tone) -> CellStyle { state.theme.style(tone, on: .raised) }
}
