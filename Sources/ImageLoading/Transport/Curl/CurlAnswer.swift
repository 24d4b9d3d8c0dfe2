/// What one request is answered with, as far as it has come: whether its head is whole, and what is
/// to be done with its body.
///
/// Pure. Several answers can come to one request, such as a 401 that libcurl answers itself; the
/// latest counts.
struct CurlAnswer {
    /// The most bytes of a redirect's body that are read to keep its connection; more close it.
    static let redirectBodyLimit = 64 << 10

    /// What a header line comes to.
    enum HeaderDecision: Hashable {
        case resume
        /// The head is whole, but another may follow it.
        case isComplete
        /// The head is whole, and no other can follow it.
        case isFinal
        case tooLarge
    }

    /// What a piece of the body comes to.
    enum BodyDecision: Hashable {
        case keep
        /// A redirect's, which nobody wants.
        case drop
        /// The same, and the rest would cost more than a new connection.
        case breakOff
        case tooLarge
    }

    private static let statusLineStart = Array("HTTP/".utf8)

    private var reader = ResponseHeadReader()
    private var receivedByteCount = 0
    /// Whether the empty line of the latest answer has come.
    var isHeadComplete: Bool { whole != nil }
    /// Whether the server or a proxy has asked who we are.
    private(set) var asksForLogin = false

    /// The latest answer's head, once its empty line has come: each piece of the body asks for these.
    private var whole: (head: TransferHead, location: String?, contentCoding: String?)?

    /// The latest head; nil before its status line, and for a 1xx.
    var head: TransferHead? { whole?.head ?? reader.head }

    /// The Set-Cookie fields of all answers.
    var cookies: [String] { reader.cookies }

    /// Where it sends us, if it does.
    var location: String? {
        if let whole { return whole.location }
        return reader.head.flatMap(Self.location(in:))
    }

    /// The content coding of the body; nil if it comes as it is.
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
        // The empty line ends an answer.
        let isEnd = line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n")
        guard isEnd, let head else { return .resume }
        whole = (head, Self.location(in: head), Self.contentCoding(in: head))
        let status = head.status
        let isLogin = status == 401 || status == 407
        asksForLogin = asksForLogin || isLogin
        // A redirect or a question for a login may not be the last answer: wait for a body.
        return isLogin || (300..<400).contains(status) ? .isComplete : .isFinal
    }

    /// Counts a piece of the body, content coding undone.
    ///
    /// The limit holds for what comes out of the decompressor too, so a small file that unpacks to
    /// gigabytes stops here.
    mutating func receiveBody(byteCount: Int, limit: Int) -> BodyDecision {
        receivedByteCount += byteCount
        guard location == nil else {
            return receivedByteCount <= Self.redirectBodyLimit ? .drop : .breakOff
        }
        return receivedByteCount <= limit ? .keep : .tooLarge
    }
}

/// Makes a `TransferHead` of header lines as they come in.
///
/// Lines of redirects and of 1xx answers come first; each status line starts from nothing, so what
/// is left is the final response. Everything is bounded, over all the answers of a transfer: a
/// server can send headers, and 1xx answers, without end.
struct ResponseHeadReader {
    /// The most bytes of header lines in one transfer.
    static let byteLimit = 64 << 10
    /// The most header lines in one transfer.
    static let lineLimit = 512

    /// So that the table of fields need not grow on the way.
    private static let usualFieldCount = 12

    private var status: Int?
    private var httpVersion: String?
    private var fields: [String: String] = [:]
    /// The Set-Cookie fields of all the answers, the only ones that can't be told by the last.
    private(set) var cookies: [String] = []
    private var byteCount = 0
    private var lineCount = 0

    /// Takes one line, with or without its line end; false once a limit is passed.
    mutating func read(_ line: some BidirectionalCollection<UInt8>) -> Bool {
        byteCount += line.count
        lineCount += 1
        guard byteCount <= Self.byteLimit, lineCount <= Self.lineLimit else { return false }
        if line.starts(with: Self.statusLineStart) {
            beginAnswer(String(decoding: line, as: UTF8.self))
        } else if let colon = line.firstIndex(of: UInt8(ascii: ":")) {
            let name = Self.lowercased(line[..<colon])
            // Bytes outside of ASCII mean nothing to us, but must not be lost silently either.
            let value = Self.trimmed(line[line.index(after: colon)...])
            if name == "set-cookie" { cookies.append(value) }
            keep(value, of: name)
        }
        return true
    }

    /// The head of the latest answer; nil before its status line, and for a 1xx.
    var head: TransferHead? {
        guard let status, status >= 200 else { return nil }
        return TransferHead(
            status: status,
            expectedByteCount: expectedByteCount,
            headers: fields,
            httpVersion: httpVersion
        )
    }

    /// Nil for a coded body: Content-Length counts bytes that nobody here sees.
    private var expectedByteCount: Int? {
        let coding = fields["content-encoding"]?.lowercased() ?? "identity"
        guard coding == "identity", fields["transfer-encoding"] == nil else { return nil }
        guard let count = fields["content-length"].flatMap({ Int($0) }), count >= 0 else {
            return nil
        }
        return count
    }

    /// Fields whose lines are one list wherever they stand: the last alone could drop a `no-store`.
    private static let listFields: Set = [
        "cache-control", "vary", "via", "content-encoding", RobotsTag.fieldName,
    ]

    /// Joins the lines of a list (RFC 9110 5.3); of other fields the last line counts.
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

    // By bytes: a dozen lines come with each picture, and to ask characters for their properties took
    // longer than libcurl does.

    /// Letters of ASCII in lower case.
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

    /// Without the white space of ASCII around it.
    private static func trimmed(_ text: some BidirectionalCollection<UInt8>) -> String {
        let isText = { (byte: UInt8) in byte != 0x20 && byte &- 0x09 >= 5 }
        guard let start = text.firstIndex(where: isText), let end = text.lastIndex(where: isText)
        else { return "" }
        return String(decoding: text[start...end], as: UTF8.self)
    }
}
