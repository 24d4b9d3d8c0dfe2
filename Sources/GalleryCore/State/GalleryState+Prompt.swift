internal import Feeds
internal import ImageLoading
import TerminalUI

/// Methods that implement the kinds of prompts.
///
/// They react to typing, handle the submitted line, and define the appearance.
extension GalleryState {
    mutating func press(_ key: Key, in line: LinePrompt) -> [Effect] {
        let (outcome, line) = prompt.press(key, in: line)
        switch outcome {
        case .moved: return []
        case .edited: return follow(line)
        case .wantsCompletion:
            let effects = prompt.complete(line, filterFields)
            guard line.kind == .filter, case .prompt(let completed)? = prompt.overlay else {
                return effects
            }
            return effects + follow(completed)
        case .submitted: return submit(line)
        case .left: return leave(line)
        }
    }

    /// Inserts pasted text into the open prompt.
    ///
    /// The user must still confirm the text with Enter. If no prompt is open and the text is a path
    /// or URL, the gallery offers to open it. Any other text is ignored.
    mutating func paste(_ text: String) -> [Effect] {
        guard prompt.overlay == nil else { return prompt.paste(text).map { follow($0) } ?? [] }
        guard let path = PastedPath(text)?.path else {
            notice = Notice("pasted text is no command; a path or a URL can be opened")
            return []
        }
        return ask(.command, text: "open \(path)")
    }

    /// Updates a search or a filter after the text of its prompt has changed.
    private mutating func follow(_ line: LinePrompt) -> [Effect] {
        switch line.kind {
        case .command, .clearDisk, .shell, .trash: []
        case .search: followSearch(line.text)
        case .filter: filter(by: line.text)
        }
    }

    /// Handles Enter in a prompt.
    ///
    /// The prompt has already been closed, but may be reopened.
    private mutating func submit(_ line: LinePrompt) -> [Effect] {
        switch line.kind {
        case .command: return run(command: line.text)
        case .trash: return answerTrash(line.text)
        case .shell(let asLines): return runInShell(line.text, asLines: asLines)
        case .search: return keepSearch(line.text)
        case .filter: return keepFilter(line)
        case .clearDisk:
            guard line.text.lowercased() == "yes" else { return leave(line) }
            return [.cache(.clearDisk)]
        }
    }

    /// Handles the cancellation of a prompt, which has already been closed.
    private mutating func leave(_ line: LinePrompt) -> [Effect] {
        switch line.kind {
        case .command, .shell: break
        case .trash: return answerTrash("")
        case .search: return giveUpSearch()
        case .filter: return clearFilter()
        case .clearDisk: notice = Notice("the disk cache was not cleared")
        }
        return []
    }

    func look(of line: LinePrompt) -> PromptLook {
        switch line.kind {
        case .command:
            PromptLook(
                label: ":",
                suggestion: line.text.isEmpty
                    ? "N N% \(CommandTable.entries.map(\.names[0]).joined(separator: " "))"
                    : line.candidates.joined(separator: "  "),
                hints: [("Tab", "completes"), ("Enter", ""), ("Esc", "")]
            )
        case .shell(let asLines): shellLook(asLines: asLines)
        case .search:
            PromptLook(
                label: "/",
                outcome: line.text.isEmpty ? ("", .dim) : finding.outcome(at: grid.selection),
                hints: [("Enter", "stays"), ("Esc", "goes back")]
            )
        case .filter: filterLook(of: line)
        case .clearDisk:
            question(clearDiskQuestions, typed: line.text)
        case .trash: question(trashQuestions, typed: line.text)
        }
    }

    /// The versions of the question to confirm before clearing the disk cache, longest first.
    private var clearDiskQuestions: [String] {
        let disk = statistics.loading.diskCache
        let bytes = CountText.bytes(disk.byteCount)
        return [
            "Clear the disk cache: \(disk.pictureCount) images, \(bytes)?  Type yes, then Enter: ",
            "Clear the disk cache (\(bytes))?  Type yes, Enter: ", "Clear the disk?  yes, Enter: ",
            "Clear disk? yes: ", "Clear? yes: ",
        ]
    }

    /// Returns a prompt with the longest version of a question that leaves space for the answer.
    private func question(_ forms: [String], typed: String) -> PromptLook {
        let room = screen.columns - 2 - max(4, typed.count + 1)
        let form = forms.first { $0.count <= room } ?? forms[forms.count - 1]
        return PromptLook(label: form, hints: [("Esc", "keeps it")])
    }
}
