internal import ImageLoading

/// What a line is asked for.
///
/// Adding a kind means a case here, and whatever the compiler then asks for.
enum PromptKind: Hashable, Sendable {
    /// A command after a colon.
    case command
    /// A text to go to.
    case search
    /// What an item has to be to be shown.
    case filter
    /// Whether the disk cache is to be emptied.
    case clearDisk
    /// Whether files are to go to the trash.
    case trash
    /// A command of the shell for the marked pictures, as its arguments or as lines.
    case shell(asLines: Bool)

    /// Whether lines are kept, to be brought back with the arrow keys.
    var keepsHistory: Bool {
        switch self {
        case .command, .search, .filter, .shell: true
        case .clearDisk, .trash: false
        }
    }

    /// Whether pasted text goes in; the answer to a question has to be typed.
    var takesPaste: Bool {
        switch self {
        case .command, .search, .filter, .shell: true
        case .clearDisk, .trash: false
        }
    }
}

/// What the prompts do.
extension GalleryState {
    /// Opens a prompt.
    mutating func ask(_ kind: PromptKind, text: String = "") {
        overlay = .prompt(LinePrompt(kind, text: text))
    }

    mutating func press(_ key: Key, in prompt: LinePrompt) -> [Effect] {
        var prompt = prompt
        let outcome = prompt.take(key, history: promptHistory[prompt.kind])
        overlay = .prompt(prompt)
        switch outcome {
        case .moved: return []
        case .edited: return follow(prompt)
        case .wantsCompletion: return complete(prompt)
        case .submitted:
            overlay = nil
            promptHistory.keep(prompt.text, of: prompt.kind)
            return submit(prompt)
        case .left:
            overlay = nil
            return leave(prompt)
        }
    }

    mutating func paste(_ text: String, into prompt: LinePrompt) -> [Effect] {
        guard prompt.kind.takesPaste else { return [] }
        var prompt = prompt
        prompt.paste(text)
        overlay = .prompt(prompt)
        return follow(prompt)
    }

    /// The text has changed.
    private mutating func follow(_ prompt: LinePrompt) -> [Effect] {
        switch prompt.kind {
        case .command, .clearDisk, .shell, .trash: []
        case .search: followSearch(prompt.text)
        case .filter: filter(by: prompt.text)
        }
    }

    /// Enter was pressed; the prompt is closed.
    private mutating func submit(_ prompt: LinePrompt) -> [Effect] {
        switch prompt.kind {
        case .command: return run(command: prompt.text)
        case .trash: return answerTrash(prompt.text)
        case .shell(let asLines): return runInShell(prompt.text, asLines: asLines)
        case .search: return keepSearch(prompt.text)
        case .filter: return keepFilter(prompt)
        case .clearDisk:
            guard prompt.text.lowercased() == "yes" else { return leave(prompt) }
            return [.clearDiskCache]
        }
    }

    /// Escape was pressed; the prompt is closed.
    private mutating func leave(_ prompt: LinePrompt) -> [Effect] {
        switch prompt.kind {
        case .command, .shell: break
        case .trash: return answerTrash("")
        case .search: return giveUpSearch()
        case .filter: return clearFilter()
        case .clearDisk: notice = Notice("the disk cache was not cleared")
        }
        return []
    }

    /// Tab was pressed.
    private mutating func complete(_ prompt: LinePrompt) -> [Effect] {
        switch prompt.kind {
        case .command:
            if let path = CommandTable.path(in: prompt.before) { return [.completePath(path)] }
            overlay = .prompt(completed(prompt))
        case .search, .filter, .clearDisk, .shell, .trash: break
        }
        return []
    }

    /// How a prompt looks.
    func look(of prompt: LinePrompt) -> PromptLook {
        switch prompt.kind {
        case .command:
            PromptLook(
                label: ":",
                suggestion: prompt.text.isEmpty && prompt.candidates.isEmpty
                    ? "N  N%  \(CommandTable.entries.map(\.names[0]).joined(separator: " "))"
                    : prompt.candidates.joined(separator: "  "),
                hints: [("Tab", "completes"), ("Enter", ""), ("Esc", "")]
            )
        case .shell(let asLines): shellLook(asLines: asLines)
        case .search:
            PromptLook(
                label: "/",
                outcome: prompt.text.isEmpty ? ("", .dim) : searchOutcome,
                hints: [("Enter", "stays"), ("Esc", "goes back")]
            )
        case .filter: filterLook(of: prompt)
        case .clearDisk:
            question(clearDiskQuestions, typed: prompt.text)
        case .trash: question(trashQuestions, typed: prompt.text)
        }
    }

    /// From long to short.
    private var clearDiskQuestions: [String] {
        let disk = statistics.diskCache
        let bytes = CountText.bytes(disk.byteCount)
        return [
            "Clear the disk cache: \(disk.pictureCount) images, \(bytes)?  Type yes, then Enter: ",
            "Clear the disk cache (\(bytes))?  Type yes, Enter: ", "Clear the disk?  yes, Enter: ",
            "type yes: ",
        ]
    }

    /// The longest form that leaves room for the answer.
    private func question(_ forms: [String], typed: String) -> PromptLook {
        let room = screen.columns - 2 - max(4, typed.count + 1)
        let form = forms.first { $0.count <= room } ?? forms[forms.count - 1]
        return PromptLook(label: form, hints: [("Esc", "keeps it")])
    }
}
