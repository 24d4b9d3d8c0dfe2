/// The part of a body that a 206 holds, or that a 416 names (RFC 9110, 14.4).
///
///     Content-Range: bytes 200-999/1000    a part
///     Content-Range: bytes 200-999/*       a part of a body of unknown length
///     Content-Range: bytes */1000          none, of a 416
struct ContentRange: Hashable, Sendable {
    /// The first and the last byte; nil for `*`.
    let bytes: ClosedRange<Int>?
    /// The length of the whole body; nil for `*`.
    let total: Int?

    /// Nil for other units, for a range that runs backwards or leads past the total, and garbage.
    init?(_ fieldValue: String) {
        let words = fieldValue.split { $0 == " " || $0 == "\t" }
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let total = Self.number(parts[1])
        guard total != nil || parts[1] == "*" else { return nil }
        self.total = total
        guard parts[0] != "*" else {
            bytes = nil
            return
        }
        guard let bytes = Self.range(parts[0]), bytes.upperBound < total ?? Int.max else {
            return nil
        }
        self.bytes = bytes
    }

    private static func range(_ text: Substring) -> ClosedRange<Int>? {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = number(ends[0]), let last = number(ends[1]),
            first <= last
        else { return nil }
        return first...last
    }

    private static func number(_ text: Substring) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text)
    }
}
