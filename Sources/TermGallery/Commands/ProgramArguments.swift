import ImageLoading
import SystemSupport

/// The arguments of the program.
enum ProgramArguments {
    /// The arguments without the program name.
    ///
    /// File names that are not valid UTF-8 keep their bytes (see `FileText`).
    static var all: [String] { Array(ProcessArguments.all.dropFirst()) }
}

/// A namespace for sanitizing messages from the argument parser, which quote the user's input.
enum MessageText {
    /// Returns a message that is safe to show on a terminal.
    ///
    /// Quoted URLs are redacted, and quoted text can't control the terminal or end a line.
    static func of(_ message: String, quoting arguments: [String]) -> TerminalText {
        let values = arguments.flatMap { [$0] + valueOfOption($0) }
        let quoted = values.sorted { $0.utf8.count > $1.utf8.count }
        var text = Array(message.utf8)
        for value in quoted where value.contains(where: { !$0.isWhitespace }) {
            let shown = shown(value)
            guard shown != value else { continue }
            text.replace(Array(value.utf8), with: Array(shown.utf8))
        }
        return TerminalText(lines: String(decoding: text, as: UTF8.self))
    }

    private static func shown(_ argument: String) -> String {
        EscapedText.of(argument.contains("://") ? URLParts.redacted(argument) : argument)
    }

    /// Returns the value of an argument of the form `--name=value`.
    ///
    /// Returns an empty array for all other arguments.
    private static func valueOfOption(_ argument: String) -> [String] {
        guard argument.hasPrefix("-"), let sign = argument.firstIndex(of: "=") else { return [] }
        return [String(argument[argument.index(after: sign)...])]
    }
}

/// The value of the `--proxy` option.
enum ProxyArgument {
    /// Examples of valid values, for error messages.
    static let example = "http://proxy.example:3128, socks5h://localhost:1080 or proxy.example:3128"

    private static let schemes = ["http", "https", "socks4", "socks4a", "socks5", "socks5h"]

    /// Returns whether the value is empty, a host with a port, or a URL with a supported proxy
    /// scheme.
    ///
    /// A host without a port is rejected because the port would default to 1080, so any mistyped
    /// word would be accepted.
    static func isUsable(_ text: String) -> Bool {
        guard !text.isEmpty else { return true }
        guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return false }
        let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        if parts.count == 1 { return hasPort(parts[0]) }
        guard parts.count == 3, parts[1].isEmpty else { return false }
        let authority = parts[2].prefix { $0 != "/" }
        return schemes.contains { "\($0):" == parts[0].lowercased() }
            && !host(of: authority).isEmpty && (!hasColon(authority) || hasPort(authority))
    }

    /// Returns the host of an authority without the user name, password or port.
    private static func host(of authority: Substring) -> Substring {
        let address = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        guard address.hasPrefix("[") else { return address.prefix { $0 != ":" } }
        return address.contains("]") ? address.prefix { $0 != "]" } : ""
    }

    /// Returns whether a colon follows the host.
    private static func hasColon(_ authority: Substring) -> Bool {
        let address = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let end = address.lastIndex(of: "]") ?? address.startIndex
        return address[end...].contains(":")
    }

    private static func hasPort(_ authority: Substring) -> Bool {
        guard hasColon(authority), !host(of: authority).isEmpty,
            let port = authority.split(separator: ":").last.flatMap({ UInt16($0) })
        else { return false }
        return port > 0
    }
}
