/// The bytes that a running transfer has received and whether they are kept or dropped.
///
/// If the request resumes a partial body (`ResumeRule.headers`), the bytes start with that body.
/// The work per chunk does not depend on the number of bytes already received.
struct Reception {
    /// The maximum size of a refused response that is read completely, in bytes.
    ///
    /// Up to this size, reading is cheaper than closing the connection: with HTTP/1.1, libcurl
    /// needed 10 connections for 10 aborted transfers, and 1 for 10 complete transfers.
    static let unwantedByteLimit = 64 << 10
    /// The maximum number of bytes reserved for an announced Content-Length, which may be wrong.
    static let reservationLimit = 4 << 20

    /// Whether the received bytes are kept as the body or dropped.
    private enum Use: Hashable {
        /// The response head has not been received.
        case unknown
        /// The bytes belong to the body; the total length includes a resumed partial body.
        case body(totalByteCount: Int?)
        /// The response is refused because of this error; its bytes are read and dropped.
        case refused(ImageLoadingError)
        /// The bytes are read and dropped; the request must be repeated without the partial body.
        case unfitting(ImageLoadingError)
    }

    /// The head of this transfer's response, as received.
    private(set) var head: TransferHead?
    /// The body from its first byte; includes the partial body after a response has confirmed it.
    private(set) var body: [UInt8] = []
    /// The number of body bytes that this transfer has received, including dropped bytes.
    private(set) var receivedByteCount = 0
    /// The partial body, until a response confirms or rejects it.
    private var start: PartialBody?
    /// The length of the partial body, after a response has confirmed it.
    private var resumedByteCount: Int?
    private var use = Use.unknown
    /// The validator of the partial body, after a response has confirmed it.
    private var resumedValidator: String?

    /// The validator for requesting the rest of the body; nil if the response does not allow this.
    ///
    /// It is computed on demand, because most bodies arrive completely.
    private var validator: String? {
        guard case .body = use else { return nil }
        return resumedValidator ?? head.flatMap(ResumeRule.validator(of:))
    }

    /// Creates an empty reception, or a reception for a request that resumes `partial`.
    init(partial: PartialBody? = nil) {
        start = partial
    }

    // MARK: Progress

    /// The progress of the whole body.
    ///
    /// A partial body counts only after a response has confirmed it.
    var progress: LoadProgress {
        guard case .body(let total) = use else {
            return LoadProgress(received: receivedByteCount, expected: head?.expectedByteCount)
        }
        return LoadProgress(
            received: body.count,
            expected: total,
            resumedFrom: resumedByteCount ?? 0
        )
    }

    /// The number of announced bytes that would not be received if the transfer stopped now.
    ///
    /// The value is 0 for a refused response and for a 304. A 304 has no body, so the length that
    /// it announces has no meaning.
    var missingByteCount: Int {
        guard case .body(let total?) = use else { return 0 }
        return max(0, total - body.count)
    }

    /// The reason why the received bytes are dropped; nil if they are kept.
    var refusal: ImageLoadingError? {
        switch use {
        case .refused(let error), .unfitting(let error): error
        case .unknown, .body: nil
        }
    }

    /// Whether the transfer must be stopped because its response is refused and longer than
    /// `unwantedByteLimit`.
    ///
    /// Reading such a response completely would cost more than a new connection.
    var isWorthStopping: Bool {
        refusal != nil
            && max(receivedByteCount, head?.expectedByteCount ?? 0) > Self.unwantedByteLimit
    }

    /// The part of the body that a later transfer could resume if this transfer stopped now.
    ///
    /// It shares its bytes with `body`, so the bytes are copied only if more bytes arrive. A
    /// partial body of an earlier transfer is kept unless a response rejects it: it is kept after a
    /// lost connection or a 503, but not after a 404.
    var partial: PartialBody? { partial(ofAtLeast: ResumeRule.minimumByteCount) }

    /// Returns the part of the body that a later transfer could resume.
    ///
    /// Returns nil if a later transfer must request the whole body. If this transfer has received a
    /// body, the part must have at least `minimum` bytes.
    func partial(ofAtLeast minimum: Int) -> PartialBody? {
        switch use {
        case .unknown: start
        case .body(let total):
            validator.flatMap {
                ResumeRule.partial(body, validator: $0, total: total, minimum: minimum)
            }
        case .refused(let error): error.isRetryable ? start : nil
        case .unfitting: nil
        }
    }

    // MARK: Receiving

    /// Processes the response head; a second head is ignored.
    mutating func receive(_ head: TransferHead, of request: TransferRequest) {
        guard self.head == nil else { return }
        self.head = head
        use = start.map { resumed($0, head, request) } ?? whole(head, request)
        if case .body(let total?) = use, total > request.maximumByteCount {
            use = .refused(.download(.tooLarge(limit: request.maximumByteCount)))
        }
    }

    mutating func receive(_ chunk: [UInt8]) {
        receivedByteCount += chunk.count
        guard case .body(let total) = use else { return }
        // A small body arrives in one piece and need not be copied.
        guard !body.isEmpty || chunk.count != total else {
            body = chunk
            return
        }
        if let total, body.capacity < total {
            body.reserveCapacity(min(total, max(body.count, Self.reservationLimit)))
        }
        body.append(contentsOf: chunk)
    }

    private mutating func resumed(
        _ partial: PartialBody,
        _ head: TransferHead,
        _ request: TransferRequest
    ) -> Use {
        switch ResumeRule.decision(on: head, for: partial) {
        case .resume(let total):
            resume(from: partial)
            return .body(totalByteCount: total)
        case .restart:
            start = nil
            return .body(totalByteCount: head.expectedByteCount)
        case .retryWhole(let error): return .unfitting(error)
        case .none: return whole(head, request)
        }
    }

    private mutating func resume(from partial: PartialBody) {
        resumedByteCount = partial.bytes.count
        body = partial.bytes
        resumedValidator = partial.validator
        start = nil
    }

    /// Returns how to use the bytes of a response that does not resume a partial body.
    ///
    /// A 304 has no body, even if it announces the length of the unchanged body.
    private func whole(_ head: TransferHead, _ request: TransferRequest) -> Use {
        refusal(by: head, request).map { .refused($0) }
            ?? .body(totalByteCount: head.status == 304 ? nil : head.expectedByteCount)
    }

    private func refusal(
        by head: TransferHead,
        _ request: TransferRequest
    ) -> ImageLoadingError? {
        if let error = HTTPStatusRule(request).error(for: head.status) { return error }
        guard request.policy.heedsRobotsTag else { return nil }
        let word = head.headers[RobotsTag.fieldName].flatMap { RobotsTag.refusal(in: $0) }
        return word.map { .download(.robotsForbidden("X-Robots-Tag: \($0)")) }
    }

    // MARK: The end

    /// Returns the outcome for the listeners; `error` is the transport's error, if any.
    func outcome(_ error: ImageLoadingError?) -> ReceptionOutcome {
        if case .unfitting(let reason) = use { return .restart(reason) }
        if let failure = refusal ?? error { return .failure(failure) }
        guard let head, case .body(let total) = use else {
            return .failure(.transfer(.connectionLost, "no response"))
        }
        if let total, total != body.count {
            let reason = ImageLoadingError.Reason.lengthMismatch(
                received: body.count,
                expected: total
            )
            return .failure(.download(reason))
        }
        guard !body.isEmpty || head.status == 304 else {
            return .failure(.download(.emptyBody))
        }
        var whole = DownloadedBody(bytes: body, head: whole(head, byteCount: body.count))
        whole.isResumed = resumedByteCount != nil
        return .success(whole)
    }

    /// The received part of the body, with the head of the complete body; nil if no bytes of the
    /// body have been received.
    var partialBody: DownloadedBody? {
        guard let head, case .body(let total) = use, !body.isEmpty else { return nil }
        var partial = DownloadedBody(bytes: body, head: whole(head, byteCount: total))
        partial.isPartial = true
        return partial
    }

    private func whole(_ head: TransferHead, byteCount: Int?) -> TransferHead {
        guard resumedByteCount != nil, let validator, let byteCount else { return head }
        return head.completing(validator: validator, totalByteCount: byteCount)
    }
}

/// The outcome of a transfer for its listeners.
enum ReceptionOutcome: Hashable, Sendable {
    /// A complete body, or a requested 304.
    case success(DownloadedBody)
    /// An error; `Reception.partial` contains the part that can be resumed.
    case failure(ImageLoadingError)
    /// The response does not match the partial body, so the request must be repeated without it.
    ///
    /// The error is the reason. A download cannot restart twice, because only a request with a
    /// partial body can restart.
    case restart(ImageLoadingError)
}
