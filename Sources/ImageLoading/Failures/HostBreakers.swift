/// The circuit breakers of all hosts that failed recently.
struct HostBreakers: Sendable {
    /// The maximum number of breakers; typical feeds have fewer hosts.
    ///
    /// To make room for another breaker, the breakers of all available hosts are removed. If no
    /// host is available, all breakers are removed.
    static let capacity = 1_000

    private var breakers: [String: HostBreaker] = [:]

    var count: Int { breakers.count }

    /// Returns the hosts that receive no requests except a probe, in alphabetical order.
    func unavailableHosts(at now: Duration) -> [String] {
        breakers.filter { $0.value.isUnavailable(at: now) }.keys.sorted()
    }

    func unavailableCount(at now: Duration) -> Int {
        breakers.values.count { $0.isUnavailable(at: now) }
    }

    /// Returns the time of a host's first failure, or of the last bytes received after it; nil if
    /// the host is not failing.
    func failingSince(_ host: String) -> Duration? { breakers[host]?.failingSince }

    /// Returns the time at which a request to a host may be sent.
    ///
    /// Returns nil if a request may be sent now, or if the result of a probe is pending.
    func nextAdmission(of host: String, at now: Duration) -> Duration? {
        breakers[host]?.nextAdmission(at: now)
    }

    func isClosed(_ host: String) -> Bool { breakers[host]?.isClosed ?? true }

    func admits(_ host: String, at now: Duration) -> Bool {
        breakers[host]?.admits(at: now) ?? true
    }

    /// Returns the error for requests to a host, or nil if they do not fail immediately.
    func refusal(of host: String, at now: Duration) -> ImageLoadingError? {
        guard let pause = breakers[host]?.refusal(at: now) else { return nil }
        // Round up, so the text never says "again in 0 s".
        let (seconds, rest) = pause.components
        return .download(
            .hostUnavailable(host: host, seconds: Int(seconds) + (rest > 0 ? 1 : 0))
        )
    }

    mutating func started(_ id: TransferID, on host: String) {
        breakers[host]?.started(id)
    }

    /// Records an answer from a host and returns whether it has become available again.
    mutating func answered(_ id: TransferID, _ host: String, at now: Duration) -> Bool {
        let isBack = breakers[host]?.answered(id) ?? false
        if breakers[host]?.isBlank(at: now) ?? false { breakers[host] = nil }
        return isBack
    }

    /// Records a failure of a host and returns whether it has become unavailable.
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

/// The health of a host, derived from the response head or the error of one transfer.
enum HostHealth: Hashable, Sendable {
    /// The host does not answer, or reports that it currently cannot answer requests.
    case failing
    /// The host answers; the body may be incomplete or unusable.
    case answering
    /// The transfer provides no information about the host: there is no network, the certificate is
    /// untrusted, or this process has too little memory.
    case unknown

    /// Derives the health from the response head and the error of a transfer.
    ///
    /// `head` is nil if the transfer ended before it received a response head.
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
