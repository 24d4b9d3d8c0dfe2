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
        guard response.allowsHeuristics else { return 0 }
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

extension Freshness {
    /// What a kept response may be used for, for a request with these fields (RFC 9111, 4).
    ///
    /// - A response that was chosen for other fields (`Vary`) must be asked about.
    /// - `isRefresh`: the caller wants to know whether it has changed. A response that is
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

/// What a kept response may be used for.
enum CacheDecision: Hashable, Sendable {
    /// Use it, nobody need be asked.
    case fresh
    /// Use it, and ask the server in the background (`stale-while-revalidate`, RFC 5861).
    case staleUsable
    /// Ask first; use it if asking fails as `covers` allows.
    case mayServeOnError(ErrorCover)
    /// Ask first, and don't use it without the server's consent.
    case mustRevalidate
    /// It should not be there: delete it, and fetch it again.
    case notStorable

    /// Which failures of asking let a stale response be used.
    enum ErrorCover: Hashable, Sendable {
        /// No answer came from the server (RFC 9111, 4.2.4: disconnected).
        case noAnswer
        /// That, and an answer with 5xx (`stale-if-error`, RFC 5861).
        case serverErrors
    }

    /// Whether the response may be used after asking failed with this error.
    ///
    /// Never after a 4xx: the server has spoken. Never after what isn't a failure of asking, such
    /// as a load that was cancelled or forbidden.
    func allowsUse(after error: ImageLoadingError) -> Bool {
        switch self {
        case .fresh, .staleUsable, .mayServeOnError(.serverErrors):
            error.isNoAnswer || (500...599).contains(error.httpStatus ?? 0)
        case .mayServeOnError(.noAnswer): error.isNoAnswer
        case .mustRevalidate, .notStorable: false
        }
    }
}

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

extension ImageLoadingError {
    /// Whether the server can't be asked at present, or its answer got lost on the way.
    fileprivate var isNoAnswer: Bool {
        switch reason {
        case .hostUnavailable: true
        // A moment ago it couldn't be asked; asking again was put off by our own rule.
        case .remembered: isRetryable
        default: stage == .download && isRetryable && httpStatus == nil
        }
    }
}
