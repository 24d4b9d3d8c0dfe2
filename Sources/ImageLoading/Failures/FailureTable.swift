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

/// Which statuses answer a request, and what kind of failure the others are (table 1.12).
struct HTTPStatusRule {
    private let asksForRange: Bool
    private let asksForChange: Bool

    init(_ request: TransferRequest) {
        asksForRange = request.headers.contains { $0.isNamed("Range") }
        asksForChange = request.headers.contains {
            $0.isNamed("If-None-Match") || $0.isNamed("If-Modified-Since")
        }
    }

    /// Nil for 200, and for 206 and 304 if the request asked for them (open point e, row F21).
    func error(for status: Int) -> ImageLoadingError? {
        switch status {
        case 200: nil
        case 206 where asksForRange: nil
        case 304 where asksForChange: nil
        default: .download(Self.kind(of: status), .httpStatus(status))
        }
    }

    /// 206 and 304 that nobody asked for are a server's slip, which a second request may cure.
    static func kind(of status: Int) -> ImageLoadingError.Class {
        switch status {
        case 206, 304, 408, 425, 429, 500...599: .transient
        default: .permanent
        }
    }
}

extension ImageLoadingError {
    /// An error of the download stage.
    static func download(_ kind: Class, _ reason: Reason) -> ImageLoadingError {
        ImageLoadingError(stage: .download, kind: kind, reason: reason)
    }

    /// The refusal to ask a host that is not a public one (row F32).
    static func privateAddress(of address: WebAddress) -> ImageLoadingError {
        .download(.policy, .privateAddress(address.host))
    }
}
