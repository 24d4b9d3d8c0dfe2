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
    private var pacing = PreviewPacing()

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

    /// The beginning of the body, if it is time for another preview.
    mutating func dueBeginning(at now: Duration) -> [UInt8]? {
        let progress = reception.progress
        guard pacing.isDue(reception.body.count, of: progress.expected, at: now) else {
            return nil
        }
        return reception.body
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
