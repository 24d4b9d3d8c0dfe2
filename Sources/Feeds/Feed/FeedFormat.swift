import Decoders

/// The format of a feed, detected from the start of its content and, in ambiguous cases, its name.
package enum FeedFormat: Equatable {
    case plainText
    /// RSS, Atom, OPML, or other XML.
    case xml
    /// HTML: a page, or a listing of files.
    case page
    /// One JSON object, which may be a feed of entries.
    case object
    /// A table, or a list of JSON values.
    case records(FeedRecords.Format)
    /// An unsupported format; the text is the error message that follows the name of the feed.
    case unusable(String)

    /// Returns the length of the UTF-8 byte order mark at the start, or 0 if there is none.
    package static func markByteCount(of bytes: some Collection<UInt8>) -> Int {
        bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }

    /// Detects the format from the start of the feed and, in ambiguous cases, from its name.
    ///
    /// Markup and binary files are recognized by the first 1,024 bytes after the byte order mark,
    /// tables and lists of JSON values by the first line that is not blank.
    package static func sniffed(
        from bytes: [UInt8],
        name: String = "",
        options: FeedOptions = FeedOptions()
    ) -> FeedFormat {
        if options.endsEntriesWithZero { return .plainText }
        let head = Array(bytes.dropFirst(markByteCount(of: bytes)).prefix(1024))
        if Charset.isWideXML(head) != nil { return .xml }
        if let binary = binaryKind(head) { return .unusable(binary) }
        let text = String(decoding: head, as: UTF8.self).drop { $0.isWhitespace }.lowercased()
        if text.hasPrefix("<") { return isXML(text) ? .xml : .page }
        if hasLateDeclaration(text) { return .xml }
        if let records = FeedRecords.Format.sniffed(from: bytes, name: name, options: options) {
            return .records(records)
        }
        if text.hasPrefix("{") { return .object }
        return ProseCheck.isProse(bytes)
            ? .unusable("is a text without image URLs or paths") : .plainText
    }

    /// Returns whether markup is XML rather than HTML.
    ///
    /// The root element is decisive, because HTML may start with an XML declaration, and the text
    /// of an XML feed may contain HTML.
    private static func isXML(_ text: String) -> Bool {
        let roots = ["rss", "feed", "entry", "rdf", "opml", "listbucketresult"]
        if let root = rootName(of: text), root == "html" || roots.contains(String(root)) {
            return root != "html"
        }
        // A message from the program that writes the feed may precede the root element.
        guard !text.contains("<html"), !text.contains("<!doctype html") else { return false }
        return (["?xml"] + roots).contains { text.contains("<" + $0) }
    }

    /// Returns the local name of the first element, or nil if it is not in `text`.
    private static func rootName(of text: String) -> Substring? {
        var rest = Substring(text)
        while let start = rest.firstIndex(of: "<") {
            rest = rest[start...].dropFirst()
            if rest.hasPrefix("!--") {
                guard let end = rest.firstRange(of: "-->") else { return nil }
                rest = rest[end.upperBound...]
            } else if rest.hasPrefix("?") || rest.hasPrefix("!") {
                guard let end = rest.firstIndex(of: ">") else { return nil }
                rest = rest[end...]
            } else {
                let name = rest.prefix { !$0.isWhitespace && $0 != ">" && $0 != "/" }
                return name.split(separator: ":", omittingEmptySubsequences: false).last
            }
        }
        return nil
    }

    /// Returns whether other text precedes the XML declaration at the start of a feed.
    private static func hasLateDeclaration(_ text: some StringProtocol) -> Bool {
        guard let first = text.first, !"{[\"#".contains(first),
            let start = text.firstRange(of: "<?xml")
        else { return false }
        let document = text[start.upperBound...]
        return ["<rss", "<feed", "<rdf"].contains(where: document.contains)
    }

    private static func binaryKind(_ head: [UInt8]) -> String? {
        if head.starts(with: Array("%PDF-".utf8)) { return "is a PDF document, not a feed" }
        let first = head.first { $0 > 0x20 }
        let isMarkup = first == UInt8(ascii: "<")
        // The name of an image, such as "IMG_001.WEBP", may contain the signature of a format.
        let isName = PictureNames.endsAsPicture(head.prefix { $0 > 0x20 })
        if !isMarkup, !isName, let format = DecoderRegistry.pictureFormat(of: head) {
            return "is \(format) data, not a feed"
        }
        // Compressed files are unpacked when they are opened, so these bytes are from a pipe.
        if head.starts(with: [0x1F, 0x8B]) {
            return "is compressed with gzip; decompress it with zcat"
        }
        let isTar = head.dropFirst(257).starts(with: Array("ustar".utf8))
        if isTar || head.starts(with: [0x50, 0x4B, 3, 4]) {
            return "is an archive; archives can only be read from files"
        }
        // A damaged document may contain NUL bytes.
        return head.contains(0) && !isMarkup ? "is not a text file" : nil
    }
}
