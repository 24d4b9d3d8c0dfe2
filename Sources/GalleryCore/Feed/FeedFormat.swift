internal import FeedDocuments

/// What kind of feed some bytes are, by the first of them.
enum FeedFormat: Equatable {
    case plainText
    /// RSS, Atom or OPML, or some other XML.
    case xml
    /// HTML: a page, or a listing of files.
    case page
    /// One object of JSON, which may be a feed of entries.
    case object
    /// A table, or a list of values of JSON.
    case records(FeedRecords.Format)
    /// Something that is no feed we read; the text finishes "NAME: …".
    case unusable(String)

    /// How many bytes at the start are a UTF-8 byte order mark.
    static func markByteCount(of bytes: some Collection<UInt8>) -> Int {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Looks at the first bytes, past a UTF-8 byte order mark, and where they leave a choice at the
    /// name of the feed.
    static func sniffed(
        from bytes: [UInt8],
        name: String = "",
        options: FeedOptions = FeedOptions()
    ) -> FeedFormat {
        if options.endsEntriesWithZero { return .plainText }
        let head = Array(bytes.dropFirst(markByteCount(of: bytes)).prefix(1024))
        if isWideXML(head) { return .xml }
        if let binary = binaryKind(head) { return .unusable(binary) }
        let text = String(decoding: head, as: UTF8.self).drop { $0.isWhitespace }.lowercased()
        if text.hasPrefix("<") { return isXML(text) ? .xml : .page }
        if let records = FeedRecords.Format.sniffed(from: bytes, name: name, options: options) {
            return .records(records)
        }
        return text.hasPrefix("{") ? .object : .plainText
    }

    /// Whether what begins with a tag is XML, and not HTML, which may say that it is XML.
    private static func isXML(_ text: String) -> Bool {
        guard !text.contains("<html"), !text.contains("<!doctype html") else { return false }
        let roots = ["<?xml", "<rss", "<feed", "<rdf", "<opml", "<listbucketresult"]
        return roots.contains(where: text.contains)
    }

    /// XML in UTF-16, with a byte order mark or without: XML says itself how it is written.
    static func isWideXML(_ head: [UInt8]) -> Bool {
        let starts: [[UInt8]] = [
            [0xFF, 0xFE, 0x3C, 0], [0xFE, 0xFF, 0, 0x3C],
            [0x3C, 0, 0x3F, 0], [0, 0x3C, 0, 0x3F],
        ]
        return starts.contains { head.starts(with: $0) }
    }

    private static func binaryKind(_ head: [UInt8]) -> String? {
        if head.starts(with: [0xFF, 0xD8, 0xFF]) || head.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            return "is an image, not a feed"
        }
        // Of a file they are read where they lie; here they come from a pipe.
        if head.starts(with: [0x1F, 0x8B]) {
            return "is compressed with gzip; decompress it with zcat"
        }
        let isTar = head.dropFirst(257).starts(with: Array("ustar".utf8))
        if isTar || head.starts(with: [0x50, 0x4B, 3, 4]) {
            return "is an archive; archives can only be read from files"
        }
        return head.contains(0) ? "is not a text file" : nil
    }
}
