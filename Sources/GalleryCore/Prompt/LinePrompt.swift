import TerminalUI

/// A line of text that the user types in the status bar, split at the cursor.
///
/// The line may contain any characters, because `FrameText` makes them safe to draw.
struct LinePrompt: Equatable, Sendable {
    /// The result of handling a key.
    enum Outcome: Equatable {
        /// The text changed.
        case edited
        /// The text is unchanged, but the cursor may have moved.
        case moved
        /// The line is complete.
        case submitted
        /// The user cancelled the prompt.
        case left
        /// The user requested a completion.
        case wantsCompletion
    }

    let kind: PromptKind
    /// The text before the cursor.
    private(set) var before: String
    /// The text after the cursor.
    private(set) var after = ""
    /// The possible completions, shown after Tab is pressed.
    var candidates: [String] = []
    /// The position of the recalled line, counted from the end of the history.
    ///
    /// The value is 0 if no earlier line is recalled.
    private var linesBack = 0
    /// The text that the user had typed before recalling an earlier line.
    private var draft = ""

    /// The maximum length of the text in Unicode scalars.
    ///
    /// A longer paste is truncated.
    private static let longest = 1_000

    /// Creates a prompt with an initial text.
    init(_ kind: PromptKind, text: String = "") {
        self.kind = kind
        before = text
    }

    var text: String { before + after }

    /// Handles a key.
    ///
    /// `history` contains the earlier lines of the same kind, oldest first.
    mutating func take(_ key: Key, history: [String]) -> Outcome {
        let old = text
        if key != .control("i") { candidates = [] }
        switch key {
        case .character(let character): insert(String(character))
        case .backspace, .control("h"):
            guard !text.isEmpty else { return .left }
            before = String(before.dropLast())
        case .delete, .control("d"): after = String(after.dropFirst())
        case .left, .control("b"): move(by: -1)
        case .right, .control("f"): move(by: 1)
        case .home, .control("a"): (before, after) = ("", text)
        case .end, .control("e"): (before, after) = (text, "")
        case .control("w"): before = Self.withoutLastWord(before)
        case .control("u"): before = ""
        case .control("k"): after = ""
        case .up, .control("p"): recall(linesBack + 1, from: history)
        case .down, .control("n"): recall(linesBack - 1, from: history)
        case .control("i"): return .wantsCompletion
        case .enter: return .submitted
        case .escape: return .left
        default: return .moved
        }
        return text == old ? .moved : .edited
    }

    /// Inserts the first non-empty line of pasted text.
    ///
    /// A tab becomes a space.
    mutating func paste(_ pasted: String) {
        candidates = []
        let line = pasted.drop(while: \.isNewline).prefix { !$0.isNewline }
        insert(String(line.map { $0 == "\t" ? " " : $0 }))
    }

    /// Replaces the text before the cursor with a completion.
    mutating func replaceBefore(with text: String) {
        before = text
    }

    /// Inserts text before the cursor, up to the maximum length.
    ///
    /// The limit counts Unicode scalars, because a character may consist of any number of them.
    private mutating func insert(_ inserted: String) {
        linesBack = 0
        let room = Self.longest - text.unicodeScalars.count
        guard room > 0 else { return }
        before.unicodeScalars.append(contentsOf: inserted.unicodeScalars.prefix(room))
    }

    private mutating func move(by distance: Int) {
        if distance < 0, let last = before.popLast() {
            after = String(last) + after
        } else if distance > 0, !after.isEmpty {
            before.append(after.removeFirst())
        }
    }

    private mutating func recall(_ linesBack: Int, from history: [String]) {
        guard (0...history.count).contains(linesBack), linesBack != self.linesBack else { return }
        if self.linesBack == 0 { draft = text }
        self.linesBack = linesBack
        before = linesBack == 0 ? draft : history[history.count - linesBack]
        after = ""
    }

    /// Returns the text without its last word.
    ///
    /// As in a shell, words are separated by white space.
    private static func withoutLastWord(_ text: String) -> String {
        var rest = text[...]
        while rest.last?.isWhitespace == true { rest.removeLast() }
        while rest.last?.isWhitespace == false { rest.removeLast() }
        return String(rest)
    }
}
