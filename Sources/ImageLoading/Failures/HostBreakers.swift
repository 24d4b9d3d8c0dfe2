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

    /// Since when a host fails, without an answer or a byte in between.
    func failingSince(_ host: String) -> Duration? { breakers[host]?.failingSince }

    /// When something may be sent to a host that nothing may be sent to now; nil if that is not up
    /// to time.
    func nextAdmission(of host: String, at now: Duration) -> Duration? {
        breakers[host]?.nextAdmission(at: now)
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
    mutating func answered(_ id: TransferID, _ host: String, at now: Duration) -> Bool {
        let isBack = breakers[host]?.answered(id) ?? false
        if breakers[host]?.isBlank(at: now) ?? false { breakers[host] = nil }
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

    mutating func wasOutOfReach(_ host: String, at now: Duration) {
        if breakers[host] == nil { makeRoom(at: now) }
        breakers[host, default: HostBreaker()].wasOutOfReach(at: now)
    }

    mutating func brought(_ host: String, at now: Duration) {
        breakers[host]?.brought(at: now)
    }

    mutating func rest(_ host: String, until end: Duration, at now: Duration) {
        if breakers[host] == nil { makeRoom(at: now) }
        breakers[host, default: HostBreaker()].rest(until: end)
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
            let isUnable = FailureRule(.httpStatus(head.status)).kind == .transient
            let isBusy = head.status == 429 || (500...599).contains(head.status)
            self = isUnable && isBusy ? .failing : .answering
        } else if let error, error.kind == .transient, !error.isOurLack {
            self = .failing
        } else {
            self = .unknown
        }
    }
}
