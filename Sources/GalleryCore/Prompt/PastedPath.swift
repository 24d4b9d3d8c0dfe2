internal import Feeds

/// A path or a URL in pasted text, such as the name of a file that was dropped onto the terminal.
struct PastedPath: Equatable, Sendable {
    /// The path without quotation marks and escapes.
    let path: String

    /// The maximum length of a path or URL in bytes.
    private static let longest = 1_000
    private static let starts = ["/", "~/", "./", "../", "file://", "http://", "https://"]

    /// Creates a path from pasted text, or returns nil if the text is not a single line that starts
    /// like a path or URL.
    init?(_ text: String) {
        let line = text.trimmed
        guard !line.isEmpty, line.utf8.count <= Self.longest, !line.contains(where: \.isNewline)
        else { return nil }
        let path = Self.unquoted(line)
        guard Self.starts.contains(where: path.hasPrefix),
            path.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
        else { return nil }
        self.path = path
    }

    /// Removes the quotation marks or the backslashes that terminals add to dropped file names.
    private static func unquoted(_ text: String) -> String {
        for mark in ["'", "\""] where text.count > 2 && text.hasPrefix(mark) && text.hasSuffix(mark)
        {
            return String(text.dropFirst().dropLast()).replacing("'\\''", with: "'")
        }
        guard !text.contains("://") else { return text }
        var path = ""
        var isEscaped = false
        for character in text {
            if character == "\\", !isEscaped {
                isEscaped = true
            } else {
                path.append(character)
                isEscaped = false
            }
        }
        return path
    }
}
