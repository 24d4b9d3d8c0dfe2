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

    private var reader = ResponseHeadReader()
    private var receivedByteCount = 0
    /// Whether the empty line of an answer has come.
    private(set) var isHeadComplete = false
    /// Whether the server or a proxy has asked who we are.
    private(set) var asksForLogin = false

    /// The latest head; nil before its status line, and for a 1xx.
    var head: TransferHead? { reader.head }

    /// The Set-Cookie fields of all answers.
    var cookies: [String] { reader.cookies }

    /// Where it sends us, if it does.
    var location: String? {
        guard let head, RedirectChain.isRedirect(head.status) else { return nil }
        return head.headers["location"].flatMap { $0.isEmpty ? nil : $0 }
    }

    mutating func receiveHeaderLine(_ line: some Collection<UInt8>) -> HeaderDecision {
        guard reader.read(line) else { return .tooLarge }
        // The empty line ends an answer.
        let isEnd = line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n")
        guard isEnd, let status = head?.status else { return .resume }
        isHeadComplete = true
        let isLogin = status == 401 || status == 407
        asksForLogin = asksForLogin || isLogin
        // A redirect or a question for a login may not be the last answer: wait for a body.
        return isLogin || (300..<400).contains(status) ? .resume : .isFinal
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
