internal import Decoders
internal import DequeModule

/// Remembers URLs that failed, for as long as asking again is pointless: a pure, bounded table
/// (rows M5-M7, M23-M25, F8, open point i).
///
/// Owned by `ImageManager` under its lock.
struct FailureMemory {
    private struct Failure {
        let text: String
        let kind: ImageLoadingError.Class
        let expiry: Duration
    }

    private let capacity: Int
    private var failures: [String: Failure] = [:]
    /// URLs in the order they were remembered; may hold stale entries, which are skipped.
    private var order: Deque<(url: String, expiry: Duration)> = []

    init(capacity: Int = 10_000) {
        self.capacity = capacity
    }

    /// URLs remembered, expired ones not yet noticed included.
    var count: Int { failures.count }

    /// The error that stands for a remembered failure, or nil if `url` may be asked.
    mutating func error(for url: String, at now: Duration) -> ImageLoadingError? {
        guard let failure = failures[url] else { return nil }
        guard failure.expiry > now else {
            failures[url] = nil
            return nil
        }
        let seconds = max(1, Int((failure.expiry - now).components.seconds))
        return ImageLoadingError(
            stage: .request,
            kind: failure.kind,
            reason: .remembered(text: failure.text, seconds: seconds)
        )
    }

    /// Remembers a failure for its class's time; a class with no time is not remembered.
    mutating func remember(_ error: ImageLoadingError, for url: String, at now: Duration) {
        guard let lifetime = error.negativeCacheLifetime else { return }
        let expiry = now + lifetime
        failures[url] = Failure(text: error.description, kind: error.kind, expiry: expiry)
        order.append((url, expiry))
        while failures.count > capacity || order.count > 2 * capacity { dropOldest() }
    }

    /// Any success wipes the slate (row M25).
    mutating func forget(_ url: String) {
        failures[url] = nil
    }

    mutating func removeAll() {
        failures = [:]
        order = []
    }

    private mutating func dropOldest() {
        guard let oldest = order.popFirst() else { return }
        // A URL that was remembered again later has another expiry, and stays.
        if failures[oldest.url]?.expiry == oldest.expiry { failures[oldest.url] = nil }
    }
}

extension ImageLoadingError {
    /// How long the failure is remembered (BEHAVIOUR table: libcurl and HTTP classes); nil: not.
    var negativeCacheLifetime: Duration? {
        switch (kind, reason) {
        case (.cancelled, _), (.offline, _), (.policy, _), (_, .remembered): nil
        case (_, .httpStatus(let status)): Self.lifetime(forStatus: status)
        // Nothing the server can do about it.
        case (_, .processing), (_, .outOfResources): nil
        // Another size of the same picture may fit.
        case (_, .decoding(.tooMuchMemory)): nil
        case (_, .decoding): .seconds(24 * 3600)
        case (_, .emptyBody): .seconds(60)
        case (_, .tooLarge): .seconds(3600)
        case (_, .transport(let code, _)): Self.lifetime(forCurlCode: code, kind)
        case (.transient, _): .seconds(5)
        case (.permanent, _): nil
        }
    }

    /// Proxy not found, host not found, no connection; too many redirects, too large.
    private static func lifetime(forCurlCode code: Int, _ kind: Class) -> Duration {
        switch code {
        case 5, 6, 7: .seconds(10)
        case 47, 63: .seconds(3600)
        default: kind == .transient ? .seconds(5) : .seconds(600)
        }
    }

    private static func lifetime(forStatus status: Int) -> Duration {
        switch status {
        case 401, 403, 407: .seconds(300)
        case 404, 451: .seconds(600)
        case 410: .seconds(24 * 3600)
        case 408, 425, 429: .seconds(30)
        // Nobody asked for these: a slip, which the next request may not meet.
        case 206, 304: .seconds(5)
        case 500...: .seconds(15)
        default: .seconds(600)
        }
    }
}
