/// A body in the disk cache, and what its server said of it.
struct CachedBody: Sendable {
    let bytes: [UInt8]
    /// Nil if nothing is known: a program put it there by hand, or another version of this one.
    let response: CachedResponse?
    /// What it may be used for at the moment it was looked up.
    let decision: CacheDecision

    /// Whether nobody needs to be asked before it is used.
    var answersAtOnce: Bool { decision == .fresh || decision == .staleUsable }
}

/// Decides what a body on disk may be used for.
struct ReuseRule: Sendable {
    let policy: CachePolicy
    let freshness: Freshness

    /// `maximumAge` is how long the disk cache keeps what is not used, which is long enough for a
    /// picture whose server says nothing at all about it.
    init(policy: CachePolicy, maximumAge: Duration?) {
        self.policy = policy
        freshness = Freshness(
            silentLifetime: maximumAge.map { Int(clamping: $0.components.seconds) }
        )
    }

    func body(_ entry: DiskEntry, for key: LoadKey, at now: Int) -> CachedBody {
        let response = CachedResponse(decoding: entry.metadata)
        return CachedBody(
            bytes: entry.bytes,
            response: response,
            decision: decision(for: response, key, at: now)
        )
    }

    func decision(
        for response: CachedResponse?,
        _ key: LoadKey,
        at now: Int
    ) -> CacheDecision {
        guard let response, policy == .respectHTTP else {
            return key.isRefresh ? .mayServeOnError(.serverErrors) : .fresh
        }
        return freshness.decision(
            for: response,
            request: key.headers,
            isRefresh: key.isRefresh,
            at: now
        )
    }

    /// Whether the body of such a response goes onto the disk.
    func mayStore(_ response: CachedResponse) -> Bool {
        policy == .ignoreHTTP || response.mayBeStored
    }
}
