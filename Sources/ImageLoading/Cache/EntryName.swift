/// The name of what is kept for a URL: its body, or the beginning of one.
///
///     c7529f60e5cf8d1f19442a9a57f22e5a.jpg            a body
///     part-c7529f60e5cf8d1f19442a9a57f22e5a.jpg       the beginning of one
struct EntryName: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case body
        /// Never an answer to a look-up: a picture cut off looks almost like a whole one.
        case partial
    }

    private static let partialPrefix = "part-"

    let file: CacheFileName
    let kind: Kind

    init(_ file: CacheFileName, _ kind: Kind) {
        self.file = file
        self.kind = kind
    }

    init?(parsing name: String) {
        let isPartial = name.hasPrefix(Self.partialPrefix)
        let rest = isPartial ? name.dropFirst(Self.partialPrefix.count) : name[...]
        guard let file = CacheFileName(parsing: String(rest)) else { return nil }
        self.init(file, isPartial ? .partial : .body)
    }
}

extension EntryName: CustomStringConvertible {
    var description: String {
        kind == .partial ? Self.partialPrefix + file.description : file.description
    }
}
