/// The name of one version of a resource (RFC 9110, 8.8.3).
struct EntityTag: Hashable, Sendable {
    /// The longest opaque part that is kept; a longer one is of no use to us.
    static let byteLimit = 1024

    /// What stands between the quotes.
    let opaque: String
    /// Whether two versions that only mean the same may share the tag.
    let isWeak: Bool

    /// Reads a field's value; nil for what is no tag, and for one that is too long to keep.
    ///
    /// Bytes outside of ASCII are refused: a header's text has lost them if they are not UTF-8,
    /// and two tags could look equal.
    init?(_ fieldValue: String) {
        let isWeak = fieldValue.hasPrefix("W/")
        let quoted = fieldValue.utf8.dropFirst(isWeak ? 2 : 0)
        let quote = UInt8(ascii: "\"")
        guard quoted.count >= 2, quoted.first == quote, quoted.last == quote else { return nil }
        let opaque = quoted.dropFirst().dropLast()
        guard opaque.count <= Self.byteLimit,
            opaque.allSatisfy({ (0x21...0x7E).contains($0) && $0 != quote })
        else { return nil }
        self.opaque = String(decoding: opaque, as: UTF8.self)
        self.isWeak = isWeak
    }

    /// As it stands in a field.
    var fieldValue: String { isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"" }

    /// Whether both stand for the same bytes (8.8.3.2): what a range needs.
    func stronglyMatches(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Whether both stand for the same content: what a 304 needs.
    func weaklyMatches(_ other: EntityTag) -> Bool {
        opaque == other.opaque
    }
}
