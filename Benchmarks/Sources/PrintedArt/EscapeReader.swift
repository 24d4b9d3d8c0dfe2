/// Splits the input of a terminal into characters and control sequences, such as "ESC [ 1;2 m".
struct EscapeReader {
    enum Element {
        case character(Unicode.Scalar)
        /// The last character of the sequence and its numbers.
        case control(Character, [Int])
    }

    private var rest: Substring.UnicodeScalarView

    init(_ text: String) {
        rest = text[...].unicodeScalars
    }

    mutating func next() -> Element? {
        guard let scalar = rest.popFirst() else { return nil }
        guard scalar == "\u{1B}", rest.first == "[" else { return .character(scalar) }
        rest.removeFirst()
        let body = rest.prefix { !("@"..."~").contains($0) }
        rest = rest.dropFirst(body.count)
        guard let final = rest.popFirst() else { return nil }
        let numbers = String(body.drop { $0 == "?" })
            .split(separator: ";", omittingEmptySubsequences: false)
            .map { Int($0) ?? 0 }
        return .control(Character(final), body.isEmpty ? [] : numbers)
    }
}
