/// How old a kept response is, and how old it may get (RFC 9111, 4.2).
///
/// Pure: the wall time is given, in seconds since 1970-01-01 UTC.
struct Freshness: Hashable, Sendable {
    /// Seconds beyond which no sum goes; far above any real age, far below an overflow.
    static let limit = 1 << 40
    /// The part of the time since the last change for which a response is taken to be fresh if the
    /// server doesn't say (4.2.2).
    static let heuristicDivisor = 10
    /// The most seconds that this guess may give: a week.
    static let heuristicLimit = 7 * 86_400
    /// How many seconds a response may seem to come from our own future before the clock is
    /// taken to have been set back since.
    static let clockTolerance = 60

    /// Seconds for which a response is fresh that says nothing at all about it; nil means for ever.
    ///
    /// Nothing in RFC 9111 covers it; pictures rarely change under one URL, so it is how long the
    /// disk cache keeps an entry.
    var silentLifetime: Int?

    init(silentLifetime: Int?) {
        self.silentLifetime = silentLifetime
    }

    // MARK: Age

    /// Seconds since the server made the response, as far as anybody can tell (4.2.3).
    ///
    /// A response that we got in our own future has an unknown age, which counts as a great one:
    /// else a clock that ran ahead would keep it fresh until the time has caught up.
    func age(of response: CachedResponse, at now: Int) -> Int {
        let times = response.times
        let received = Self.clamped(times.response)
        let now = Self.clamped(now)
        guard received <= now + Self.clockTolerance else { return Self.limit }
        // Without Date it counts as made when it came (RFC 9110, 6.6.1).
        let apparent = max(0, received - Self.clamped(response.date ?? received))
        let delay = max(0, received - Self.clamped(times.request))
        let corrected = max(0, Self.clamped(response.age ?? 0)) + delay
        let resident = max(0, now - received)
        return max(apparent, corrected) + resident
    }

    // MARK: Lifetime

    /// Seconds for which it is fresh, counted by `age` (4.2.1).
    func lifetime(of response: CachedResponse) -> Int {
        if let maximumAge = response.cacheControl.maximumAge {
            return max(0, Self.clamped(maximumAge))
        }
        let made = Self.clamped(response.date ?? response.times.response)
        if let expires = response.expires { return max(0, Self.clamped(expires) - made) }
        guard let changed = response.lastModified else {
            return silentLifetime.map { max(0, Self.clamped($0)) } ?? Self.limit
        }
        let unchanged = max(0, made - Self.clamped(changed))
        return min(unchanged / Self.heuristicDivisor, Self.heuristicLimit)
    }

    /// Seconds by which it is past its lifetime; negative while it is fresh.
    func staleness(of response: CachedResponse, at now: Int) -> Int {
        age(of: response, at: now) - lifetime(of: response)
    }

    private static func clamped(_ seconds: Int) -> Int { min(max(seconds, -limit), limit) }
}
