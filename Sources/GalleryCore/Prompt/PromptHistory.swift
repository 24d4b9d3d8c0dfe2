/// The earlier lines of each kind of prompt.
struct PromptHistory: Equatable, Sendable {
    private var lines: [PromptKind: [String]] = [:]
    private static let mostLines = 100

    /// Returns the earlier lines of this kind of prompt, oldest first.
    subscript(kind: PromptKind) -> [String] { lines[kind] ?? [] }

    /// Adds a line as the newest line of its kind.
    ///
    /// Removes any older occurrence of the same line from the history.
    mutating func keep(_ line: String, of kind: PromptKind) {
        guard !line.isEmpty, kind.keepsHistory else { return }
        var kept = self[kind].filter { $0 != line }
        kept.append(line)
        lines[kind] = kept.suffix(Self.mostLines)
    }
}
