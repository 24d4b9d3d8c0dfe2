internal import DequeModule

/// Remembers URLs and hosts that failed, for as long as asking again is pointless: a pure, bounded
/// table.
///
/// Owned by `ImageManager` under its lock.
struct FailureMemory {
    private enum Key: Hashable {
        /// By cache key.
        case url(String)
        /// By host and port.
        case host(String)
    }

    private struct Failure {
        let subject: String
        let error: ImageLoadingError
        /// Nil: for the rest of the session.
        let expiry: Duration?
        /// Failures in a row.
        let failureCount: Int
        /// Of the bytes that are no picture.
        let contentHash: Int?
    }

    private let capacity: Int
    private var failures: [Key: Failure] = [:]
    /// Keys in the order they were remembered; may hold stale ones, which are skipped.
    private var order: Deque<(key: Key, expiry: Duration?)> = []
    /// Failures in a row of what may be asked again.
    private var failureCounts: [Key: Int] = [:]

    init(capacity: Int = 10_000) {
        self.capacity = capacity
    }

    /// URLs and hosts remembered, expired ones not yet noticed included.
    var count: Int { failures.count }

    /// The error that stands for a remembered failure, or nil if `url` may be asked.
    mutating func error(for url: ImageURL, at now: Duration) -> ImageLoadingError? {
        guard !failures.isEmpty else { return nil }
        for key in Self.keys(of: url) {
            guard let failure = active(key, at: now) else { continue }
            return ImageLoadingError(
                stage: .request,
                kind: failure.error.kind,
                reason: .remembered(
                    text: failure.error.description,
                    seconds: failure.expiry.map { Self.seconds($0 - now) } ?? .max
                )
            )
        }
        return nil
    }

    /// Remembers a failure for its class's time; a class with no time is not remembered.
    ///
    /// `contentHash` stands for the bytes that are no picture, if that is the failure.
    mutating func remember(
        _ error: ImageLoadingError,
        for url: ImageURL,
        at now: Duration,
        contentHash: Int? = nil
    ) {
        let rule = FailureRule(error)
        guard rule.memory != .none else { return }
        let host = url.authority ?? url.cacheKey
        let key = rule.scope == .host ? Key.host(host) : .url(url.cacheKey)
        let failureCount =
            1 + (failures[key]?.failureCount ?? failureCounts.removeValue(forKey: key) ?? 0)
        let lifetime = rule.lifetime(failureCount: failureCount, retryAfter: error.retryAfter)
        let expiry = lifetime.map { now + $0 }
        failures[key] = Failure(
            subject: rule.scope == .host ? host : url.absoluteString,
            error: error,
            expiry: expiry,
            failureCount: failureCount,
            contentHash: contentHash
        )
        order.append((key, expiry))
        while failures.count > capacity || order.count > 2 * capacity { dropOldest() }
    }

    /// The failure of exactly these bytes, so that they are not decoded again in vain.
    ///
    /// `contentHash` is only asked for if there is something to compare it with.
    func failure(of url: ImageURL, contentHash: () -> Int) -> ImageLoadingError? {
        guard let failure = failures[.url(url.cacheKey)], let known = failure.contentHash else {
            return nil
        }
        return known == contentHash() ? failure.error : nil
    }

    /// Any success wipes the slate, that of the host included.
    mutating func forget(_ url: ImageURL) {
        guard !failures.isEmpty || !failureCounts.isEmpty else { return }
        for key in Self.keys(of: url) {
            failures[key] = nil
            failureCounts[key] = nil
        }
    }

    mutating func removeAll() {
        failures = [:]
        failureCounts = [:]
        order = []
    }

    /// What is remembered, in alphabetical order.
    func list(at now: Duration) -> [RememberedFailure] {
        let active = failures.values.filter { $0.expiry ?? .seconds(Int64.max) > now }
        return active.sorted { $0.subject < $1.subject }.map { failure in
            RememberedFailure(
                subject: failure.subject,
                text: failure.error.description,
                remaining: failure.expiry.map { $0 - now }
            )
        }
    }

    // MARK: Steps

    private static func keys(of url: ImageURL) -> [Key] {
        [.url(url.cacheKey)] + (url.authority.map { [.host($0)] } ?? [])
    }

    private static func seconds(_ duration: Duration) -> Int {
        max(1, Int(clamping: duration.components.seconds))
    }

    /// An expired failure is forgotten, but not that it was the last of so many in a row.
    private mutating func active(_ key: Key, at now: Duration) -> Failure? {
        guard let failure = failures[key] else { return nil }
        guard let expiry = failure.expiry, expiry <= now else { return failure }
        failures[key] = nil
        // What it costs to forget them all: a few pauses that are shorter than they could be.
        if failureCounts.count >= capacity { failureCounts = [:] }
        failureCounts[key] = failure.failureCount
        return nil
    }

    private mutating func dropOldest() {
        guard let oldest = order.popFirst() else { return }
        // What was remembered again later has another expiry, and stays.
        if let failure = failures[oldest.key], failure.expiry == oldest.expiry {
            failures[oldest.key] = nil
        }
    }
}

/// A URL or a host that is not asked at the moment, because it failed.
public struct RememberedFailure: Hashable, Sendable {
    /// The URL as it was asked for, or host and port if all of its URLs are meant.
    ///
    /// It may have secrets in it that the URL had.
    public let subject: String
    /// What went wrong, in words.
    public let text: String
    /// How long it will not be asked; nil for the rest of the session.
    public let remaining: Duration?
}
