import ImageLoading

/// What the program was called with.
enum ProgramArguments {
    /// Without the program's name; names of files that are not UTF-8 keep their bytes (`FileText`),
    /// which `CommandLine.arguments` replaces.
    static var all: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { index in
            CommandLine.unsafeArgv[index].map { FileText.text(cString: $0) }
        }
    }
}

/// The parser's messages, which quote what was typed.
enum MessageText {
    /// Lines for a terminal: what is quoted is redacted if it is a URL, and can't control the
    /// terminal or end a line.
    static func of(_ message: String, quoting arguments: [String]) -> String {
        let values = arguments.flatMap { [$0] + valueOfOption($0) }
        let quoted = values.sorted { $0.utf8.count > $1.utf8.count }
        var text = Array(message.utf8)
        for value in quoted where value.contains(where: { !$0.isWhitespace }) {
            let shown = shown(value)
            guard shown != value else { continue }
            text.replace(Array(value.utf8), with: Array(shown.utf8))
        }
        let lines = FileText.shown(String(decoding: text, as: UTF8.self))
        return EscapedText.of(lines, keepingLineFeeds: true)
    }

    private static func shown(_ argument: String) -> String {
        EscapedText.of(argument.contains("://") ? URLParts.redacted(argument) : argument)
    }

    /// Of `--name=value`.
    private static func valueOfOption(_ argument: String) -> [String] {
        guard argument.hasPrefix("-"), let sign = argument.firstIndex(of: "=") else { return [] }
        return [String(argument[argument.index(after: sign)...])]
    }
}
