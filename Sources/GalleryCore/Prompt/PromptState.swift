import TerminalUI

/// A prompt or the help, which receives key presses before the gallery does.
enum Overlay: Equatable, Sendable {
    /// The help, which lists the keys.
    case help(HelpState)
    /// A number that the user is typing: an item number, a percentage or a repeat count.
    case count(String)
    /// A line of text that the user is typing.
    case prompt(LinePrompt)
    /// The prompt for a sort order, which the user answers with a single key.
    case sort
}

/// The open help: its scroll position and its filter.
struct HelpState: Equatable, Sendable {
    /// The index of the first visible line.
    var scroll = 0
    /// The text that all visible lines contain.
    var filter = ""
    /// Whether the user is typing the filter.
    var isTyping = false
    /// The maximum length of the filter in characters.
    static let longestFilter = 40
}

/// The open prompt or help, and the lines that were typed earlier.
struct PromptState: Equatable, Sendable {
    private(set) var overlay: Overlay?
    private(set) var history = PromptHistory()

    mutating func ask(_ kind: PromptKind, text: String = "") {
        overlay = .prompt(LinePrompt(kind, text: text))
    }

    /// Reopens a prompt that the user submitted with invalid text.
    mutating func reopen(_ line: LinePrompt) { overlay = .prompt(line) }

    mutating func askForOrder() { overlay = .sort }

    /// Shows the help.
    ///
    /// `last` is the largest scroll position.
    mutating func showHelp(_ help: HelpState = HelpState(), last: Int = 0) {
        var help = help
        help.scroll = max(0, min(help.scroll, last))
        overlay = .help(help)
    }

    mutating func close() { overlay = nil }

    // MARK: Lines

    /// Handles a key in a prompt, and returns the outcome and the changed line.
    ///
    /// If the line was submitted or cancelled, the prompt is closed. A submitted line is added to
    /// the history.
    mutating func press(_ key: Key, in line: LinePrompt) -> (LinePrompt.Outcome, LinePrompt) {
        var line = line
        let outcome = line.take(key, history: history[line.kind])
        switch outcome {
        case .moved, .edited, .wantsCompletion: overlay = .prompt(line)
        case .submitted:
            overlay = nil
            history.keep(line.text, of: line.kind)
        case .left: overlay = nil
        }
        return (outcome, line)
    }

    /// Inserts pasted text into an open prompt.
    ///
    /// Returns the changed line, or nil if no line was changed.
    mutating func paste(_ text: String) -> LinePrompt? {
        switch overlay {
        case .count(let typed):
            let digits = text.filter { $0.isASCII && $0.isNumber }
            overlay = .count(String((typed + digits).prefix(Self.longestCount)))
        case .prompt(var line) where line.kind.takesPaste:
            line.paste(text)
            overlay = .prompt(line)
            return line
        case .help(var help) where help.isTyping:
            help.filter = String((help.filter + text).prefix(HelpState.longestFilter))
            showHelp(help)
        case .prompt, .help, .sort, nil: break
        }
        return nil
    }

    // MARK: Counts

    private static let longestCount = 9

    mutating func beginCount(with digit: Character) { overlay = .count(String(digit)) }

    /// Handles a key while the user types a number.
    ///
    /// Returns false for a key that ends the number.
    mutating func edit(count text: String, with key: Key) -> Bool {
        switch key {
        case .character(let digit) where digit.isASCII && digit.isNumber:
            overlay = .count(String((text + [digit]).prefix(Self.longestCount)))
        case .backspace: overlay = text.count > 1 ? .count(String(text.dropLast())) : nil
        default: return false
        }
        return true
    }

    // MARK: Completion

    /// Handles Tab: completes the text before the cursor.
    ///
    /// If the text ends with a path, the returned effect requests the possible completions of the
    /// path.
    mutating func complete(_ line: LinePrompt, _ fields: FilterFields) -> [Effect] {
        switch line.kind {
        case .command:
            if let path = CommandTable.path(in: line.before) { return [.completePath(path)] }
            overlay = .prompt(completed(line, CommandTable.completions(of: line.before)))
        case .filter:
            overlay = .prompt(completed(line, FilterQuery.completions(of: line.before, fields)))
        case .search, .clearDisk, .shell, .trash: break
        }
        return []
    }

    /// Completes the path before the cursor with the completions that were requested for `path`.
    ///
    /// If the user has changed the text since then, the completions are ignored.
    mutating func take(completions: [String], ofPath path: String) {
        guard case .prompt(var prompt)? = overlay, prompt.kind == .command,
            CommandTable.path(in: prompt.before) == path, !completions.isEmpty
        else { return }
        let common = completions.commonPrefix
        if common.count > path.count || completions.count == 1 {
            prompt.replaceBefore(with: String(prompt.before.dropLast(path.count)) + common)
        }
        let names = completions.map { name in
            let parts = name.split(separator: "/", omittingEmptySubsequences: false)
            let isFolder = parts.last?.isEmpty == true
            return parts.dropLast(isFolder ? 1 : 0).last.map { isFolder ? "\($0)/" : "\($0)" } ?? ""
        }
        prompt.candidates = completions.count == 1 ? [] : names
        overlay = .prompt(prompt)
    }

    /// Returns a copy of the prompt with the text before the cursor completed.
    ///
    /// If there are several completions, the text is extended to their longest common prefix.
    private func completed(_ prompt: LinePrompt, _ completions: [String]) -> LinePrompt {
        var prompt = prompt
        guard !completions.isEmpty else { return prompt }
        let common = completions.commonPrefix
        if completions.count == 1 {
            // The value of a field follows the colon.
            prompt.replaceBefore(with: common.hasSuffix(":") ? common : common + " ")
        } else if common.count > prompt.before.count {
            prompt.replaceBefore(with: common)
        }
        let shown = completions.count == 1 ? [] : completions
        prompt.candidates = shown.map { line in
            guard prompt.kind == .command else {
                return line.split(separator: " ").last.map(String.init) ?? line
            }
            return line.split(separator: " ").dropFirst().isEmpty ? line : line.withoutFirstWord
        }
        return prompt
    }
}

extension [String] {
    /// The longest common prefix of the strings, or an empty string if there are no strings.
    fileprivate var commonPrefix: String {
        dropFirst().reduce(first ?? "") { common, other in
            String(zip(common, other).prefix { $0 == $1 }.map(\.0))
        }
    }
}

extension String {
    fileprivate var withoutFirstWord: String {
        String(drop { $0 != " " }.drop { $0 == " " })
    }
}
