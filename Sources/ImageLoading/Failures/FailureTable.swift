internal import Decoders

/// What is done about a failure: one line of the table in Documentation/Errors.md, which a test
/// holds against this one.
///
/// Three gates stand between a failure and the next request, and each can close alone: this rule's
/// `attempts`, which counts the attempts of one load that end without bringing the body further;
/// `DownloaderConfiguration.maximumAttempts`, the cap on all attempts of one load, however much
/// each brings; and `HostBreaker.failureLimit`, which counts what a host does to all loads.
struct FailureRule: Hashable, Sendable {
    /// How long the pause before the next attempt of the same load is.
    enum Pause: Hashable, Sendable {
        /// Drawn at random by `RetryPolicy`, or what the server's Retry-After says.
        case random
        /// What Retry-After says; without one there is no further attempt.
        case onlyIfAsked
    }

    /// How long later loads end at once, without asking.
    enum Memory: Hashable, Sendable {
        case none
        case lasting(seconds: Int)
        /// Twice as long with each failure in a row; a Retry-After counts in its place.
        case doubling(seconds: Int, limit: Int)
        case session
    }

    /// What is not asked while the failure is remembered.
    enum Scope: Hashable, Sendable {
        case url
        /// All URLs of host and port.
        case host
    }

    /// The class of an error with this reason.
    let kind: ImageLoadingError.Class
    /// Attempts in a row that one load makes, the first included.
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

    /// The line of a reason.
    init(_ reason: ImageLoadingError.Reason) {
        switch reason {
        case .cancelled: self.init(ImageLoadingError.Class.cancelled)
        case .forbiddenScheme, .privateAddress, .downloadForbidden, .robotsForbidden, .notCached:
            self.init(.policy)
        case .invalidURL, .unreadableFile, .dataSource: self.init(.permanent)
        // The earlier failure is what is remembered; the downloader remembers the host itself.
        case .remembered: self.init(.transient)
        case .hostUnavailable: self.init(.transient)
        // Nothing the server can do about it.
        case .processing: self.init(.permanent)
        case .outOfResources: self.init(.transient)
        case .transport(let failure): self.init(failure.kind)
        case .httpStatus(let status): self.init(status: status)
        case .lengthMismatch:
            self.init(.transient, attempts: 3, remembered: .lasting(seconds: 5))
        case .rangeMismatch: self.init(.transient, attempts: 2, remembered: .lasting(seconds: 5))
        case .emptyBody: self.init(.transient, remembered: .lasting(seconds: 60))
        case .tooLarge: self.init(.permanent, remembered: .lasting(seconds: 3_600))
        // Another size of the same picture may fit.
        case .decoding(.tooMuchMemory): self.init(.permanent)
        // As well, but to try costs a lot of time.
        case .decoding(.tooMuchTime): self.init(.permanent, remembered: .lasting(seconds: 600))
        // Perhaps by no fault of its own, but each try costs a process.
        case .decoding(.decoderCrashed): self.init(.permanent, remembered: .lasting(seconds: 600))
        case .decoding(.isolationUnavailable): self.init(.transient)
        case .decoding: self.init(.permanent, remembered: .lasting(seconds: 24 * 3_600))
        }
    }

    private init(_ failure: TransferFailure.Kind) {
        switch failure {
        case .noNetwork: self.init(.offline)
        // The resolver has looked for the name several times.
        case .hostNotFound, .proxyNotFound:
            self.init(.transient, remembered: .lasting(seconds: 10), for: .host)
        case .noConnection:
            self.init(.transient, attempts: 2, remembered: .lasting(seconds: 10), for: .host)
        case .timedOut: self.init(.transient, attempts: 2, remembered: .lasting(seconds: 5))
        // A new connection usually works.
        case .connectionLost: self.init(.transient, attempts: 3, remembered: .lasting(seconds: 5))
        // Fewer transfers are tried at once from now on.
        case .noResources: self.init(.transient, attempts: 3, remembered: .lasting(seconds: 5))
        case .insecure, .badURL, .notHTTP, .badEncoding, .headTooLarge, .missingLibrary, .other:
            self.init(.permanent, remembered: .lasting(seconds: 600))
        case .tooManyRedirects, .tooLarge:
            self.init(.permanent, remembered: .lasting(seconds: 3_600))
        }
    }

    private init(status: Int) {
        switch status {
        // Nobody asked for these: a slip, which the next request may not meet.
        case 206, 304: self.init(.transient, attempts: 2, remembered: .lasting(seconds: 5))
        case 401, 403, 407: self.init(.permanent, remembered: .lasting(seconds: 300))
        case 404, 451: self.init(.permanent, remembered: .lasting(seconds: 600))
        case 408, 425:
            self.init(.transient, attempts: 2, remembered: .doubling(seconds: 30, limit: 600))
        case 410: self.init(.permanent, remembered: .session)
        // Too many requests: half a second later is still too many, unless the server says so.
        case 429:
            self.init(
                .transient,
                attempts: 2,
                pause: .onlyIfAsked,
                remembered: .doubling(seconds: 30, limit: 600),
                for: .host
            )
        // It can't, and won't be able to in a moment.
        case 501, 505: self.init(.permanent, remembered: .lasting(seconds: 600))
        // Beyond 599 as well: what has no meaning counts as 5xx (RFC 9110, 15).
        case 500...:
            self.init(.transient, attempts: 2, remembered: .doubling(seconds: 15, limit: 300))
        default: self.init(.permanent, remembered: .lasting(seconds: 600))
        }
    }
}

// MARK: - Use

extension FailureRule {
    /// The rule for an error, whose class wins over the line's: a hook or a transport of one's own
    /// may know better than the reason does.
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

    /// How long a failure is remembered, the last of so many in a row; nil for the session.
    ///
    /// Zero for what is not remembered.
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
    /// An error of the download stage, of the class that Documentation/Errors.md names for the
    /// reason.
    public static func download(_ reason: Reason) -> ImageLoadingError {
        .download(FailureRule(reason).kind, reason)
    }

    /// A transfer that failed below HTTP; without a text, in the kind's own words.
    public static func transfer(
        _ kind: TransferFailure.Kind,
        _ text: String? = nil
    ) -> ImageLoadingError {
        .download(.transport(TransferFailure(kind, text: text)))
    }

    /// An error of the download stage, of another class than its reason's own.
    static func download(_ kind: Class, _ reason: Reason) -> ImageLoadingError {
        ImageLoadingError(stage: .download, kind: kind, reason: reason)
    }

    /// The refusal to ask a host that is not a public one.
    static func privateAddress(of address: WebAddress) -> ImageLoadingError {
        .download(.privateAddress(address.host))
    }
}

// MARK: - Statuses

/// Which statuses answer a request.
struct HTTPStatusRule {
    private let asksForRange: Bool
    private let asksForChange: Bool

    init(_ request: TransferRequest) {
        asksForRange = request.headers.contains { $0.isNamed("Range") }
        asksForChange = request.headers.contains {
            $0.isNamed("If-None-Match") || $0.isNamed("If-Modified-Since")
        }
    }

    /// Nil for 2xx, and for 206 and 304 if the request asked for them.
    ///
    /// A proxy that transforms pictures answers with 203, and some services with 201. 204 and 205
    /// have no body by definition (RFC 9110, 15.3.5 and 15.3.6).
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
