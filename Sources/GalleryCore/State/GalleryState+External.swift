internal import BitCollections
internal import Feeds
internal import ImageLoading
internal import TerminalUI

/// Methods that pass images to other programs, the clipboard and the current folder.
extension GalleryState {
    mutating func openOutside() -> [Effect] {
        guard let item = selectedImage else { return sayThatNothingIsSelected() }
        return [.external(.open(item: item))]
    }

    mutating func save() -> [Effect] {
        let items = chosenItems
        return items.isEmpty ? sayThatNothingIsSelected() : [.external(.save(items: items))]
    }

    /// Prompts for a command to run on the marked images, or on the selected image.
    mutating func askForCommand(asLines: Bool) -> [Effect] {
        guard !chosenItems.isEmpty else { return sayThatNothingIsSelected() }
        prompt.ask(.shell(asLines: asLines))
        return []
    }

    func shellLook(asLines: Bool) -> PromptLook {
        let count = max(1, choices.marks.count)
        let files = count == 1 ? "1 file" : "\(count) files"
        return PromptLook(
            label: asLines ? "|" : "!",
            suggestion: asLines
                ? "a command that reads names from standard input; start with -0 for NUL-terminated names"
                : "a command; {} stands for the files",
            outcome: ("for \(files)", .caption),
            hints: [("Enter", "runs it"), ("Esc", "")]
        )
    }

    mutating func runInShell(_ command: String, asLines: Bool) -> [Effect] {
        var command = command.trimmed
        var names = asLines ? NamePassing.lines : .arguments
        // `-0` has the same meaning as in `xargs -0`.
        if asLines, command == "-0" || command.hasPrefix("-0 ") {
            names = .zeroEnded
            command = String(command.dropFirst(2)).trimmed
        }
        guard !command.isEmpty else { return [] }
        return [.external(.run(command: command, items: chosenItems, names: names))]
    }

    /// The maximum number of bytes to copy to the clipboard.
    ///
    /// Terminals do not accept more at a time, and tmux accepts even less.
    private static let longestCopy = 50_000

    /// Copies the path or the URL of the selected image.
    ///
    /// The URL is copied without user name and password.
    mutating func copyAddress() -> [Effect] {
        guard let item = selectedItem, let feed = currentFeed else {
            return sayThatNothingIsSelected()
        }
        let url = feed[item].url
        let path = PictureAddress.path(ofURL: url).map { String(decoding: $0, as: UTF8.self) }
        let address = path ?? PictureAddress.of(url)
        guard address.utf8.count <= Self.longestCopy else {
            notice = Notice("this URL is too long to copy; save the image with w", .warning)
            return []
        }
        notice = Notice("URL copied")
        return [.external(.copy(address))]
    }

    /// Copies the coordinates of the selected photo, which the information shows.
    mutating func copyPosition() -> [Effect] {
        guard let panel = panels.information else {
            let key = keys.name(of: .information)
            notice = Notice("open the information\(key.isEmpty ? "" : " (\(key))") first")
            return []
        }
        guard let position = panel.found?.position else {
            notice = Notice(
                panel.found == nil ? "still reading the file" : "no position in this file"
            )
            return []
        }
        notice = Notice("position copied")
        return [.external(.copy(position))]
    }
}
