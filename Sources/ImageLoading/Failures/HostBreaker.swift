/// A circuit breaker that limits requests to a failing host.
///
///     closed --5 consecutive failures--> open --timeout--> one probe --answer--> closed
///                                      ^---- failure: timeout x 2 ----|
///
/// While the breaker is open, no requests are sent to the host. The probe is one request that tests
/// whether the host works again. A 429 opens the breaker immediately if its Retry-After is too long
/// for one load.
///
/// Loads that wait for the host send the probe after a tenth of the timeout, so a server that was
/// briefly unavailable is used again soon. If the host itself specified a time, these loads wait
/// until then.
struct HostBreaker: Hashable, Sendable {
    /// The number of consecutive failures that opens the breaker.
    static let failureLimit = 5
    /// The timeout of the first open state; each failed probe doubles the timeout.
    static let firstPause = Duration.seconds(10)
    /// The maximum timeout of an open state.
    static let longestPause = Duration.seconds(300)
    /// The maximum pause that is accepted if the host itself requests it.
    static let longestAskedPause = Duration.seconds(600)
    /// The divisor for the delay before an early probe.
    ///
    /// A load that waits for the host may send the probe after the timeout divided by this number.
    static let probeDivisor = 10

    private enum State: Hashable {
        case closed(failureCount: Int)
        /// The breaker is open; `probe` is the earliest time at which a load that waits for the
        /// host may send the probe.
        case open(until: Duration, probe: Duration, pause: Duration)
        case probing(TransferID, pause: Duration)
    }

    private var state = State.closed(failureCount: 0)
    /// The time before which no transfer starts, because the host requested a short pause.
    ///
    /// Such a pause does not count as a failure.
    private var restEnd = Duration.zero
    /// The time of the host's first failure, or of the last bytes received after it; nil if the
    /// host is not failing.
    private(set) var failingSince: Duration?

    init() {}

    func isBlank(at now: Duration) -> Bool {
        state == .closed(failureCount: 0) && failingSince == nil && restEnd <= now
    }

    /// Whether the breaker is closed; if so, failed transfers may be retried.
    var isClosed: Bool { if case .closed = state { true } else { false } }

    /// Returns how much longer requests to the host fail immediately.
    ///
    /// Returns nil if a transfer may start now, or may wait for the result of the probe.
    func refusal(at now: Duration) -> Duration? {
        guard case .open(let end, _, _) = state, end > now else { return nil }
        return end - now
    }

    /// Returns whether a transfer may start now.
    ///
    /// The first transfer after the timeout is the probe. Before the end of the timeout, the method
    /// is called only for loads that wait for the host; they may send the probe earlier.
    func admits(at now: Duration) -> Bool {
        guard restEnd <= now else { return false }
        return switch state {
        case .closed: true
        case .open(_, let probe, _): probe <= now
        case .probing: false
        }
    }

    /// Returns the time at which a transfer may start.
    ///
    /// Returns nil if a transfer may start now, or must wait for the end of the probe.
    func nextAdmission(at now: Duration) -> Duration? {
        switch state {
        case .closed: restEnd > now ? restEnd : nil
        case .open(_, let probe, _): max(probe, restEnd) > now ? max(probe, restEnd) : nil
        case .probing: nil
        }
    }

    /// Returns whether requests to the host are blocked, except for the probe.
    func isUnavailable(at now: Duration) -> Bool {
        if case .probing = state { true } else { refusal(at: now) != nil }
    }

    /// Records that a transfer has started; if the breaker is open, this transfer is the probe.
    mutating func started(_ id: TransferID) {
        if case .open(_, _, let pause) = state { state = .probing(id, pause: pause) }
    }

    /// Records an answer from the host and returns whether it closed the breaker.
    ///
    /// While the breaker is open, only the answer to the probe counts. A late answer to an older
    /// transfer does not show the current state of the host.
    mutating func answered(_ id: TransferID) -> Bool {
        switch state {
        case .closed:
            state = .closed(failureCount: 0)
            failingSince = nil
            return false
        case .open:
            return false
        case .probing(let probe, _):
            guard probe == id else { return false }
            state = .closed(failureCount: 0)
            failingSince = nil
            return true
        }
    }

    /// Records a failure of the host and returns whether it opened the breaker.
    ///
    /// `asked` is the pause that the host requested, or nil if it requested none.
    mutating func failed(_ id: TransferID, at now: Duration, asked: Duration?) -> Bool {
        failingSince = failingSince ?? now
        let asked = asked.map { min($0, Self.longestAskedPause) }
        switch state {
        case .closed(let count) where asked == nil && count + 1 < Self.failureLimit:
            state = .closed(failureCount: count + 1)
            return false
        case .closed:
            open(for: Self.firstPause, asked, at: now)
            return true
        case .open:
            return false
        case .probing(let probe, let pause):
            guard probe == id else { return false }
            open(for: min(pause * 2, Self.longestPause), asked, at: now)
            return true
        }
    }

    /// Records that the host could not be reached, for a reason that is not the host's fault.
    mutating func wasOutOfReach(at now: Duration) {
        failingSince = failingSince ?? now
    }

    /// Records that the host has sent bytes; if the host is failing, `failingSince` becomes `now`.
    ///
    /// A host that is still sending bytes to any transfer is therefore never treated as having
    /// failed for a long time, even if other transfers from it fail.
    mutating func brought(at now: Duration) {
        if failingSince != nil { failingSince = now }
    }

    /// Prevents new transfers until `end`, because the host requested a pause.
    mutating func rest(until end: Duration) {
        restEnd = max(restEnd, end)
    }

    /// Records that a transfer ended without information about the host.
    ///
    /// If the transfer was the probe, the next transfer becomes the probe.
    mutating func gaveUp(_ id: TransferID, at now: Duration) {
        guard case .probing(let probe, let pause) = state, probe == id else { return }
        state = .open(until: now, probe: now, pause: pause)
    }

    /// Permits a probe now; if the probe fails, the timeout still doubles.
    mutating func endPause(at now: Duration) {
        restEnd = min(restEnd, now)
        guard case .open(let end, _, let pause) = state, end > now else { return }
        state = .open(until: now, probe: now, pause: pause)
    }

    private mutating func open(for pause: Duration, _ asked: Duration?, at now: Duration) {
        let probe = asked ?? pause / Self.probeDivisor
        state = .open(until: now + max(pause, asked ?? .zero), probe: now + probe, pause: pause)
    }
}
