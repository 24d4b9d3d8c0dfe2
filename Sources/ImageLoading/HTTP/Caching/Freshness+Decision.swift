extension Freshness {
    /// What a kept response may be used for, for a request with these fields (RFC 9111, 4).
    ///
    /// - A response that was chosen for other fields (`Vary`) must be asked about.
    /// - `isRefresh`: the caller wants to know whether it has changed (row M15). A response that is
    ///   fresh is then asked about too, unless it is `immutable` (RFC 8246).
    func decision(
        for response: CachedResponse,
        request: [HeaderField],
        isRefresh: Bool = false,
        at now: Int
    ) -> CacheDecision {
        let rules = response.cacheControl
        guard response.mayBeStored else { return .notStorable }
        guard !rules.alwaysRevalidates, response.vary.matches(request) else {
            return .mustRevalidate
        }
        let staleness = staleness(of: response, at: now)
        if staleness < 0 {
            return isRefresh && !rules.isImmutable ? .mayServeOnError(.serverErrors) : .fresh
        }
        guard !rules.mustRevalidate else { return .mustRevalidate }
        if !isRefresh, staleness < rules.staleWhileRevalidate ?? 0 { return .staleUsable }
        return .mayServeOnError(
            staleness < rules.staleIfError ?? 0 ? .serverErrors : .noAnswer
        )
    }
}
