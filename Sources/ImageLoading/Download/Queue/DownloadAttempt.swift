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
    var reception: Reception
    var standing = Standing.listened
    private(set) var headTime: Duration?
    private var pacing = PreviewPacing()

    init(_ request: TransferRequest, resuming partial: PartialBody?, at now: Duration) {
        self.request = request
        resumedFrom = partial?.bytes.count ?? 0
        start = now
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
