/// Keeps a host that fails from being asked by every load: a circuit breaker (idea 9).
///
///     closed --5 failures in a row--> open --time is over--> one probe --answer--> closed
///                                      ^----- failure: twice the time -----|
///
/// While it is open nothing is sent to the host. A host that asks to be left alone (429 with a
/// Retry-After too long to wait for) opens it at once.
struct HostBreaker: Hashable, Sendable {
    /// Failures in a row that open it.
    static let failureLimit = 5
    /// How long it is open the first time; each further time twice as long.
    static let firstPause = Duration.seconds(10)
    /// The most it is open at a time.
    static let longestPause = Duration.seconds(300)
    /// The most that a host is left alone because it asks for it.
    static let longestAskedPause = Duration.seconds(600)

    private enum State: Hashable {
        case closed(failureCount: Int)
        case open(until: Duration, pause: Duration)
        case probing(TransferID, pause: Duration)
    }

    private var state = State.closed(failureCount: 0)

    init() {}

    /// Whether there is anything to know about it.
    var isBlank: Bool { state == .closed(failureCount: 0) }

    /// Whether transfers that failed may be tried again at once.
    var isClosed: Bool { if case .closed = state { true } else { false } }

    /// How long nothing is sent; nil if a transfer may start, or wait for the probe's end.
    func refusal(at now: Duration) -> Duration? {
        guard case .open(let end, _) = state, end > now else { return nil }
        return end - now
    }

    /// Whether a transfer may start; the first one after the pause is the probe.
    func admits(at now: Duration) -> Bool {
        switch state {
        case .closed: true
        case .open(let end, _): end <= now
        case .probing: false
        }
    }

    /// Whether the host is not asked, its one probe apart.
    func isUnavailable(at now: Duration) -> Bool {
        if case .probing = state { true } else { refusal(at: now) != nil }
    }

    /// A transfer that was admitted starts.
    mutating func started(_ id: TransferID) {
        if case .open(_, let pause) = state { state = .probing(id, pause: pause) }
    }

    /// The host answered a transfer; true if that closed the breaker.
    ///
    /// While it is open only the probe's word counts: a late answer to an older transfer says
    /// nothing about now.
    mutating func answered(_ id: TransferID) -> Bool {
        switch state {
        case .closed:
            state = .closed(failureCount: 0)
            return false
        case .open:
            return false
        case .probing(let probe, _):
            guard probe == id else { return false }
            state = .closed(failureCount: 0)
            return true
        }
    }

    /// The host failed a transfer, and asked for a pause perhaps; true if that opened the breaker.
    mutating func failed(_ id: TransferID, at now: Duration, asked: Duration?) -> Bool {
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

    /// A transfer ended without a word about the host; if it was the probe, the next one is it.
    mutating func gaveUp(_ id: TransferID, at now: Duration) {
        guard case .probing(let probe, let pause) = state, probe == id else { return }
        state = .open(until: now, pause: pause)
    }

    /// Lets a probe through now; a failure of it still doubles the pause.
    mutating func endPause(at now: Duration) {
        guard case .open(let end, let pause) = state, end > now else { return }
        state = .open(until: now, pause: pause)
    }

    private mutating func open(for pause: Duration, _ asked: Duration?, at now: Duration) {
        state = .open(until: now + max(pause, asked ?? .zero), pause: pause)
    }
}
