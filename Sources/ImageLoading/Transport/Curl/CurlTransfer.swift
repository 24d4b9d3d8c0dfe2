internal import CCurl

/// One transfer, over all its redirects: reads the heads, counts the body, hands both on.
///
/// Belongs to the curl thread: it is made there, libcurl calls back only inside `multi_perform` and
/// `multi_remove_handle`, which run there, and it is let go there. libcurl knows it as a pointer
/// without a reference count; the pointer is good because `CurlEngine.live` keeps the object from
/// before the handle is added until after it is removed.
final class CurlTransfer {
    /// What follows on a request that libcurl is done with.
    enum Next {
        case finish(ImageLoadingError?)
        /// Ask where this Location leads.
        case follow(String)
        /// Ask again: the connection was of no use, and is closed.
        case askAgain
        /// Ask again, and look for the certificate's signer in the system's folder, too.
        case lookInFolder
        /// Ask again, and take the certificate that has just been found wanting.
        case acceptCertificate
    }

    let request: TransferRequest
    var redirects: RedirectChain
    private(set) var easy: CurlEasy?
    private let sockets: CurlSockets
    private let onEvents: @Sendable ([TransferEvent]) -> Void
    /// What came in this round and has not been told; empty outside of `CurlEngine.advance`.
    private var untoldHead: TransferHead?
    private var untoldBytes: [UInt8] = []
    /// The most bytes that wait to be told.
    private static let untoldByteLimit = 256 << 10
    /// What comes in pieces of more than that comes faster than it is read.
    private static let largePiece = 16 << 10
    private var attempt: CurlAttempt?
    private var connection: CurlConnectionCheck?
    private var answer = CurlAnswer()
    private var isHeadSent = false
    /// Its signs of life; nil while a connection is made.
    private(set) var activity: TransferActivity?
    /// Undoes the present answer's content coding; nil before its body, and without one.
    private var decoder: ContentDecoder?
    /// Body bytes by libcurl's count, those of answers that it keeps to itself included.
    private var hiddenByteCount = 0
    /// How often the present request went out: libcurl sends it again by itself when a connection
    /// that was kept turns out to be closed.
    private var requestCount = 0
    /// Why we made libcurl stop; it only knows that we did.
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

    /// The transfer behind a pointer that `context` gave out.
    static func at(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    // MARK: Requests

    /// Prepares the handle for the first request or for the one after a redirect.
    func begin(_ attempt: CurlAttempt, on easy: CurlEasy) {
        self.attempt = attempt
        self.easy = easy
        connection = CurlConnectionCheck(for: attempt)
        answer = CurlAnswer()
        activity = nil
        decoder = nil
        requestCount = 0
        easy.prepare(for: attempt, context: Unmanaged.passUnretained(self).toOpaque())
    }

    /// What follows, now that libcurl has given its decision; asked while the easy handle still has
    /// it.
    func next(after code: CURLcode) -> Next {
        if let connection = easy?.connection { sockets.note(connection) }
        if let refusal { return .finish(refusal) }
        if connection?.hasTrailingBytes == true { return .askAgain }
        // How the body ended is nothing to us.
        let hasPlace = answer.isHeadComplete || code == CURLE_FILESIZE_EXCEEDED
        if hasPlace, let location = answer.location { return .follow(location) }
        if code == CURLE_PEER_FAILED_VERIFICATION {
            if let easy, let attempt, easy.mayLookInFolder(after: attempt) { return .lookInFolder }
            if mayAcceptCertificate { return .acceptCertificate }
        }
        return .finish(error(for: code))
    }

    /// Takes the easy handle back, after libcurl has let go of it.
    func surrenderEasy() -> CurlEasy? {
        defer { easy = nil }
        return easy
    }

    /// The Set-Cookie fields of the present answer.
    var cookies: [String] { answer.cookies }

    /// Whether the handle has held or seen something of a login.
    var hasLogin: Bool {
        answer.asksForLogin || attempt?.mayLogIn == true
    }

    /// Ends the transfer.
    ///
    /// A good one without a body still owes its head.
    func finish(_ error: ImageLoadingError?) {
        if error == nil { sendHead() }
        tell([.finished(error)])
    }

    /// Tells what has come: one call for all of it, for each takes locks and wakes threads.
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
            // It may have been the proxy's.
            && attempt?.proxy?.lowercased().hasPrefix("https:") != true
    }

    private func error(for code: CURLcode) -> ImageLoadingError? {
        switch code {
        case CURLE_OK: return errorOfWhole
        case CURLE_FILESIZE_EXCEEDED:
            return .download(.tooLarge(limit: request.maximumByteCount))
        // A line that has no end fills libcurl's own buffer before it comes to us.
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
        // "407 login needed" says more than that there is no tunnel.
        let status = easy?.proxyStatus ?? 0
        if status >= 400 { return .download(.httpStatus(status)) }
        // Without a socket of this request's own the errno is an earlier one's.
        let osError = connection?.hasOpenedSocket == true ? easy?.osError ?? 0 : 0
        return CurlFailure.error(code, osError: osError, requestCount: requestCount)
    }

    /// What libcurl takes for a whole answer and is none: it ends in the head, or in the middle of
    /// what was packed.
    private var errorOfWhole: ImageLoadingError? {
        guard answer.isHeadComplete else { return .transfer(.connectionLost, "connection lost") }
        guard decoder?.isAtEnd ?? true else {
            return .transfer(.connectionLost, "connection lost: packed body cut short")
        }
        return nil
    }
}

// MARK: Called by libcurl

extension CurlTransfer {
    /// Whether a socket may be opened to an address, nil for one that is not IP.
    func mayConnect(to address: IPAddress?) -> Bool {
        connection?.mayConnect(to: address) ?? false
    }

    /// The system gave no socket.
    func noteMissingSocket(_ number: Int32) {
        connection?.missingSocket = number
    }

    /// Whether the request may be sent on a connection to an address, from a port.
    func mayAsk(_ address: IPAddress?, from localPort: Int) -> Bool {
        guard connection?.allows(address) == true else {
            refusal = attempt.map { .privateAddress(of: $0.address) }
            return false
        }
        guard mayAskAgain() else { return false }
        activity = TransferActivity(startAt: SilenceWatch.now())
        return connection?.isClean { sockets.hasUnreadBytes(onPort: localPort) } ?? false
    }

    /// Whether the request may go out once more, if nothing came of it: once, or a server that
    /// closes one kept connection after the other would be asked by libcurl five times and more.
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

    /// Takes a header line; false ends the transfer.
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

    /// Whether that many body bytes are few enough; only asked where a login may be needed.
    func mayGoOn(received: Int) -> Bool {
        if received != hiddenByteCount {
            activity?.note(byteCount: max(0, received - hiddenByteCount), at: SilenceWatch.now())
        }
        hiddenByteCount = received
        guard received > request.maximumByteCount else { return true }
        refusal = refusal ?? .download(.tooLarge(limit: request.maximumByteCount))
        return false
    }

    /// Takes a piece of the body as it came; false ends the transfer.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        // Else `mayGoOn` counts them.
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

    /// Takes a piece of the body, content coding undone; false ends the transfer.
    private func receivePlain(_ bytes: UnsafeRawBufferPointer) -> Bool {
        switch answer.receiveBody(byteCount: bytes.count, limit: request.maximumByteCount) {
        case .drop: return true
        case .breakOff: return false
        case .tooLarge:
            refusal = .download(.tooLarge(limit: request.maximumByteCount))
            return false
        case .keep:
            sendHead()
            // More of it is waiting, so that it will be copied once, and handed on as it is.
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

    /// Only once: trailers come through the same callback.
    private func sendHead() {
        guard !isHeadSent, var head = answer.head else { return }
        isHeadSent = true
        head.hasUnverifiedCertificate = attempt?.acceptsAnyCertificate ?? false
        head.url = redirects.current.text
        untoldHead = head
    }
}
