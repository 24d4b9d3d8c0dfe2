/// What the disk cache keeps for a URL: bytes, and what must be known to use them again.
struct DiskEntry: Hashable, Sendable {
    /// The most bytes of metadata that are stored.
    static let maximumMetadataByteCount = 4 << 10

    /// The body as the server sent it, or its beginning; never empty.
    var bytes: [UInt8]
    /// Whatever the one who stored the bytes noted about them, at most `maximumMetadataByteCount`
    /// bytes; empty if nothing was noted.
    var metadata: [UInt8]

    /// Makes an entry.
    init(bytes: [UInt8], metadata: [UInt8] = []) {
        self.bytes = bytes
        self.metadata = metadata
    }
}

/// A URL as the disk cache sees it: the name of its files, and what tells it from another URL
/// whose files have the same name.
struct DiskKey: Sendable {
    let url: ImageURL
    let file: CacheFileName
    let owner: MessageDigest

    init(_ url: ImageURL, naming: CacheFileNaming) {
        self.url = url
        file = CacheFileName(url, naming: naming)
        owner = MessageDigest.sha256(url.fileKey)
    }

    func name(_ kind: EntryName.Kind) -> EntryName { EntryName(file, kind) }

    var body: EntryName { name(.body) }
    var partial: EntryName { name(.partial) }
}

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
