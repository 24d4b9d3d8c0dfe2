internal import DequeModule

/// A table of the URLs and hosts that have failed and must not be requested again yet.
///
/// The size of the table is limited. This type has no side effects; `LoadEngine` owns the table and
/// protects it with a lock.
struct FailureMemory {
    private enum Key: Hashable {
        case url(String)
        /// A host with its port.
        case host(String)
    }

    private struct Failure {
        let subject: String
        let error: ImageLoadingError
        /// The time at which the failure is forgotten, or nil if it is kept until the end of the
        /// session.
        let expiry: Duration?
        /// The number of consecutive failures.
        let failureCount: Int
        /// The hash of the received bytes, if they are not an image.
        let contentHash: Int?
    }

    private let capacity: Int
    private var failures: [Key: Failure] = [:]
    /// The keys in the order their failures were stored.
    ///
    /// The list may also contain keys whose failures were removed or replaced; these keys are
    /// skipped.
    private var order: Deque<(key: Key, expiry: Duration?)> = []
    /// The number of consecutive failures of each key whose stored failure has expired.
    private var failureCounts: [Key: Int] = [:]

    init(capacity: Int = 10_000) {
        self.capacity = capacity
    }

    /// The number of stored failures, including expired failures that have not been removed yet.
    var count: Int { failures.count }

    /// Returns the error of a stored failure, or nil if `url` may be requested.
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

    /// Stores a failure for the time that its `FailureRule` specifies, which may be zero.
    ///
    /// If the load failed because the received bytes are not an image, `contentHash` is their hash.
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

    /// Returns the stored failure of a URL if the same bytes were received again, or nil otherwise.
    ///
    /// Decoding the same bytes would fail again. `contentHash` returns the hash of the received
    /// bytes and is called only if a hash is stored for the URL.
    func failure(of url: ImageURL, contentHash: () -> Int) -> ImageLoadingError? {
        guard let failure = failures[.url(url.cacheKey)], let known = failure.contentHash else {
            return nil
        }
        return known == contentHash() ? failure.error : nil
    }

    /// Removes the failures of a URL and of its host after a successful load.
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

    /// Returns the stored failures that have not expired, sorted by `subject`.
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

    /// Returns the stored failure of a key, or nil if no failure is stored or it has expired.
    ///
    /// An expired failure is removed, but its number of consecutive failures is kept.
    private mutating func active(_ key: Key, at now: Duration) -> Failure? {
        guard let failure = failures[key] else { return nil }
        guard let expiry = failure.expiry, expiry <= now else { return failure }
        failures[key] = nil
        // Discarding all counts only makes a few pauses too short.
        if failureCounts.count >= capacity { failureCounts = [:] }
        failureCounts[key] = failure.failureCount
        return nil
    }

    private mutating func dropOldest() {
        guard let oldest = order.popFirst() else { return }
        // A key that was added again later has a different expiry and stays.
        if let failure = failures[oldest.key], failure.expiry == oldest.expiry {
            failures[oldest.key] = nil
        }
    }
}

/// A URL or host that currently must not be requested because of an earlier failure.
public struct RememberedFailure: Hashable, Sendable {
    /// The URL as it was requested, or the host and port if all URLs of the host are affected.
    ///
    /// The text may contain secrets from the URL.
    public let subject: String
    /// The error message.
    public let text: String
    /// The time until the next request is permitted.
    ///
    /// Nil if no request is permitted for the rest of the session.
    public let remaining: Duration?
}
