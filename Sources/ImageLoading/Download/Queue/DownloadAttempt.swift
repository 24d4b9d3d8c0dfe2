/// One transfer of a download while it runs.
struct DownloadAttempt: Sendable {
    /// Who it runs for.
    enum Standing: Hashable, Sendable {
        /// For its listeners.
        case listened
        /// For the disk, in the slot it had.
        case detached
        /// For the disk, beside those that have slots.
        case detachedWithoutSlot
    }

    let request: TransferRequest
    /// Body bytes there from before.
    let resumedFrom: Int
    let start: Duration
    /// `start` by the wall clock.
    let startWallTime: Int
    var reception: Reception
    var standing = Standing.listened
    private(set) var headTime: Duration?
    /// Which transfer it is, counted as they are started.
    var number = 0
    /// What its host had answered when it started.
    var answersBefore = 0

    init(_ request: TransferRequest, resuming partial: PartialBody?, at now: Moment) {
        self.request = request
        resumedFrom = partial?.bytes.count ?? 0
        start = now.uptime
        startWallTime = now.wallTime
        reception = Reception(partial: partial)
    }

    /// Takes in the head; false if there was one.
    mutating func receive(_ head: TransferHead, at now: Duration) -> Bool {
        guard headTime == nil else { return false }
        headTime = now
        reception.receive(head, of: request)
        return true
    }

    /// The body that it brought, with the times of the exchange (RFC 9111, 4.2.3).
    ///
    /// The answer counts as come with its head: how long the body took makes it no older.
    func timed(_ body: DownloadedBody) -> DownloadedBody {
        let delay = ((headTime ?? start) - start).components.seconds
        var body = body
        body.times = ExchangeTimes(
            request: startWallTime,
            response: startWallTime &+ Int(clamping: delay)
        )
        return body
    }

    /// What a later transfer could resume, with what `request`'s answer said of it.
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

    /// What becomes of it if all who listen have enough.
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

    /// What it would cost to break it off now.
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
