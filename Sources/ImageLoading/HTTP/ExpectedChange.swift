/// When it is worth asking a server unasked whether a picture is another one now: what it says itself
/// of cameras and charts, and of hardly anything else.
extension Freshness {
    /// Seconds; whoever wants to know it sooner says so.
    static let soonestChange = 5
    /// Seconds: a longer lifetime says no more than that a cache may keep the picture.
    static let latestChange = 300
    /// Seconds; where the server gives no lifetime, its pictures have changed within two minutes.
    static let latestGuessedChange = 60

    /// Seconds from now; nil if the server does not say that the picture changes soon.
    ///
    /// It says so by `max-age` or `Expires`, or by `Last-Modified` shortly before the answer: then it is
    /// half the time between, which grows while nothing changes. Of a file that is new and stays as it
    /// is, that asks eight times.
    func expectedChange(of response: CachedResponse, at now: Int) -> Int? {
        let rules = response.cacheControl
        guard !rules.isImmutable else { return nil }
        let made = response.date ?? response.times.response
        if rules.maximumAge ?? response.expires.map({ $0 &- made }) ?? 0 > 0 {
            guard lifetime(of: response) <= Self.latestChange else { return nil }
            return max(Self.soonestChange, -staleness(of: response, at: now))
        }
        guard let changed = response.lastModified else { return nil }
        let half = max(0, made &- changed) / 2
        return half > Self.latestGuessedChange ? nil : max(Self.soonestChange, half)
    }
}
