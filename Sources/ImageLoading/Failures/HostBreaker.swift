/// Keeps a host that fails from being asked by every load: a circuit breaker.
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

/// The breakers of all hosts that have failed lately; bounded.
struct HostBreakers: Sendable {
    /// More hosts than a feed has; what is blank or over goes first when there are more.
    static let capacity = 1_000

    private var breakers: [String: HostBreaker] = [:]

    /// Hosts that something is known of.
    var count: Int { breakers.count }

    /// The hosts that are not asked at the moment, in alphabetical order.
    func unavailableHosts(at now: Duration) -> [String] {
        breakers.filter { $0.value.isUnavailable(at: now) }.keys.sorted()
    }

    func unavailableCount(at now: Duration) -> Int {
        breakers.values.count { $0.isUnavailable(at: now) }
    }

    func isClosed(_ host: String) -> Bool { breakers[host]?.isClosed ?? true }

    func admits(_ host: String, at now: Duration) -> Bool {
        breakers[host]?.admits(at: now) ?? true
    }

    /// Why nothing is sent to a host now; nil if something may be.
    func refusal(of host: String, at now: Duration) -> ImageLoadingError? {
        guard let pause = breakers[host]?.refusal(at: now) else { return nil }
        // Rounded up: "again in 0 s" would be a lie.
        let (seconds, rest) = pause.components
        return .download(
            .hostUnavailable(host: host, seconds: Int(seconds) + (rest > 0 ? 1 : 0))
        )
    }

    mutating func started(_ id: TransferID, on host: String) {
        breakers[host]?.started(id)
    }

    /// True if the host is available again.
    mutating func answered(_ id: TransferID, _ host: String) -> Bool {
        let isBack = breakers[host]?.answered(id) ?? false
        if breakers[host]?.isBlank ?? false { breakers[host] = nil }
        return isBack
    }

    /// True if the host is unavailable from now on.
    mutating func failed(
        _ id: TransferID,
        _ host: String,
        at now: Duration,
        asked: Duration?
    ) -> Bool {
        if breakers[host] == nil { makeRoom(at: now) }
        return breakers[host, default: HostBreaker()].failed(id, at: now, asked: asked)
    }

    mutating func gaveUp(_ id: TransferID, _ host: String, at now: Duration) {
        breakers[host]?.gaveUp(id, at: now)
    }

    mutating func endPause(of host: String, at now: Duration) {
        breakers[host]?.endPause(at: now)
    }

    mutating func removeAll() {
        breakers = [:]
    }

    private mutating func makeRoom(at now: Duration) {
        guard breakers.count >= Self.capacity else { return }
        breakers = breakers.filter { $0.value.isUnavailable(at: now) }
        if breakers.count >= Self.capacity { breakers = [:] }
    }
}

/// What the end or the head of a transfer says about its host.
enum HostHealth: Hashable, Sendable {
    /// It doesn't answer, or says that it can't.
    case failing
    /// It answers; what became of the body is another matter.
    case answering
    /// Nothing: no network, a certificate that isn't trusted, our own memory.
    case unknown

    /// `head` is nil if the transfer ended before one.
    init(head: TransferHead?, error: ImageLoadingError?) {
        if let head {
            let isUnable = head.status == 429 || (500...599).contains(head.status)
            self = isUnable ? .failing : .answering
        } else if let error, error.kind == .transient, !error.isOurLack {
            self = .failing
        } else {
            self = .unknown
        }
    }
}

extension ImageLoadingError {
    fileprivate var isOurLack: Bool {
        guard case .transport(let failure) = reason else { return false }
        return failure.kind == .noResources
    }
}
