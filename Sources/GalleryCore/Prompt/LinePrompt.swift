/// A line that a person types into the status row: the text on both sides of the cursor.
///
/// Anything may be typed or pasted into it; what reaches the screen goes through `FrameText`.
struct LinePrompt: Equatable, Sendable {
    /// What became of a key.
    enum Outcome: Equatable {
        /// The text is another one.
        case edited
        /// The cursor may have moved; the text is the same.
        case moved
        /// The line is complete.
        case submitted
        /// The prompt is given up.
        case left
        /// The rest of a word is asked for.
        case wantsCompletion
    }

    let kind: PromptKind
    /// What stands before the cursor.
    private(set) var before: String
    /// What stands behind the cursor.
    private(set) var after = ""
    /// What the word before the cursor can become, as far as Tab has said.
    var candidates: [String] = []
    /// How many lines back in the history the text was taken from; 0 for what is being typed.
    private var linesBack = 0
    /// What was being typed before an older line was taken.
    private var draft = ""

    /// No command is longer, and no title; a longer paste loses its end.
    private static let longest = 1_000

    /// Makes a prompt, of a text that can be changed.
    init(_ kind: PromptKind, text: String = "") {
        self.kind = kind
        before = text
    }

    var text: String { before + after }

    /// Takes a key; `history` has the lines of this kind typed before, the oldest first.
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

    /// Takes pasted text up to the end of its first line that isn't empty; a tab becomes a space.
    mutating func paste(_ pasted: String) {
        candidates = []
        let line = pasted.drop(while: \.isNewline).prefix { !$0.isNewline }
        insert(String(line.map { $0 == "\t" ? " " : $0 }))
    }

    /// Puts other text before the cursor, as a completion does.
    mutating func replaceBefore(with text: String) {
        before = text
    }

    /// Counts scalars, since a character may consist of any number of them.
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

    /// Words end at white space, as in a shell.
    private static func withoutLastWord(_ text: String) -> String {
        var rest = text[...]
        while rest.last?.isWhitespace == true { rest.removeLast() }
        while rest.last?.isWhitespace == false { rest.removeLast() }
        return String(rest)
    }
}

/// The lines typed into each kind of prompt, for the keys that bring them back.
struct PromptHistory: Equatable, Sendable {
    private var lines: [PromptKind: [String]] = [:]
    private static let mostLines = 100

    /// The lines of a kind, the oldest first.
    subscript(kind: PromptKind) -> [String] { lines[kind] ?? [] }

    /// Keeps a line as the newest, once.
    mutating func keep(_ line: String, of kind: PromptKind) {
        guard !line.isEmpty, kind.keepsHistory else { return }
        var kept = self[kind].filter { $0 != line }
        kept.append(line)
        lines[kind] = kept.suffix(Self.mostLines)
    }
}
