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
            .transient,
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
