/// The rules for the age and the lifetime of a stored response (RFC 9111, 4.2).
///
/// The type has no side effects. The current time is a parameter, in seconds since 1970-01-01 UTC.
struct Freshness: Hashable, Sendable {
    /// The maximum of all times and durations, in seconds.
    ///
    /// It is greater than any real age but small enough to prevent overflows.
    static let limit = 1 << 40
    /// The divisor for the heuristic lifetime, which applies if the server specifies no lifetime
    /// (4.2.2).
    ///
    /// The heuristic lifetime is the time from Last-Modified to the response, divided by this
    /// number.
    static let heuristicDivisor = 10
    /// The maximum heuristic lifetime in seconds: one week.
    static let heuristicLimit = 7 * 86_400
    /// The number of seconds by which the receipt time of a response may exceed the current time.
    ///
    /// A greater difference means that the clock has been set back.
    static let clockTolerance = 60

    /// The lifetime in seconds of a response without `max-age`, Expires or Last-Modified; nil means
    /// no limit.
    ///
    /// RFC 9111 does not cover this case. Images rarely change at the same URL, so the lifetime is
    /// as long as the disk cache keeps an entry. An image with an entity tag is fresh only until
    /// the end of the session, because it can be revalidated.
    var silentLifetime: Int?
    /// The time at which the session began; responses up to this time are from earlier sessions.
    var sessionStart: Int

    init(silentLifetime: Int?, sessionStart: Int = .max) {
        self.silentLifetime = silentLifetime
        self.sessionStart = sessionStart
    }

    // MARK: Age

    /// Returns the known age of a response: the number of seconds since the server created it
    /// (4.2.3).
    ///
    /// If the receipt time exceeds the current time by more than `clockTolerance`, the clock was
    /// ahead when the response was received. The age is then unknown, and `limit` is returned.
    /// Without this rule, the response would stay fresh until its receipt time.
    func age(of response: CachedResponse, at now: Int) -> Int {
        let times = response.times
        let received = Self.clamped(times.response)
        let now = Self.clamped(now)
        guard received <= now + Self.clockTolerance else { return Self.limit }
        // Without Date, the time of arrival counts as the time of creation (RFC 9110, 6.6.1).
        let apparent = max(0, received - Self.clamped(response.date ?? received))
        let delay = max(0, received - Self.clamped(times.request))
        let corrected = max(0, Self.clamped(response.age ?? 0)) + delay
        let resident = max(0, now - received)
        return max(apparent, corrected) + resident
    }

    // MARK: Lifetime

    /// Returns the number of seconds the response is fresh; compare it with `age` (4.2.1).
    func lifetime(of response: CachedResponse) -> Int {
        if let maximumAge = response.cacheControl.maximumAge {
            return max(0, Self.clamped(maximumAge))
        }
        let made = Self.clamped(response.date ?? response.times.response)
        if let expires = response.expires { return max(0, Self.clamped(expires) - made) }
        guard response.allowsHeuristics else { return 0 }
        guard let changed = response.lastModified else {
            guard response.entityTag == nil || response.times.response > sessionStart else {
                return 0
            }
            return silentLifetime.map { max(0, Self.clamped($0)) } ?? Self.limit
        }
        let unchanged = max(0, made - Self.clamped(changed))
        return min(unchanged / Self.heuristicDivisor, Self.heuristicLimit)
    }

    /// Returns the number of seconds since the response became stale; negative while it is fresh.
    func staleness(of response: CachedResponse, at now: Int) -> Int {
        age(of: response, at: now) - lifetime(of: response)
    }

    private static func clamped(_ seconds: Int) -> Int { min(max(seconds, -limit), limit) }
}

extension Freshness {
    /// Returns how a stored response may be used for a request (RFC 9111, section 4).
    ///
    /// `request` contains the header fields of the request. If the response's `Vary` does not match
    /// them, the response must be revalidated. If `isRefresh` is true, a fresh response is also
    /// revalidated, unless it is `immutable` (RFC 8246).
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

/// How a stored response may be used.
enum CacheDecision: Hashable, Sendable {
    /// Use the response without a request.
    case fresh
    /// Use the response and revalidate it in the background (`stale-while-revalidate`, RFC 5861).
    case staleUsable
    /// Revalidate first; if the revalidation fails with an error that `ErrorCover` permits, use the
    /// response.
    case mayServeOnError(ErrorCover)
    /// Revalidate first; use the response only if the server confirms it.
    case mustRevalidate
    /// The response must not be stored: delete it and load the resource again.
    case notStorable

    /// The revalidation errors after which a stale response may be used.
    enum ErrorCover: Hashable, Sendable {
        /// The server did not respond (RFC 9111, 4.2.4: disconnected).
        case noAnswer
        /// The server did not respond, or responded with a 5xx status (`stale-if-error`, RFC 5861).
        case serverErrors
    }

    /// Returns whether the response may be used after its revalidation failed with `error`.
    ///
    /// A 4xx status is a valid response, so the stored response may not be used after it, nor after
    /// a load that was cancelled or rejected.
    func allowsUse(after error: ImageLoadingError) -> Bool {
        switch self {
        case .fresh, .staleUsable, .mayServeOnError(.serverErrors):
            error.isNoAnswer || (500...599).contains(error.httpStatus ?? 0)
        case .mayServeOnError(.noAnswer): error.isNoAnswer
        case .mustRevalidate, .notStorable: false
        }
    }
}

/// Estimates of when an image will change, for automatic updates.
///
/// Servers specify short lifetimes for camera images and charts, but rarely for other images.
extension Freshness {
    /// The minimum interval between updates, in seconds; the user can specify a shorter interval.
    static let soonestChange = 5
    /// The maximum lifetime of an image that is expected to change, in seconds.
    ///
    /// A longer lifetime only permits caching; it does not predict a change.
    static let latestChange = 300
    /// The maximum interval between updates if the server specifies no lifetime, in seconds.
    static let latestGuessedChange = 60

    /// Returns the number of seconds until the expected change; nil if no change is expected soon.
    ///
    /// If `max-age` or `Expires` specifies a lifetime, a change is expected if the lifetime is at
    /// most `latestChange`.
    ///
    /// If neither specifies a lifetime, the interval is half the time from `Last-Modified` to the
    /// response. It grows as long as the image does not change. If it exceeds
    /// `latestGuessedChange`, no change is expected. A new file that does not change is therefore
    /// requested eight times.
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

extension ImageLoadingError {
    /// Whether the server is currently unreachable or its response was lost.
    fileprivate var isNoAnswer: Bool {
        switch reason {
        case .hostUnavailable: true
        // The server could not be reached a moment ago, so this program postponed the next attempt.
        case .remembered: isRetryable
        default: stage == .download && isRetryable && httpStatus == nil
        }
    }
}
