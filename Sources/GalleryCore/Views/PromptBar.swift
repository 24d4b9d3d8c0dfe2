import TerminalUI

/// The appearance of a prompt, apart from the typed text.
struct PromptLook {
    /// The label before the text.
    var label: String
    /// A suggestion, shown after the cursor in low contrast.
    var suggestion = ""
    /// The expected result or an error, shown to the left of the keys.
    var outcome: (text: String, tone: Theme.Tone) = ("", .caption)
    /// The keys and their effects, shown on the right.
    ///
    /// If there is too little space, the first keys are omitted.
    var hints: [(key: String, does: String)] = []
    /// The ranges of the invalid words in the text, counted in characters.
    var wrongSpans: [Range<Int>] = []
}

/// The prompt in the last row of the screen, which uses the terminal's own cursor.
struct PromptBar {
    let look: PromptLook
    let before: String
    var after = ""

    /// The minimum screen width for showing more than one key on the right.
    private static let wideScreen = 60

    func draw(into frame: inout Frame, state: GalleryState) {
        let row = state.screen.rows - 1
        let (label, before) = (state.text(look.label), state.text(before))
        let (after, suggestion) = (state.text(after), state.text(look.suggestion))
        func style(_ tone: Theme.Tone) -> CellStyle { state.theme.style(tone, on: .raised) }
        // If the text is too long, it is shifted to the left to keep the cursor visible.
        let start = min(1, state.screen.columns - 2 - label.width - before.width)
        var column = frame.draw(label, row: row, column: start, style: style(.caption))
        let textStart = column
        column = frame.draw(before, row: row, column: column, style: style(.strong))
        frame.cursor = FrameCursor(row: row, column: max(0, column))
        column = frame.draw(after, row: row, column: column, style: style(.strong))
        mark(look.wrongSpans, from: textStart, row: row, style(.failure), state, &frame)
        let end = drawRight(after: column + 1, into: &frame, state: state)
        let room = end - 2 - (column + 2)
        guard suggestion.width > 0, room >= min(suggestion.width, 12) else { return }
        frame.draw(
            state.text(look.suggestion, limit: room),
            row: row,
            column: column + 2,
            style: style(.dim)
        )
    }

    /// Draws a prompt that the user answers with a single key.
    func draw(
        _ keys: [(key: String, does: String)],
        into frame: inout Frame,
        state: GalleryState
    ) {
        draw(into: &frame, state: state)
        frame.cursor = nil
        let row = state.screen.rows - 1
        var column = 1 + state.text(look.label).width
        for key in keys {
            let isWide = state.screen.columns >= Self.wideScreen
            let (sign, does) = (state.text(key.key), state.text(isWide ? " \(key.does)" : ""))
            guard column + sign.width + does.width < state.screen.columns - 5 else { break }
            let accent = state.theme.style(.accent, on: .raised)
            column = frame.draw(sign, row: row, column: column, style: accent)
            let caption = state.theme.style(.caption, on: .raised)
            column = frame.draw(does, row: row, column: column, style: caption)
            column += isWide ? 2 : 1
        }
    }

    /// Highlights the invalid words in the typed text.
    ///
    /// The ranges are counted in characters, and a character may occupy more than one column.
    private func mark(
        _ spans: [Range<Int>],
        from start: Int,
        row: Int,
        _ style: CellStyle,
        _ state: GalleryState,
        _ frame: inout Frame
    ) {
        let typed = before + after
        for span in spans {
            let from = start + state.text(typed.prefix(span.lowerBound)).width
            let word = state.text(typed.dropFirst(span.lowerBound).prefix(span.count))
            frame.draw(word, row: row, column: from, style: style)
        }
    }

    /// Draws the expected result and as many keys as fit at the right end of the row.
    ///
    /// Returns the column where the space for other text ends.
    private func drawRight(after column: Int, into frame: inout Frame, state: GalleryState) -> Int {
        let row = state.screen.rows - 1
        let isWide = state.screen.columns >= Self.wideScreen
        var end = state.screen.columns - 1
        let hints = isWide ? look.hints[...] : look.hints.suffix(1)
        let outcome = state.text(look.outcome.text)
        // An error is more important than the keys.
        let room = look.outcome.tone == .failure ? outcome.width + 2 : 0
        for hint in hints.reversed() {
            let key = state.text(hint.key)
            let does = state.text(hint.does.isEmpty ? "" : " \(hint.does)")
            let start = end - key.width - does.width
            guard start >= column + 2 + room else {
                if room > 0 { break }
                return end
            }
            end = start
            let accent = state.theme.style(.accent, on: .raised)
            frame.draw(key, row: row, column: end, style: accent)
            let dim = state.theme.style(.dim, on: .raised)
            frame.draw(does, row: row, column: end + key.width, style: dim)
            end -= 2
        }
        guard isWide || look.outcome.tone == .failure, outcome.width > 0,
            end - 1 - outcome.width >= column + 2
        else { return end }
        end -= 1 + outcome.width
        let style = state.theme.style(look.outcome.tone, on: .raised)
        frame.draw(outcome, row: row, column: end, style: style)
        return end - 2
    }
}
