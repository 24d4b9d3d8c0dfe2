internal import Feeds
internal import ImageLoading
import TerminalUI

/// The purpose of a prompt.
///
/// Switches over this type have no default, so the compiler reports every place that must handle a
/// new case.
enum PromptKind: Hashable, Sendable {
    /// A command after a colon.
    case command
    /// A text to search for.
    case search
    /// A filter.
    case filter
    /// A confirmation before clearing the disk cache.
    case clearDisk
    /// A confirmation before moving files to the trash.
    case trash
    /// A shell command for the marked images, which are passed as arguments or as lines of input.
    case shell(asLines: Bool)

    /// Whether earlier lines can be recalled with the arrow keys.
    var keepsHistory: Bool {
        switch self {
        case .command, .search, .filter, .shell: true
        case .clearDisk, .trash: false
        }
    }

    /// Whether text can be pasted; a confirmation must be typed by hand.
    var takesPaste: Bool {
        switch self {
        case .command, .search, .filter, .shell: true
        case .clearDisk, .trash: false
        }
    }
}

/// Handling of keys in prompts, and the appearance of prompts.
extension GalleryState {
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

    /// Updates a search or a filter after the text of its prompt has changed.
    private mutating func follow(_ prompt: LinePrompt) -> [Effect] {
        switch prompt.kind {
        case .command, .clearDisk, .shell, .trash: []
        case .search: followSearch(prompt.text)
        case .filter: filter(by: prompt.text)
        }
    }

    /// Handles Enter; the prompt is already closed, but may be reopened.
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

    /// Handles the cancellation of a prompt, which is already closed.
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

    /// Handles Tab.
    private mutating func complete(_ prompt: LinePrompt) -> [Effect] {
        switch prompt.kind {
        case .command:
            if let path = CommandTable.path(in: prompt.before) { return [.completePath(path)] }
            overlay = .prompt(completed(prompt))
        case .search, .filter, .clearDisk, .shell, .trash: break
        }
        return []
    }

    /// Returns the appearance of a prompt.
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

    /// The question in several lengths, longest first.
    private var clearDiskQuestions: [String] {
        let disk = statistics.loading.diskCache
        let bytes = CountText.bytes(disk.byteCount)
        return [
            "Clear the disk cache: \(disk.pictureCount) images, \(bytes)?  Type yes, then Enter: ",
            "Clear the disk cache (\(bytes))?  Type yes, Enter: ", "Clear the disk?  yes, Enter: ",
            "type yes: ",
        ]
    }

    /// Returns the prompt with the longest question that leaves space for the answer.
    private func question(_ forms: [String], typed: String) -> PromptLook {
        let room = screen.columns - 2 - max(4, typed.count + 1)
        let form = forms.first { $0.count <= room } ?? forms[forms.count - 1]
        return PromptLook(label: form, hints: [("Esc", "keeps it")])
    }
}
