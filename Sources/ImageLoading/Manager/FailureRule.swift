internal import Decoders

/// How long a failure is remembered, and for whom (BEHAVIOUR table: libcurl and HTTP classes).
struct FailureRule: Hashable, Sendable {
    enum Scope: Hashable, Sendable {
        case url
        /// All URLs of host and port.
        case host
    }

    let scope: Scope
    /// Nil: for the rest of the session.
    let lifetime: Duration?

    /// Nil for what is not remembered; `failureCount` counts the failures in a row, from 1.
    init?(_ error: ImageLoadingError, failureCount: Int) {
        switch (error.kind, error.reason) {
        case (.cancelled, _), (.offline, _), (.policy, _), (_, .remembered): return nil
        // The downloader remembers the host itself.
        case (_, .hostUnavailable): return nil
        // Nothing the server can do about it.
        case (_, .processing), (_, .outOfResources): return nil
        // Another size of the same picture may fit.
        case (_, .decoding(.tooMuchMemory)): return nil
        // As well, but to try costs a lot of time.
        case (_, .decoding(.tooMuchTime)): self.init(.seconds(600))
        case (_, .decoding): self.init(.seconds(24 * 3600))
        case (_, .httpStatus(let status)):
            self.init(status: status, failureCount: failureCount, retryAfter: error.retryAfter)
        case (_, .emptyBody): self.init(.seconds(60))
        case (_, .tooLarge): self.init(.seconds(3600))
        case (_, .transport(let code, _)): self.init(curlCode: code, error.kind)
        case (.transient, _): self.init(.seconds(5))
        case (.permanent, _): return nil
        }
    }

    private init(_ lifetime: Duration?, scope: Scope = .url) {
        self.lifetime = lifetime
        self.scope = scope
    }

    /// Proxy not found, host not found, no connection; too many redirects, too large.
    private init(curlCode: Int, _ kind: ImageLoadingError.Class) {
        switch curlCode {
        case 5, 6, 7: self.init(.seconds(10), scope: .host)
        case 47, 63: self.init(.seconds(3600))
        default: self.init(kind == .transient ? .seconds(5) : .seconds(600))
        }
    }

    private init(status: Int, failureCount: Int, retryAfter: Duration?) {
        switch status {
        case 401, 403, 407: self.init(.seconds(300))
        case 404, 451: self.init(.seconds(600))
        case 410: self.init(nil)
        case 429:
            self.init(retryAfter ?? Self.doubled(30, failureCount, limit: 600), scope: .host)
        case 408, 425: self.init(retryAfter ?? Self.doubled(30, failureCount, limit: 600))
        // Nobody asked for these: a slip, which the next request may not meet.
        case 206, 304: self.init(.seconds(5))
        case 500...: self.init(retryAfter ?? Self.doubled(15, failureCount, limit: 300))
        default: self.init(.seconds(600))
        }
    }

    private static func doubled(_ seconds: Int, _ failureCount: Int, limit: Int) -> Duration {
        .seconds(min(limit, seconds << min(max(0, failureCount - 1), 16)))
    }
}
