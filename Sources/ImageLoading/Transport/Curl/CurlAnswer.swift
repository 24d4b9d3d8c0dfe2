/// The received part of a response.
///
/// This type performs no I/O. It decides whether the head (status line and header fields) is
/// complete, and how to treat the body. One request can have several responses, such as a 401
/// response that libcurl replies to itself. Only the latest response counts.
struct CurlAnswer {
    /// The maximum number of bytes to read from the body of a redirect.
    ///
    /// The connection stays open if the whole body is read, and is closed if the body is too long.
    static let redirectBodyLimit = 64 << 10

    /// The result of receiving a header line.
    enum HeaderDecision: Hashable {
        case resume
        /// The head is complete, but another head may follow.
        case isComplete
        /// The head is complete, and no other head can follow.
        case isFinal
        case tooLarge
    }

    /// The result of receiving a chunk of the body.
    enum BodyDecision: Hashable {
        case keep
        /// Ignore the body of a redirect.
        case drop
        /// Stop reading the body of a redirect, because the rest would cost more than a new
        /// connection.
        case breakOff
        case tooLarge
    }

    private static let statusLineStart = Array("HTTP/".utf8)

    private var reader = ResponseHeadReader()
    private var receivedByteCount = 0
    /// Whether the empty line that ends the latest head has been received.
    var isHeadComplete: Bool { whole != nil }
    private(set) var asksForLogin = false

    /// The latest complete head and the values derived from it.
    ///
    /// The values are computed once, when the head is complete, because they are needed for every
    /// chunk of the body.
    private var whole: (head: TransferHead, location: String?, contentCoding: String?)?

    /// The latest head; nil before the status line has been received and for a 1xx response.
    var head: TransferHead? { whole?.head ?? reader.head }

    /// The Set-Cookie fields of all responses.
    var cookies: [String] { reader.cookies }

    /// The target of the redirect; nil if the response is not a redirect.
    var location: String? {
        if let whole { return whole.location }
        return reader.head.flatMap(Self.location(in:))
    }

    /// The content coding of the body; nil if the body is not encoded.
    var contentCoding: String? {
        if let whole { return whole.contentCoding }
        return reader.head.flatMap(Self.contentCoding(in:))
    }

    private static func location(in head: TransferHead) -> String? {
        guard RedirectChain.isRedirect(head.status) else { return nil }
        return head.headers["location"].flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func contentCoding(in head: TransferHead) -> String? {
        guard let coding = head.headers["content-encoding"], !coding.isEmpty,
            coding.lowercased() != "identity"
        else { return nil }
        return coding
    }

    mutating func receiveHeaderLine(_ line: some BidirectionalCollection<UInt8>) -> HeaderDecision {
        guard reader.read(line) else { return .tooLarge }
        if line.starts(with: Self.statusLineStart) { whole = nil }
        // The empty line ends a head.
        let isEnd = line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n")
        guard isEnd, let head else { return .resume }
        whole = (head, Self.location(in: head), Self.contentCoding(in: head))
        let status = head.status
        let isLogin = status == 401 || status == 407
        asksForLogin = asksForLogin || isLogin
        // A redirect or a login challenge may not be the last response, so wait for a body.
        return isLogin || (300..<400).contains(status) ? .isComplete : .isFinal
    }

    /// Counts the bytes of a decompressed chunk of the body and decides how to treat it.
    ///
    /// The limit applies to decompressed bytes, so a small file that decompresses to gigabytes is
    /// stopped here.
    mutating func receiveBody(byteCount: Int, limit: Int) -> BodyDecision {
        receivedByteCount += byteCount
        guard location == nil else {
            return receivedByteCount <= Self.redirectBodyLimit ? .drop : .breakOff
        }
        return receivedByteCount <= limit ? .keep : .tooLarge
    }
}

/// Creates a `TransferHead` from header lines as they are received.
///
/// The lines of redirects and 1xx responses are received first. Each status line removes the
/// earlier fields, so the fields of the final response remain. All responses of a transfer share
/// one limit, because a server can send header fields and 1xx responses endlessly.
struct ResponseHeadReader {
    /// The maximum total size of the header lines in one transfer, in bytes.
    static let byteLimit = 64 << 10
    /// The maximum number of header lines in one transfer.
    static let lineLimit = 512

    /// The initial capacity of `fields`, which is enough for a typical response.
    private static let usualFieldCount = 12

    private var status: Int?
    private var httpVersion: String?
    private var fields: [String: String] = [:]
    /// The Set-Cookie fields of all responses; other fields are kept only for the latest response.
    private(set) var cookies: [String] = []
    private var byteCount = 0
    private var lineCount = 0

    /// Reads one line, with or without its line ending; returns false if a limit is exceeded.
    mutating func read(_ line: some BidirectionalCollection<UInt8>) -> Bool {
        byteCount += line.count
        lineCount += 1
        guard byteCount <= Self.byteLimit, lineCount <= Self.lineLimit else { return false }
        if line.starts(with: Self.statusLineStart) {
            beginAnswer(String(decoding: line, as: UTF8.self))
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let name = Self.lowercased(line[..<colon])
            // Non-ASCII bytes have no meaning here, but must not be dropped silently. In a URL,
            // each byte is percent-encoded, because its character set is unknown.
            let text = line[line.index(after: colon)...]
            let value =
                name == "location" ? Self.trimmed(Self.encoded(text)) : Self.trimmed(text)
            if name == "set-cookie" { cookies.append(value) }
            keep(value, of: name)
        }
        return true
    }

    /// The head of the latest response; nil before its status line and for a 1xx response.
    var head: TransferHead? {
        guard let status, status >= 200 else { return nil }
        return TransferHead(
            status: status,
            expectedByteCount: expectedByteCount,
            headers: fields,
            httpVersion: httpVersion
        )
    }

    /// The value of Content-Length, or nil if the body has a content coding.
    ///
    /// With a content coding, the field counts compressed bytes, which callers never see.
    private var expectedByteCount: Int? {
        let coding = fields["content-encoding"]?.lowercased() ?? "identity"
        guard coding == "identity", fields["transfer-encoding"] == nil else { return nil }
        guard let count = fields["content-length"].flatMap({ Int($0) }), count >= 0 else {
            return nil
        }
        return count
    }

    /// The names of list fields, whose values may be split into several lines.
    ///
    /// If only the last line were kept, a `no-store` could be missed.
    private static let listFields: Set = [
        "cache-control", "vary", "via", "content-encoding", RobotsTag.fieldName,
    ]

    /// Stores a field; joins the lines of a list field (RFC 9110, 5.3), and keeps the last line of
    /// any other field.
    private mutating func keep(_ value: String, of name: String) {
        guard let earlier = fields.updateValue(value, forKey: name), Self.listFields.contains(name)
        else { return }
        fields[name] = "\(earlier), \(value)"
    }

    private mutating func beginAnswer(_ statusLine: String) {
        let words = statusLine.utf8.split(separator: 0x20, maxSplits: 2)
        status = words.count > 1 ? Int(Self.trimmed(words[1])) : nil
        httpVersion = words.first.map { String(decoding: $0.dropFirst(5), as: UTF8.self) }
        fields = Dictionary(minimumCapacity: Self.usualFieldCount)
    }

    private static let statusLineStart = Array("HTTP/".utf8)

    // These functions work on bytes, because every response has a dozen header lines, and checking
    // character properties took longer than libcurl's own work.

    /// Returns the name with its ASCII letters in lowercase.
    private static func lowercased(_ name: some Collection<UInt8>) -> String {
        String(unsafeUninitializedCapacity: name.count) { buffer in
            var count = 0
            for byte in name {
                buffer[count] = byte &- 0x41 < 26 ? byte | 0x20 : byte
                count += 1
            }
            return count
        }
    }

    private static func encoded(_ url: some Collection<UInt8>) -> [UInt8] {
        let hex = Array("0123456789ABCDEF".utf8)
        return url.flatMap { byte in
            byte < 0x80 ? [byte] : [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]]
        }
    }

    /// Returns the text without leading and trailing ASCII white space.
    private static func trimmed(_ text: some BidirectionalCollection<UInt8>) -> String {
        let isText = { (byte: UInt8) in byte != 0x20 && byte &- 0x09 >= 5 }
        guard let start = text.firstIndex(where: isText), let end = text.lastIndex(where: isText)
        else { return "" }
        return String(decoding: text[start...end], as: UTF8.self)
    }
}
