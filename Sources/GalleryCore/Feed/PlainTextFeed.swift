internal import Glibc
internal import ImageLoading

/// The lines of a plain text feed that hold an item: the bytes and where each line begins.
///
/// Nothing is parsed here, so that 100,000 lines cost their bytes and four more a line.
struct FeedLines: Sendable {
    private let bytes: [UInt8]
    private let starts: [UInt32]

    /// Finds the lines; blank ones and comments are left out.
    ///
    /// At most 4 GiB.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var starts: [UInt32] = []
        bytes.withUnsafeBufferPointer { buffer in
            var index = buffer.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            while index < buffer.count {
                let start = Self.skipBlanks(buffer, from: index)
                let end = Self.lineEnd(buffer, from: start)
                if start < end, buffer[start] != UInt8(ascii: "#") {
                    starts.append(UInt32(truncatingIfNeeded: start))
                }
                index = end + 1
            }
        }
        self.starts = starts
    }

    var count: Int { starts.count }

    /// All bytes, those between the lines included.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        bytes.withUnsafeBufferPointer(body)
    }

    /// Where a line begins.
    func start(of line: Int) -> Int { Int(starts[line]) }

    /// Where a line ends, with the white space at its end left out.
    func end(of line: Int, in buffer: UnsafeBufferPointer<UInt8>) -> Int {
        let start = Int(starts[line])
        var end = Self.lineEnd(buffer, from: start)
        while end > start, Self.isBlank(buffer[end - 1]) { end -= 1 }
        return end
    }

    /// The last line that begins at a place of the bytes or before it; `first` does.
    func line(at place: Int, from first: Int) -> Int {
        var (low, step) = (first, 1)
        // Most are near.
        while low + step < starts.count, Int(starts[low + step]) <= place {
            low += step
            step *= 2
        }
        let rest = starts[low..<min(low + step, starts.count)]
        return rest.partitioningIndex { Int($0) > place } - 1
    }

    /// A line without the white space around it.
    subscript(index: Int) -> ArraySlice<UInt8> {
        let start = Int(starts[index])
        var end = bytes.withUnsafeBufferPointer { Self.lineEnd($0, from: start) }
        while end > start, Self.isBlank(bytes[end - 1]) { end -= 1 }
        return bytes[start..<end]
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D
    }

    private static func skipBlanks(_ buffer: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while index < buffer.count, isBlank(buffer[index]) { index += 1 }
        return index
    }

    private static func lineEnd(_ buffer: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard start < buffer.count, let base = buffer.baseAddress,
            let found = memchr(base + start, 0x0A, buffer.count - start)
        else { return buffer.count }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}

/// Turns one line of a plain text feed into an item.
struct FeedLineParser: Sendable {
    /// The longest line that is read, in bytes.
    static let maximumLineByteCount = 8 << 10

    let base: FeedBase
    let origin: RequestOrigin

    /// The item a line stands for; the line is not blank and no comment.
    func item(_ line: some Collection<UInt8>) -> FeedItem {
        guard line.count <= Self.maximumLineByteCount else {
            let start = URLParts.withoutLogin(String(decoding: line.prefix(60), as: UTF8.self))
            return FeedItem(
                url: start,
                caption: start + "…",
                problem: "line is longer than 8 KiB"
            )
        }
        let (target, caption) = Self.split(FileText.text(line)[...])
        return item(target: String(target), caption: caption.map(FileText.shown))
    }

    private func item(target: String, caption: String?) -> FeedItem {
        guard !target.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { return unusable(target, caption, "control character in URL") }
        guard let scheme = Self.scheme(of: target) else {
            return FeedItem(url: base.resolve(target), caption: caption)
        }
        if let problem = problem(scheme: scheme, url: target) {
            let isHTTP = scheme == "http" || scheme == "https"
            return unusable(target, caption, problem, forbiddenScheme: isHTTP ? nil : scheme)
        }
        let url = scheme == "data" ? target : PercentCoding.tidied(target)
        return FeedItem(url: url, caption: caption)
    }

    private func unusable(
        _ target: String,
        _ caption: String?,
        _ problem: String,
        forbiddenScheme: String? = nil
    ) -> FeedItem {
        FeedItem(
            url: FileText.shown(target),
            caption: caption,
            problem: problem,
            forbiddenScheme: forbiddenScheme
        )
    }

    private func problem(scheme: String, url: String) -> String? {
        switch scheme {
        case "http", "https":
            // Bytes, not characters: a joiner behind the colon would be one with it.
            let rest = url.utf8.dropFirst(scheme.utf8.count + 1)
            guard rest.starts(with: "//".utf8), let host = rest.dropFirst(2).first,
                !"/?#:".utf8.contains(host)
            else { return "no host in URL" }
            return nil
        case "file", "data":
            guard origin.isRemote else { return nil }
            return "\(scheme): is not allowed in a feed from the network"
        default:
            return "unknown scheme \(scheme):"
        }
    }

    /// The scheme in lower case; nil for a path.
    ///
    /// As RFC 3986 section 4.2 advises, a file whose name looks like one is written "./a:b.jpg".
    private static func scheme(of text: String) -> String? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let name = text[..<colon]
        guard let first = name.first, first.isASCII, first.isLetter,
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) })
        else { return nil }
        return name.lowercased()
    }

    /// Cuts a line at its first white space.
    ///
    /// A path with spaces is quoted, or followed by a tab.
    private static func split(_ line: Substring) -> (target: Substring, caption: String?) {
        let end: Substring.Index
        if line.first == "\"", let quote = line.dropFirst().firstIndex(of: "\"") {
            return (line[..<quote].dropFirst(), caption(line[line.index(after: quote)...]))
        } else if scheme(of: String(line)) == nil, let tab = line.firstIndex(of: "\t") {
            end = tab
        } else {
            end = line.firstIndex { $0 == " " || $0 == "\t" } ?? line.endIndex
        }
        return (line[..<end], caption(line[end...]))
    }

    private static func caption(_ rest: Substring) -> String? {
        let start = rest.drop { $0.isWhitespace }
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(start[...last])
    }
}

/// What kind of feed some bytes are, by the first of them.
enum FeedFormat: Equatable {
    case plainText
    /// Something that is no feed we read; the text finishes "NAME: …".
    case unusable(String)

    /// Looks at the first bytes, past a UTF-8 byte order mark.
    static func sniffed(from bytes: some Collection<UInt8>) -> FeedFormat {
        let head = Array(bytes.prefix(1024))
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

/// What the relative lines of a feed are relative to.
public enum FeedBase: Hashable, Sendable {
    /// A folder, by its absolute path: lines are paths, taken literally, byte for byte.
    case directory(String)
    /// The feed's own `http` or `https` URL: lines are URL references (RFC 3986 section 5).
    case url(String)

    /// The absolute URL for a line without a scheme.
    func resolve(_ reference: String) -> String {
        switch self {
        case .directory(let directory):
            let isAbsolute = reference.utf8.first == UInt8(ascii: "/")
            let path = isAbsolute ? reference : directory + "/" + reference
            let bytes = FileText.bytes(of: URLParts.removingDotSegments(from: path))
            return PercentCoding.fileURL(path: bytes)
        case .url(let base):
            return PercentCoding.tidied(URLParts(base).resolving(reference))
        }
    }
}
