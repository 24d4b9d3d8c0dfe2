import ArgumentParser
import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport

/// Checks for FEED arguments that are neither files nor URLs but probably mistakes.
enum FeedNameCheck {
    /// The maximum number of arguments to check.
    ///
    /// A longer list probably comes from another program, which doesn't misspell commands.
    private static let mostNames = 8

    /// Throws an error with advice for the first argument that is not a feed.
    ///
    /// Such an argument may be a command that follows an option, a misspelled command, or a URL
    /// with an unsupported scheme.
    static func check(_ names: [String]) throws {
        guard names.count <= mostNames else { return }
        let commands = TermGalleryCommand.configuration.subcommands
            .compactMap { $0.configuration.commandName }
        for name in names where !exists(name) {
            guard let advice = advice(on: name, commands: commands) else { continue }
            throw ProgramFailure(.feedUnreadable, advice)
        }
    }

    private static func exists(_ name: String) -> Bool {
        name == "-" || access(FileText.path(name), F_OK) == 0
    }

    /// Returns advice about an argument that doesn't name a file.
    ///
    /// Returns nil if the only advice is that the file doesn't exist.
    static func advice(on name: String, commands: [String]) -> String? {
        if let end = name.firstRange(of: "://") {
            let scheme = name[..<end.lowerBound].lowercased()
            let isKnown = ["http", "https", "file"].contains(scheme)
            guard !isKnown, !scheme.isEmpty, scheme.allSatisfy({ $0.isASCII && $0.isLetter }) else {
                return nil
            }
            return "\(URLParts.redacted(name)): \(scheme) is not supported; "
                + "use an http or https URL, or the path of a file"
        }
        if commands.contains(name) {
            return "\(name): no such file; a command is the first argument: "
                + "termgallery \(name) [options]"
        }
        guard name.count >= 4, name.allSatisfy({ $0.isASCII && $0.isLetter }) else { return nil }
        let hint = Spelling.hint(for: name, among: commands)
        return hint.isEmpty ? nil : "\(name): no such file or command\(hint)"
    }
}
