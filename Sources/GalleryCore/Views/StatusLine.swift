internal import Feeds
internal import ImageLoading
import TerminalUI

/// The parts of the status bar and their positions while no prompt is open.
///
/// The parts about loads and caches are at fixed positions on the right. The rest of the row
/// describes the selected image: the reason if it is missing or damaged, its name, and its
/// properties.
struct StatusLine {
    /// Text and its position.
    struct Part: Equatable {
        let text: FrameText
        let column: Int
        let style: CellStyle
        let target: StatusTarget?
    }

    private let state: GalleryState
    /// The parts from left to right.
    private(set) var parts: [Part] = []
    /// The column of the badge of the selected image, or nil if it is not shown.
    private(set) var badgeColumn: Int?
    /// The number of pieces into which the message is split, or 1 if there is no message.
    private(set) var pieceCount = 1

    private var columns: Int { state.screen.columns }
    private var facts: StatusFacts { StatusFacts(state: state) }

    /// The minimum screen width for showing slots.
    private static let slotScreen = 60
    /// The minimum screen width for reserving space for the format and the byte count.
    private static let wideScreen = 100
    private static let nameGap = StatusSegments.nameGap

    init(_ state: GalleryState) {
        self.state = state
        var column = 1
        if state.labeling.isOn {
            column += put(" LABEL ", state.theme.style(.strong, on: .selection), at: 0)
        }
        let facts = facts
        var strong = style(.strong)
        strong.attributes.insert(.bold)
        let page = pageTitle
        let hasSlots = page == nil && state.notice == nil && state.detail == nil
        put(facts.position, strong, at: column, target: .action(.command))
        column += hasSlots ? facts.positionWidth : state.text(facts.position).width
        for mode in facts.modes {
            column += 2
            column += put(mode.text, style(.warning), at: column, target: mode.target)
        }
        let end = putHint(after: column, isPage: page != nil)
        if let notice = state.notice {
            put(notice, at: column + 2, end: end)
            return
        }
        guard end > column else { return }
        if let page {
            putTitle(page, at: column, end: end)
        } else {
            putFacts(from: column, to: end)
        }
    }

    /// Returns the action for a click on a column of the bar, or nil if a click has no effect.
    func target(at column: Int) -> StatusTarget? {
        parts.last { ($0.column..<$0.column + $0.text.width).contains(column) }?.target
    }

    // MARK: Texts

    private func style(_ tone: Theme.Tone) -> CellStyle { state.theme.style(tone, on: .raised) }

    /// Adds text and returns its width.
    @discardableResult
    private mutating func put(
        _ text: FrameText,
        _ style: CellStyle,
        at column: Int,
        target: StatusTarget? = nil
    ) -> Int {
        parts.append(Part(text: text, column: column, style: style, target: target))
        return text.width
    }

    @discardableResult
    private mutating func put(
        _ text: String,
        _ style: CellStyle,
        at column: Int,
        target: StatusTarget? = nil
    ) -> Int {
        put(state.text(text), style, at: column, target: target)
    }

    // MARK: Messages and pages

    /// The width below which a message takes the entire row.
    private static let narrowScreen = 40

    /// The text of a message, with the symbol of its kind.
    private func text(of notice: Notice) -> FrameText {
        let sign: String =
            switch notice.kind {
            case .note: ""
            case .warning: "! "
            case .failure: state.capabilities.spelling("✗ ", ascii: "x ")
            }
        let arrow = state.capabilities.spelling("→", ascii: "->")
        return state.text(sign + notice.text.replacing("→", with: arrow))
    }

    /// Adds a message between two columns.
    ///
    /// If it is wider, it takes the entire row. If the row is short, the message is split into
    /// pieces that are shown one after another; words are not split.
    private mutating func put(_ notice: Notice, at start: Int, end: Int) {
        let text = text(of: notice)
        let fits = columns >= Self.narrowScreen && text.width <= end - start
        if !fits { parts = [] }
        let column = fits ? start : 1
        let width = fits ? end - start : columns - 2
        let tone: Theme.Tone =
            switch notice.kind {
            case .note: .caption
            case .warning: .warning
            case .failure: .failure
            }
        let pieces = WrappedText.lines(text, width: max(1, width), limit: Notice.mostPieces)
        guard !pieces.isEmpty else { return }
        pieceCount = pieces.count
        put(pieces[min(notice.piece, pieces.count - 1)], style(tone), at: column)
    }

    private mutating func putTitle(_ page: (title: String, note: String), at start: Int, end: Int) {
        let title = state.text(page.title)
        guard start + 2 + title.width <= end else { return }
        let column = start + 2 + put(title, style(.strong), at: start + 2)
        let note = state.text(page.note)
        guard column + 3 + note.width <= end else { return }
        put(note, style(.dim), at: column + 3)
    }

    /// The title of the visible page and a note such as the range of visible rows, or nil if there
    /// is no visible page.
    private var pageTitle: (title: String, note: String)? {
        if case .help(let help)? = state.prompt.overlay {
            let rows = state.helpContent(help).rowsNote(scroll: help.scroll)
            let note = help.filter.isEmpty ? "" : "/\(help.filter)   "
            return ("Help", note + (rows ?? "/ finds a key"))
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

    /// Adds a hint about the key that opens the help or closes a page.
    ///
    /// Returns the column where the space for other text ends.
    private mutating func putHint(after column: Int, isPage: Bool) -> Int {
        let (key, does) = isPage ? ("Esc", "back") : (state.keys.name(of: .toggleHelp), "help")
        let target: StatusTarget = isPage ? .back : .action(.toggleHelp)
        let start = columns - 1 - key.count - 1 - does.count
        guard start >= column + 2 else { return column }
        put(key, style(.accent), at: start, target: target)
        put(does, style(.dim), at: start + key.count + 1, target: target)
        return start - 2
    }

    // MARK: The selected image

    private mutating func putFacts(from start: Int, to end: Int) {
        let facts = facts
        // The badge includes one column of space.
        let badge = facts.badge.width(state: state)
        var start = start
        if badge > 0, end - start > badge + 10 {
            badgeColumn = start + 1
            start += badge
        }
        let hasSlots = columns >= Self.slotScreen
        // In label mode, the names of the labels take precedence over the properties.
        let least =
            state.labeling.isOn
            ? Self.nameGap + 16 : Self.nameGap + max(20, columns / 5) + factsWidth
        let slots = StatusSlots(hasSlots ? facts.slots : [], room: end - start - least)
        let imageEnd = end - slots.width
        let picture = facts.pictureParts
        if !picture.reasons.isEmpty {
            putReasons(picture, from: start, to: imageEnd)
        } else if state.detail != nil || !hasSlots {
            putFlow(picture.facts, from: start, to: imageEnd)
        } else {
            // If the name is short, there is space for facts that are rarely shown.
            let factsStart = imageEnd - factsWidth
            let nameEnd = putName(from: start, to: factsStart)
            let from = max(nameEnd, factsStart - StatusFacts.unusualWidth(of: picture.facts))
            put(picture.facts, from: min(from, factsStart), to: imageEnd)
        }
        var column = imageEnd
        for shown in slots.shown {
            column += StatusSlot.gap
            let slot = shown.slot
            put(shown.form.text, style(slot.tone), at: column, target: slot.target)
            column += shown.form.width
        }
    }

    /// The number of columns reserved for the properties of the selected image.
    ///
    /// For an open image, the properties include the scale and take precedence over the caches.
    private var factsWidth: Int { state.detail != nil ? 40 : columns >= Self.wideScreen ? 25 : 11 }

    /// Adds the name, shortened to fit, and returns the column after the name.
    @discardableResult
    private mutating func putName(from start: Int, to end: Int) -> Int {
        guard let name = facts.name else { return start }
        let room = end - start - Self.nameGap
        guard room >= min(StatusSegments.leastName, state.text(name).width) else { return start }
        let shown = state.caption(name, limit: room)
        let column = start + Self.nameGap
        return column + put(shown, style(.strong), at: column, target: .action(.information))
    }

    /// Adds the reason why the image is missing or damaged, followed by its name and properties.
    private mutating func putReasons(_ picture: StatusFacts.Parts, from start: Int, to end: Int) {
        let column = put(picture.reasons, from: start, to: end)
        let after = putName(from: column, to: end)
        put(picture.facts, from: after, to: end)
    }

    /// Adds the parts that fit, and returns the column after them.
    @discardableResult
    private mutating func put(_ segments: [StatusSegment], from start: Int, to end: Int) -> Int {
        let fitted = StatusSegments(nameWidth: 0, segments: segments)
            .fitted(to: end - start, window: columns)
        return put(fitted.parts, at: start)
    }

    @discardableResult
    private mutating func put(_ fitted: [StatusSegments.Fitted], at start: Int) -> Int {
        fitted.reduce(into: start) { column, part in
            column += part.gap
            column += put(part.text, style(part.tone), at: column, target: part.target)
        }
    }

    /// Adds the name and the parts after it, which share the row.
    private mutating func putFlow(_ segments: [StatusSegment], from start: Int, to end: Int) {
        let name = state.text(facts.name ?? "")
        let fitted = StatusSegments(nameWidth: name.width, segments: segments)
            .fitted(to: end - start, window: columns)
        var column = start
        if fitted.name > 0 {
            putName(from: start, to: start + Self.nameGap + fitted.name)
            column += Self.nameGap + fitted.name
        }
        put(fitted.parts, at: column)
    }
}
