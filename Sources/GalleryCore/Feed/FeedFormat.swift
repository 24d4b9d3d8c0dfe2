/// What kind of feed some bytes are, by the first of them.
enum FeedFormat: Equatable {
    case plainText
    /// Something that is no feed we read; the text finishes "NAME: …".
    case unusable(String)

    /// How many bytes at the start are a UTF-8 byte order mark.
    static func markByteCount(of bytes: some Collection<UInt8>) -> Int {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Looks at the first bytes, past a UTF-8 byte order mark.
    static func sniffed(from bytes: some Collection<UInt8>) -> FeedFormat {
        let head = Array(bytes.dropFirst(markByteCount(of: bytes)).prefix(1024))
        if let binary = binaryKind(head) { return .unusable(binary) }
        let text = String(decoding: head, as: UTF8.self).drop { $0.isWhitespace }.lowercased()
        if text.hasPrefix("{") || text.hasPrefix("[") {
            return .unusable("JSON feeds can't be read yet")
        }
        guard text.hasPrefix("<") else { return .plainText }
        if text.contains("<rss") || text.contains("<feed") || text.contains("<rdf") {
            return .unusable("RSS and Atom feeds can't be read yet")
        }
        return .unusable(text.hasPrefix("<?xml") ? "is an XML file" : "is an HTML page")
    }

    private static func binaryKind(_ head: [UInt8]) -> String? {
        if head.starts(with: [0xFF, 0xD8, 0xFF]) || head.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            return "is a picture, not a feed"
        }
        if head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF]) {
            return "is UTF-16 text; save it as UTF-8"
        }
        return head.contains(0) ? "is not a text file" : nil
    }
}
