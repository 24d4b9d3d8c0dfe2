/// Keeps a host that fails from being asked by every load: a circuit breaker.
///
///     closed --5 failures in a row--> open --time is over--> one probe --answer--> closed
///                                      ^----- failure: twice the time -----|
///
/// While it is open nothing is sent to the host. A host that asks to be left alone (429 with a
/// Retry-After too long for one load to wait for) opens it at once. Loads that wait for the host
/// send the probe early, after a tenth of the time, so that a server that was away for a moment is
/// found again soon; unless it has named the time itself.
struct HostBreaker: Hashable, Sendable {
    /// Failures in a row that open it.
    static let failureLimit = 5
    /// How long it is open the first time; each further time twice as long.
    static let firstPause = Duration.seconds(10)
    /// The most it is open at a time.
    static let longestPause = Duration.seconds(300)
    /// The most that a host is left alone because it asks for it.
    static let longestAskedPause = Duration.seconds(600)
    /// The part of a pause after which a load that waits sends the probe.
    static let probeDivisor = 10

    private enum State: Hashable {
        case closed(failureCount: Int)
        /// `probe` is when a load that waits for the host may ask.
        case open(until: Duration, probe: Duration, pause: Duration)
        case probing(TransferID, pause: Duration)
    }

    private var state = State.closed(failureCount: 0)
    /// Nothing is started before this: the host asked for a short rest, which fails nobody.
    private var restEnd = Duration.zero
    /// Since when it fails, without an answer or a byte in between; nil if it doesn't.
    private(set) var failingSince: Duration?

    init() {}

    /// Whether there is anything to know about it.
    func isBlank(at now: Duration) -> Bool {
        state == .closed(failureCount: 0) && failingSince == nil && restEnd <= now
    }

    /// Whether transfers that failed may be tried again at once.
    var isClosed: Bool { if case .closed = state { true } else { false } }

    /// How long nothing is sent; nil if a transfer may start, or wait for the probe's end.
    func refusal(at now: Duration) -> Duration? {
        guard case .open(let end, _, _) = state, end > now else { return nil }
        return end - now
    }

    /// Whether a transfer may start; the first one after the pause is the probe.
    ///
    /// Of those that find the breaker open only loads that wait for the host come here.
    func admits(at now: Duration) -> Bool {
        guard restEnd <= now else { return false }
        return switch state {
        case .closed: true
        case .open(_, let probe, _): probe <= now
        case .probing: false
        }
    }

    /// When a transfer may start; nil if one may, or when the probe ends.
    func nextAdmission(at now: Duration) -> Duration? {
        switch state {
        case .closed: restEnd > now ? restEnd : nil
        case .open(_, let probe, _): max(probe, restEnd) > now ? max(probe, restEnd) : nil
        case .probing: nil
        }
    }

    /// Whether the host is not asked, its one probe apart.
    func isUnavailable(at now: Duration) -> Bool {
        if case .probing = state { true } else { refusal(at: now) != nil }
    }

    /// A transfer that was admitted starts.
    mutating func started(_ id: TransferID) {
        if case .open(_, _, let pause) = state { state = .probing(id, pause: pause) }
    }

    /// The host answered a transfer; true if that closed the breaker.
    ///
    /// While it is open only the probe's word counts: a late answer to an older transfer says
    /// nothing about now.
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

    /// The host failed a transfer, and asked for a pause perhaps; true if that opened the breaker.
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

    /// The host could not be asked, which is not its fault.
    mutating func wasOutOfReach(at now: Duration) {
        failingSince = failingSince ?? now
    }

    /// Bytes of it came: what fails beside them does not fail for long.
    mutating func brought(at now: Duration) {
        if failingSince != nil { failingSince = now }
    }

    /// Starts nothing before a time that the host has asked for.
    mutating func rest(until end: Duration) {
        restEnd = max(restEnd, end)
    }

    /// A transfer ended without a word about the host; if it was the probe, the next one is it.
    mutating func gaveUp(_ id: TransferID, at now: Duration) {
        guard case .probing(let probe, let pause) = state, probe == id else { return }
        state = .open(until: now, probe: now, pause: pause)
    }

    /// Lets a probe through now; a failure of it still doubles the pause.
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
