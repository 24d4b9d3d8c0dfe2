/// A running transfer of a download.
struct DownloadAttempt: Sendable {
    /// Whether the transfer has listeners, and whether it takes a slot.
    ///
    /// A slot permits one running transfer; the number of slots is limited.
    enum Standing: Hashable, Sendable {
        /// At least one listener is waiting for the transfer.
        case listened
        /// The transfer continues without listeners for the disk cache and keeps its slot.
        case detached
        /// The transfer continues without listeners for the disk cache, in addition to the
        /// transfers with slots.
        case detachedWithoutSlot
    }

    let request: TransferRequest
    /// The length of the partial body that this transfer resumes, in bytes.
    ///
    /// 0 if the transfer requests the whole body.
    let resumedFrom: Int
    let start: Duration
    /// The wall-clock time of the start, in seconds since 1970-01-01 UTC.
    let startWallTime: Int
    var reception: Reception
    var standing = Standing.listened
    private(set) var headTime: Duration?
    /// The number of the transfer; transfers are numbered in the order they start.
    var number = 0
    /// The number of responses that the host had sent when the transfer started.
    var answersBefore = 0

    init(_ request: TransferRequest, resuming partial: PartialBody?, at now: Moment) {
        self.request = request
        resumedFrom = partial?.bytes.count ?? 0
        start = now.uptime
        startWallTime = now.wallTime
        reception = Reception(partial: partial)
    }

    /// Processes the response head; returns false if a head has already been received.
    mutating func receive(_ head: TransferHead, at now: Duration) -> Bool {
        guard headTime == nil else { return false }
        headTime = now
        reception.receive(head, of: request)
        return true
    }

    /// Returns the body with the times of its request and response (RFC 9111, 4.2.3).
    ///
    /// The response counts as received when its head arrives, so the time for receiving the body
    /// does not add to the age of the response.
    func timed(_ body: DownloadedBody) -> DownloadedBody {
        let delay = ((headTime ?? start) - start).components.seconds
        var body = body
        body.times = ExchangeTimes(
            request: startWallTime,
            response: startWallTime &+ Int(clamping: delay)
        )
        return body
    }

    /// Returns the part of the body that a later transfer could resume, with the response metadata.
    ///
    /// Returns nil if there is no such part.
    func partial(
        of request: DownloadRequest,
        ofAtLeast minimum: Int = ResumeRule.minimumByteCount
    ) -> PartialBody? {
        guard var partial = reception.partial(ofAtLeast: minimum) else { return nil }
        if let body = reception.partialBody.map(timed), let times = body.times {
            partial.response = CachedResponse(body.head, of: request.headers, times: times)
        }
        return partial
    }

    /// Returns the rule that applies when all listeners of this transfer have received enough
    /// bytes.
    func earlyStopRule(
        for request: DownloadRequest,
        roundTrip: Duration?,
        at now: Duration
    ) -> EarlyStopRule {
        let control = CacheControl(reception.head?.headers["cache-control"] ?? "")
        return EarlyStopRule(
            transfer: detachRule(roundTrip: roundTrip, at: now),
            keepsBody: request.place != nil && !control.forbidsStorage,
            keepsPartial: reception.partial(ofAtLeast: 1) != nil
        )
    }

    /// Returns the rule that compares the cost of finishing the transfer with the cost of stopping
    /// it.
    func detachRule(roundTrip: Duration?, at now: Duration) -> DetachRule {
        let received = reception.receivedByteCount
        return DetachRule(
            remainingByteCount: reception.head?.expectedByteCount.map { max(0, $0 &- received) },
            receivedByteCount: received,
            elapsed: headTime.map { now - $0 } ?? .zero,
            roundTrip: roundTrip,
            isSecure: request.url.hasPrefix("https:"),
            httpVersion: reception.head?.httpVersion
        )
    }
}
