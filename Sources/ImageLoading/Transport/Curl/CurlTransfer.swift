internal import CCurl

/// One transfer, including all its redirects.
///
/// It parses response heads, counts body bytes, and delivers the final head and body.
///
/// Create, use and release this object only on the curl thread. libcurl holds a pointer to it
/// without a reference count. The pointer stays valid, because `CurlEngine.live` retains the object
/// until libcurl's handle has been removed. libcurl calls back only inside `multi_perform` and
/// `multi_remove_handle`, which run on the curl thread.
final class CurlTransfer {
    /// The next step after a request has ended.
    enum Next {
        case finish(ImageLoadingError?)
        /// Follow a redirect to this value of the Location field.
        case follow(String)
        /// Repeat the request, because the connection was unusable and has been closed.
        case askAgain
        /// Repeat the request and also search for the certificate's issuer in the system's
        /// directory of certificate authorities.
        case lookInFolder
        /// Repeat the request and accept the certificate that has just failed verification.
        case acceptCertificate
    }

    let request: TransferRequest
    var redirects: RedirectChain
    /// The cookies set by earlier responses of the transfer; nil if there are none.
    var chainCookies: CookieJar?
    private(set) var easy: CurlEasy?
    private let sockets: CurlSockets
    private let onEvents: @Sendable ([TransferEvent]) -> Void
    /// The response head that has not been delivered yet.
    ///
    /// It is nil, and `untoldBytes` is empty, while `CurlEngine.advance` is not running.
    private var untoldHead: TransferHead?
    private var untoldBytes: [UInt8] = []
    /// The maximum number of bytes waiting for delivery.
    private static let untoldByteLimit = 256 << 10
    /// The minimum size of a large chunk in bytes.
    ///
    /// After a large chunk, more data is assumed to be waiting already.
    private static let largePiece = 16 << 10
    private var attempt: CurlAttempt?
    private var connection: CurlConnectionCheck?
    private var answer = CurlAnswer()
    private var isHeadSent = false
    /// The times of the last received bytes; nil while the connection is being established.
    private(set) var activity: TransferActivity?
    /// The decoder for the content coding of the current response.
    ///
    /// Nil before the body, or if the body has no content coding.
    private var decoder: ContentDecoder?
    /// The reader for the first image of a camera's endless body; nil for any other body.
    private var firstPart: MixedReplaceReader?
    /// The number of body bytes that libcurl has counted.
    ///
    /// The number includes bodies that libcurl does not pass to this object.
    private var hiddenByteCount = 0
    /// The number of times the current request has been sent.
    ///
    /// If a reused connection turns out to be closed, libcurl sends the request again.
    private var requestCount = 0
    /// The reason why a callback ended the transfer, which libcurl does not report.
    private var refusal: ImageLoadingError?

    init(
        _ request: TransferRequest,
        redirects: RedirectChain,
        sockets: CurlSockets,
        onEvents: @escaping @Sendable ([TransferEvent]) -> Void
    ) {
        self.request = request
        self.redirects = redirects
        self.sockets = sockets
        self.onEvents = onEvents
    }

    /// Returns the transfer for a `context` pointer from libcurl.
    static func at(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    // MARK: Requests

    /// Prepares the handle for the next request of the transfer.
    func begin(_ attempt: CurlAttempt, on easy: CurlEasy) {
        self.attempt = attempt
        self.easy = easy
        connection = CurlConnectionCheck(for: attempt)
        answer = CurlAnswer()
        activity = nil
        (decoder, firstPart) = (nil, nil)
        requestCount = 0
        easy.prepare(for: attempt, context: Unmanaged.passUnretained(self).toOpaque())
    }

    /// Returns the next step after a request has ended with `code`.
    ///
    /// Call this method before the easy handle is released, because the method reads data from it.
    func next(after code: CURLcode) -> Next {
        if let connection = easy?.connection { sockets.note(connection) }
        if let refusal { return .finish(refusal) }
        if firstPart?.isAtEnd == true { return .finish(nil) }
        if connection?.hasTrailingBytes == true { return .askAgain }
        // It does not matter how the body of a redirect ended.
        let hasPlace = answer.isHeadComplete || code == CURLE_FILESIZE_EXCEEDED
        if hasPlace, let location = answer.location { return .follow(location) }
        if code == CURLE_PEER_FAILED_VERIFICATION {
            if let easy, let attempt, easy.mayLookInFolder(after: attempt) { return .lookInFolder }
            if mayAcceptCertificate { return .acceptCertificate }
        }
        return .finish(error(for: code))
    }

    /// Removes and returns the easy handle; nil if the transfer has no handle.
    func surrenderEasy() -> CurlEasy? {
        defer { easy = nil }
        return easy
    }

    /// The Set-Cookie fields of all responses to the current request.
    var cookies: [String] { answer.cookies }

    /// Whether the server requested a login on the easy handle, or a login may have been sent on
    /// it.
    var hasLogin: Bool {
        answer.asksForLogin || attempt?.mayLogIn == true
    }

    /// Ends the transfer.
    ///
    /// If it succeeded without a body, the response head is delivered here.
    func finish(_ error: ImageLoadingError?) {
        if error == nil {
            sendHead()
            if let firstPart { untoldBytes += firstPart.remainder }
        }
        tell([.finished(error)])
    }

    /// Delivers all received data together, because each delivery takes locks and wakes a thread.
    func tell(_ end: [TransferEvent] = []) {
        var events: [TransferEvent] = []
        if let head = untoldHead.take() { events.append(.head(head)) }
        if !untoldBytes.isEmpty {
            events.append(.chunk(untoldBytes))
            untoldBytes = []
        }
        events += end
        if !events.isEmpty { onEvents(events) }
    }

    private var mayAcceptCertificate: Bool {
        request.policy.allowsInvalidCertificates && redirects.isOnHomeHost
            && attempt?.acceptsAnyCertificate == false
            // The certificate may have been the proxy's.
            && attempt?.proxy?.lowercased().hasPrefix("https:") != true
    }

    private func error(for code: CURLcode) -> ImageLoadingError? {
        switch code {
        case CURLE_OK: return errorOfWhole
        case CURLE_FILESIZE_EXCEEDED:
            return .download(.tooLarge(limit: request.maximumByteCount))
        // A header line without an end fills libcurl's own buffer before reaching the callback.
        case CURLE_OUT_OF_MEMORY where !answer.isHeadComplete,
            CurlFailure.tooLarge where !answer.isHeadComplete:
            return .transfer(.headTooLarge)
        default: break
        }
        if let lack = OwnLack(after: code, missingSocket: connection?.missingSocket) {
            return .transfer(.noResources, lack.text)
        }
        if code == CURLE_SSL_CONNECT_ERROR, easy?.isHandshakeCut == true {
            return .transfer(.connectionLost, "connection lost in the TLS handshake")
        }
        if connection?.hasRefusedAll == true { return .privateAddress(of: redirects.current) }
        // "407 login needed" is more informative than a missing tunnel.
        let status = easy?.proxyStatus ?? 0
        if status >= 400 { return .download(.httpStatus(status)) }
        // Without a new socket for this request, the errno belongs to an earlier request.
        let osError = connection?.hasOpenedSocket == true ? easy?.osError ?? 0 : 0
        return CurlFailure.error(code, osError: osError, requestCount: requestCount)
    }

    /// The error for a response that libcurl considers complete even though it ends within its head
    /// or its compressed data.
    ///
    /// Nil if the response is complete.
    private var errorOfWhole: ImageLoadingError? {
        guard answer.isHeadComplete else { return .transfer(.connectionLost, "connection lost") }
        guard decoder?.isAtEnd ?? true else {
            return .transfer(.connectionLost, "connection lost: compressed response cut short")
        }
        return nil
    }
}

// MARK: Called by libcurl

extension CurlTransfer {
    /// Returns whether a socket may be opened; `address` is nil if it is not an IP address.
    func mayConnect(to address: IPAddress?) -> Bool {
        connection?.mayConnect(to: address) ?? false
    }

    /// Records the `errno` of a socket that could not be opened.
    func noteMissingSocket(_ number: Int32) {
        connection?.missingSocket = number
    }

    /// Returns whether the request may be sent on a connection to `address` from `localPort`.
    func mayAsk(_ address: IPAddress?, from localPort: Int) -> Bool {
        guard connection?.allows(address) == true else {
            refusal = attempt.map { .privateAddress(of: $0.address) }
            return false
        }
        guard mayAskAgain() else { return false }
        activity = TransferActivity(startAt: SilenceWatch.now())
        return connection?.isClean { sockets.hasUnreadBytes(onPort: localPort) } ?? false
    }

    /// Counts an attempt to send the request and returns whether the attempt is permitted.
    ///
    /// If no response followed, the request may be repeated only once. If a server closes one
    /// reused connection after another, libcurl would otherwise send the request five times or
    /// more.
    private func mayAskAgain() -> Bool {
        if answer.head != nil { requestCount = 0 }
        guard requestCount < 2 else {
            let failure = TransferFailure(.connectionLost, requestCount: requestCount)
            refusal = .download(.transport(failure))
            return false
        }
        requestCount += 1
        return true
    }

    /// Receives a header line; returns false to end the transfer.
    func receiveHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
        switch answer.receiveHeaderLine(line) {
        case .resume: break
        case .isComplete: activity = TransferActivity(startAt: SilenceWatch.now())
        case .isFinal:
            activity = TransferActivity(startAt: SilenceWatch.now())
            sendHead()
        case .tooLarge:
            refusal = .transfer(.headTooLarge)
            return false
        }
        return true
    }

    /// Returns whether the number of received body bytes is within the limit.
    ///
    /// libcurl reports the number only if it may reply to a login request (`CurlAttempt.mayLogIn`).
    func mayGoOn(received: Int) -> Bool {
        if received != hiddenByteCount {
            activity?.note(byteCount: max(0, received - hiddenByteCount), at: SilenceWatch.now())
        }
        hiddenByteCount = received
        guard received > request.maximumByteCount else { return true }
        refusal = refusal ?? .download(.tooLarge(limit: request.maximumByteCount))
        return false
    }

    /// Receives a chunk of the body as it was sent; returns false to end the transfer.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // If a login is possible, `mayGoOn` counts the bytes.
        if attempt?.mayLogIn == false {
            activity?.note(byteCount: bytes.count, at: SilenceWatch.now())
        }
        guard answer.location == nil, let coding = answer.contentCoding else {
            return receivePlain(bytes)
        }
        sendHead()
        decoder = decoder ?? ContentDecoder(coding)
        switch decoder?.decode(bytes, into: receivePlain) {
        case .wantsMore: return true
        case .refused: return false
        case .damaged, nil:
            refusal = .transfer(.badEncoding)
            return false
        }
    }

    /// Receives a decompressed chunk of the body; returns false to end the transfer.
    private func receivePlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch answer.receiveBody(byteCount: bytes.count, limit: request.maximumByteCount) {
        case .drop: return true
        case .breakOff: return false
        case .tooLarge:
            refusal = .download(.tooLarge(limit: request.maximumByteCount))
            return false
        case .keep:
            sendHead()
            if firstPart != nil { return receivePart(bytes) }
            // More data is waiting. Reserve space for it, so the bytes are copied only once before
            // the array is delivered.
            if untoldBytes.isEmpty, bytes.count > Self.largePiece,
                let expected = answer.head?.expectedByteCount
            {
                untoldBytes.reserveCapacity(min(expected, Self.untoldByteLimit))
            }
            untoldBytes.append(contentsOf: bytes)
            if untoldBytes.count >= Self.untoldByteLimit { tell() }
            return true
        }
    }

    /// Receives a chunk of a camera's body; returns false after the first image.
    private func receivePart(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let image = firstPart?.read(bytes) else {
            refusal = .transfer(.badEncoding)
            return false
        }
        untoldBytes += image
        if untoldBytes.count >= Self.untoldByteLimit { tell() }
        return firstPart?.isAtEnd == false
    }

    /// Prepares the response head for delivery.
    ///
    /// This is done only once, because trailer fields are received like header lines.
    private func sendHead() {
        guard !isHeadSent, var head = answer.head else { return }
        isHeadSent = true
        firstPart = head.headers["content-type"].flatMap(MixedReplaceReader.init)
        head.hasUnverifiedCertificate = attempt?.acceptsAnyCertificate ?? false
        head.url = redirects.current.text
        untoldHead = head
    }
}
