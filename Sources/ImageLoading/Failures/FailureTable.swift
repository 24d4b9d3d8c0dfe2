internal import Decoders

/// The reaction to a failure: one row of the table in Documentation/Errors.md.
///
/// A test checks that the code and that table agree.
///
/// Three independent limits determine whether another request is sent after a failure:
/// - `attempts` limits the consecutive attempts of one load that received no more bytes.
/// - `DownloaderConfiguration.maximumAttempts` limits all attempts of one load.
/// - `HostBreaker.failureLimit` limits the consecutive failures of a host in all loads.
struct FailureRule: Hashable, Sendable {
    /// The pause before the next attempt of the same load.
    enum Pause: Hashable, Sendable {
        /// A random pause from `RetryPolicy`, or the pause that the server requested in
        /// Retry-After.
        case random
        /// The pause that the server requested in Retry-After; without this field, the load is not
        /// retried.
        case onlyIfAsked
    }

    /// How long later loads fail immediately without a request.
    enum Memory: Hashable, Sendable {
        case none
        case lasting(seconds: Int)
        /// A time that doubles with each consecutive failure; Retry-After replaces it.
        case doubling(seconds: Int, limit: Int)
        case session
    }

    /// The URLs that must not be requested again for a while.
    enum Scope: Hashable, Sendable {
        case url
        /// All URLs of the host and port.
        case host
    }

    /// The class of the errors that the rule applies to.
    let kind: ImageLoadingError.Class
    /// The maximum number of consecutive attempts of one load, including the first.
    let attempts: Int
    let pause: Pause
    let memory: Memory
    let scope: Scope

    private init(
        _ kind: ImageLoadingError.Class,
        attempts: Int = 1,
        pause: Pause = .random,
        remembered memory: Memory = .none,
        for scope: Scope = .url
    ) {
        self.kind = kind
        self.attempts = attempts
        self.pause = pause
        self.memory = memory
        self.scope = scope
    }

    // MARK: The table

    init(_ reason: ImageLoadingError.Reason) {
        switch reason {
        case .cancelled: self.init(ImageLoadingError.Class.cancelled)
        case .forbiddenScheme, .privateAddress, .downloadForbidden, .robotsForbidden, .notCached:
            self.init(.policy)
        case .invalidURL, .unreadableFile, .dataSource, .changedResource: self.init(.permanent)
        // The earlier failure is already recorded, and the downloader records unavailable hosts
        // itself.
        case .remembered: self.init(.transient)
        case .hostUnavailable: self.init(.transient)
        // A new response from the server would not change the result.
        case .processing: self.init(.permanent)
        case .outOfResources: self.init(.transient)
        case .transport(let failure): self.init(failure.kind)
        case .httpStatus(let status): self.init(status: status)
        case .lengthMismatch:
            self.init(.transient, attempts: 3, remembered: .lasting(seconds: 5))
        case .rangeMismatch: self.init(.transient, attempts: 2, remembered: .lasting(seconds: 5))
        case .emptyBody: self.init(.transient, remembered: .lasting(seconds: 60))
        case .tooLarge: self.init(.permanent, remembered: .lasting(seconds: 3_600))
        // The same image may fit at a different size.
        case .decoding(.tooMuchMemory): self.init(.permanent)
        // A different size may fit here too, but an attempt takes a long time.
        case .decoding(.tooMuchTime): self.init(.permanent, remembered: .lasting(seconds: 600))
        // The cause may be external, but each attempt costs a process.
        case .decoding(.decoderCrashed): self.init(.permanent, remembered: .lasting(seconds: 600))
        case .decoding(.isolationUnavailable): self.init(.transient)
        case .decoding: self.init(.permanent, remembered: .lasting(seconds: 24 * 3_600))
        }
    }

    private init(_ failure: TransferFailure.Kind) {
        switch failure {
        case .noNetwork: self.init(.offline)
        // The resolver has already tried several times.
        case .hostNotFound, .proxyNotFound:
            self.init(.transient, remembered: .lasting(seconds: 10), for: .host)
        case .noConnection:
            self.init(.transient, attempts: 2, remembered: .lasting(seconds: 10), for: .host)
        case .timedOut: self.init(.transient, attempts: 2, remembered: .lasting(seconds: 5))
        // A new connection usually succeeds.
        case .connectionLost: self.init(.transient, attempts: 3, remembered: .lasting(seconds: 5))
        // From now on, fewer transfers run at the same time.
        case .noResources: self.init(.transient, attempts: 3, remembered: .lasting(seconds: 5))
        case .insecure, .badURL, .notHTTP, .badEncoding, .headTooLarge, .missingLibrary, .other:
            self.init(.permanent, remembered: .lasting(seconds: 600))
        case .tooManyRedirects, .tooLarge:
            self.init(.permanent, remembered: .lasting(seconds: 3_600))
        }
    }

    private init(status: Int) {
        switch status {
        // These statuses are answers to requests that were not made, so the next request may
        // succeed.
        case 206, 304: self.init(.transient, attempts: 2, remembered: .lasting(seconds: 5))
        case 401, 403, 407: self.init(.permanent, remembered: .lasting(seconds: 300))
        case 404, 451: self.init(.permanent, remembered: .lasting(seconds: 600))
        case 408, 425:
            self.init(.transient, attempts: 2, remembered: .doubling(seconds: 30, limit: 600))
        case 410: self.init(.permanent, remembered: .session)
        // Too many requests: an attempt half a second later would fail too, unless the server
        // specifies a time.
        case 429:
            self.init(
                .transient,
                attempts: 2,
                pause: .onlyIfAsked,
                remembered: .doubling(seconds: 30, limit: 600),
                for: .host
            )
        // The server does not support the request, and that will not change soon.
        case 501, 505: self.init(.permanent, remembered: .lasting(seconds: 600))
        // This includes statuses above 599, because an unknown class counts as 5xx (RFC 9110,
        // section 15).
        case 500...:
            self.init(.transient, attempts: 2, remembered: .doubling(seconds: 15, limit: 300))
        default: self.init(.permanent, remembered: .lasting(seconds: 600))
        }
    }
}

// MARK: - Use

extension FailureRule {
    /// Creates the rule for an error.
    ///
    /// The class of the error replaces the class in the table, because a hook or a custom transport
    /// may have more information.
    init(_ error: ImageLoadingError) {
        let line = FailureRule(error.reason)
        let isTransient = error.kind == .transient
        let isRemembered = isTransient || error.kind == .permanent
        let isFinal = !isTransient || (line.pause == .onlyIfAsked && error.retryAfter == nil)
        self.init(
            error.kind,
            attempts: isFinal ? 1 : line.attempts,
            pause: line.pause,
            remembered: isRemembered ? line.memory : .none,
            for: line.scope
        )
    }

    /// Returns how long a failure is stored.
    ///
    /// If the result is nil, the failure is stored for the rest of the session. If the result is
    /// zero, the failure is not stored. `failureCount` is the number of consecutive failures.
    func lifetime(failureCount: Int, retryAfter: Duration?) -> Duration? {
        switch memory {
        case .none: .zero
        case .lasting(let seconds): .seconds(seconds)
        case .doubling(let seconds, let limit):
            retryAfter ?? .seconds(min(limit, seconds << min(max(0, failureCount - 1), 16)))
        case .session: nil
        }
    }
}

extension ImageLoadingError {
    /// Creates an error for the download stage; its class depends on the reason, as listed in
    /// Documentation/Errors.md.
    public static func download(_ reason: Reason) -> ImageLoadingError {
        .download(FailureRule(reason).kind, reason)
    }

    /// Creates an error for a transfer that failed below HTTP, for example because the connection
    /// was lost.
    ///
    /// If `text` is nil, the error has the description of its kind.
    public static func transfer(
        _ kind: TransferFailure.Kind,
        _ text: String? = nil
    ) -> ImageLoadingError {
        .download(.transport(TransferFailure(kind, text: text)))
    }

    /// Creates an error for the download stage; its class may differ from the usual class of its
    /// reason.
    static func download(_ kind: Class, _ reason: Reason) -> ImageLoadingError {
        ImageLoadingError(stage: .download, kind: kind, reason: reason)
    }

    /// Creates the error for a host whose IP address is not public.
    static func privateAddress(of address: WebAddress) -> ImageLoadingError {
        .download(.privateAddress(address.host))
    }
}

// MARK: - Statuses

/// Determines which status codes are valid responses to a request.
struct HTTPStatusRule {
    private let asksForRange: Bool
    private let asksForChange: Bool

    init(_ request: TransferRequest) {
        asksForRange = request.headers.contains { $0.isNamed("Range") }
        asksForChange = request.headers.contains {
            $0.isNamed("If-None-Match") || $0.isNamed("If-Modified-Since")
        }
    }

    /// Returns the error for a status, or nil if the status is a valid response.
    ///
    /// The statuses 200 to 203 and 207 to 299 are valid. A proxy that transforms images answers
    /// with 203, and some services answer with 201. The statuses 206 and 304 are valid only in
    /// response to a range request or a conditional request. A response with 204 or 205 has no body
    /// (RFC 9110, 15.3.5 and 15.3.6).
    func error(for status: Int) -> ImageLoadingError? {
        switch status {
        case 206 where asksForRange: nil
        case 304 where asksForChange: nil
        case 204...206: .download(.httpStatus(status))
        case 200...299: nil
        default: .download(.httpStatus(status))
        }
    }
}
