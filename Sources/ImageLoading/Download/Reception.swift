/// What a running transfer has brought so far, and whether it is of any use.
///
/// It may begin with the first part of the body, if the request asks for the rest with
/// `ResumeRule.headers`. Work per chunk doesn't depend on what is there already.
struct Reception {
    /// How far to read an answer that is already known to be a failure.
    ///
    /// Up to here it is cheaper to let it end than to break the connection: libcurl needs a new one
    /// after an abort over HTTP/1.1, measured as 10 connections for 10 aborts against 1 for 10
    /// finished transfers.
    static let unwantedByteLimit = 64 << 10
    /// The most that a Content-Length, which is only a promise, makes us reserve at once.
    static let reservationLimit = 4 << 20

    /// What is done with the bytes that come.
    private enum Use: Hashable {
        /// Nothing is known of the answer.
        case unknown
        /// They are the body, and with what stands before them it has so many bytes.
        case body(totalByteCount: Int?)
        /// They are read and dropped.
        case refused(ImageLoadingError)
        /// They are read and dropped, and the request is to be sent without the partial body.
        case unfitting(ImageLoadingError)
    }

    /// The head of the answer to this transfer's request, as it came.
    private(set) var head: TransferHead?
    /// The body from its very start.
    private(set) var body: [UInt8] = []
    /// Body bytes that this transfer brought, kept or not.
    private(set) var receivedByteCount = 0
    /// The part from before, until an answer makes it the start of the body or speaks against it.
    private var start: PartialBody?
    /// The length of the part from before, once it is the start of the body.
    private var resumedByteCount: Int?
    private var use = Use.unknown
    /// That of the part from before, once it is the start of the body.
    private var resumedValidator: String?

    /// What the rest can be asked for with; nil if the response doesn't allow it.
    ///
    /// Read out of the head when it is asked for: most bodies come whole.
    private var validator: String? {
        guard case .body = use else { return nil }
        return resumedValidator ?? head.flatMap(ResumeRule.validator(of:))
    }

    /// Begins with nothing, or with the part of the body that the request leaves out.
    init(partial: PartialBody? = nil) {
        start = partial
    }

    // MARK: How far it is

    /// Of the whole body: a part from before counts from the head on.
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

    /// Bytes that were announced and need not be sent if the transfer stops here.
    ///
    /// Of a body that is refused, or of a 304, nothing would have come: its length is only words,
    /// and may be any number.
    var missingByteCount: Int {
        guard case .body(let total?) = use else { return 0 }
        return max(0, total - body.count)
    }

    /// Why the body is read but not kept.
    var refusal: ImageLoadingError? {
        switch use {
        case .refused(let error), .unfitting(let error): error
        case .unknown, .body: nil
        }
    }

    /// Whether reading to the end of a refused answer would cost more than a new connection.
    var isWorthStopping: Bool {
        refusal != nil
            && max(receivedByteCount, head?.expectedByteCount ?? 0) > Self.unwantedByteLimit
    }

    /// What a later transfer could resume if this one stopped here.
    ///
    /// Shares its bytes with `body`, so that nothing is copied unless more of them come.
    ///
    /// What was there from before stays as long as no answer speaks against it: it outlives a
    /// lost connection and a 503, but not a 404.
    var partial: PartialBody? { partial(ofAtLeast: ResumeRule.minimumByteCount) }

    /// The same, of a body that is worth keeping from `minimum` bytes on.
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

    /// Takes in the head; a second one is ignored.
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
        // A small body comes in one piece, which need not be copied.
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

    /// A 304 has no body, though it may name the length of the one that has not changed.
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

    /// The end, seen from the listeners: `error` is the transport's word on it.
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

    /// The body so far, with the head of the whole; nil while it is not known to be one.
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

/// How a transfer ended, seen from the listeners.
enum ReceptionOutcome: Hashable, Sendable {
    /// With a whole body, or with a 304 that was asked for.
    case success(DownloadedBody)
    /// With an error; `Reception.partial` tells what can be resumed.
    case failure(ImageLoadingError)
    /// With an answer that doesn't fit the partial body: send the request once more without it.
    ///
    /// The error is the reason. It can't come twice: only a reception that began with a partial
    /// body ends so.
    case restart(ImageLoadingError)
}
