public import Decoders

/// The reason why a load ended without an image.
///
/// It consists of the stage, the kind of failure, and the cause. `description` summarizes the error
/// in a few words, and `recoverySuggestion` explains what to do. `isRetryable` indicates whether a
/// later request may succeed.
public struct ImageLoadingError: Error, Hashable, Sendable {
    /// The stage of a load at which an error occurred.
    public enum Stage: String, Sendable {
        /// Before the image was requested: an invalid URL, a forbidden scheme, or a remembered
        /// failure.
        case request
        /// Reading a cache or a file.
        case cache
        /// The transfer.
        case download
        /// Decoding bytes into pixels.
        case decode
        /// Processing pixels.
        case process
    }

    /// The kind of failure.
    ///
    /// It determines whether a transfer is retried and when the URL may be requested again.
    public enum Class: String, Sendable {
        /// The load was cancelled; this is not a failure.
        case cancelled
        /// The network is unavailable.
        case offline
        /// The same request may succeed soon.
        case transient
        /// The same request will fail again.
        case permanent
        /// A rule forbids the request.
        ///
        /// Its scheme or IP address is not allowed, only the caches may be used, or a hook or the
        /// server's `X-Robots-Tag` forbids the download.
        case policy
    }

    /// The cause, with the known details.
    public enum Reason: Hashable, Sendable {
        /// The caller cancelled the load.
        case cancelled
        /// The string is not a valid URL.
        case invalidURL(String)
        /// The scheme is not allowed for this request.
        case forbiddenScheme(String)
        /// An earlier failure is remembered; the URL is not requested again for `seconds` seconds.
        ///
        /// The failed URL is this URL or another URL on the same host. `Int.max` means the rest of
        /// the session. `text` is the description of the earlier error.
        /// `LoadingOptions.retryFailed` overrides this.
        case remembered(text: String, seconds: Int)
        /// `fromCacheOnly` was set, and no cache contained the image.
        case notCached
        /// `LoadingHooks.shouldDownload` returned false.
        case downloadForbidden
        /// The server does not allow programs to use the image.
        ///
        /// The string names the source of this rule, such as a header field of the response.
        case robotsForbidden(String)
        /// The host name resolves to an IP address that a feed from the network may not use.
        ///
        /// Such an address is loopback, link-local or private.
        case privateAddress(String)
        /// The host failed too many times in succession; it is contacted again in `seconds`
        /// seconds.
        case hostUnavailable(host: String, seconds: Int)
        /// The server sent a different part of the body than requested.
        case rangeMismatch
        /// An image processor or a body hook returned nil; the string is its identifier.
        case processing(String)
        /// The response has an HTTP status that implies no image: not 2xx, or one without a body.
        case httpStatus(Int)
        /// The transfer failed below the HTTP level.
        case transport(TransferFailure)
        /// The body is larger than `limit` bytes.
        case tooLarge(limit: Int)
        /// The body is empty.
        case emptyBody
        /// The length of the body differs from the announced length.
        case lengthMismatch(received: Int, expected: Int)
        /// A local file cannot be read; the string is the system's error message.
        case unreadableFile(String)
        /// One of the program's data sources could not provide the image; the string describes the
        /// error.
        case dataSource(String)
        /// The image is part of a larger resource that has changed since its list of parts was
        /// read.
        ///
        /// The string is a message with the name of the resource.
        case changedResource(String)
        /// The system has too few resources, such as no thread to decode on.
        case outOfResources(String)
        /// The bytes cannot be decoded within the limits.
        case decoding(ImageDecodingError)
    }

    /// The stage at which the error occurred.
    public let stage: Stage
    /// The kind of failure.
    public let kind: Class
    /// The cause.
    public let reason: Reason
    /// The pause that the server requested (`Retry-After`), at most one day; nil if none.
    public let retryAfter: Duration?

    /// Creates an error.
    public init(stage: Stage, kind: Class, reason: Reason, retryAfter: Duration? = nil) {
        self.stage = stage
        self.kind = kind
        self.reason = reason
        self.retryAfter = retryAfter
    }

    /// The error of a cancelled load.
    public static let cancelled = ImageLoadingError(
        stage: .request,
        kind: .cancelled,
        reason: .cancelled
    )

    /// Whether a later request for the image may succeed.
    public var isRetryable: Bool { kind == .transient || kind == .offline }

    /// The HTTP status, if it is the cause of the error.
    public var httpStatus: Int? {
        guard case .httpStatus(let status) = reason else { return nil }
        return status
    }
}

extension ImageLoadingError: CustomStringConvertible {
    /// A short description for a cell or for one line of a log, without URLs or secrets.
    public var description: String {
        switch reason {
        case .cancelled: "cancelled"
        case .invalidURL(let text): "not a URL: \(text)"
        case .forbiddenScheme(let scheme): "\(scheme): URLs are not allowed here"
        case .remembered(let text, .max): "\(text) (not requested again)"
        case .remembered(let text, let seconds):
            "\(text) (retry in \(Self.text(forSeconds: seconds)))"
        case .notCached: "not in the cache"
        case .downloadForbidden: "download not allowed"
        case .robotsForbidden(let source): "forbidden for automated programs (\(source))"
        case .privateAddress(let host): "\(host) is a private address"
        case .hostUnavailable(let host, let seconds):
            "\(host) is failing (retry in \(Self.text(forSeconds: seconds)))"
        case .rangeMismatch: "the server sent another part than requested"
        case .processing(let identifier): "\(identifier) returned no image"
        case .httpStatus(let status): Self.text(forStatus: status)
        case .transport(let failure): failure.text
        case .tooLarge(let limit): "larger than \(limit >> 20) MiB"
        case .emptyBody: stage == .download ? "the server sent nothing" : "empty file"
        case .lengthMismatch(let received, let expected):
            "transfer cut short: \(received) of \(expected) bytes"
        case .unreadableFile(let text), .dataSource(let text), .changedResource(let text): text
        case .outOfResources(let text): text
        case .decoding(let error): error.description
        }
    }

    /// Returns the time as a short string, rounded up.
    private static func text(forSeconds seconds: Int) -> String {
        switch seconds {
        case ..<120: "\(seconds) s"
        case ..<7200: "\((seconds + 59) / 60) min"
        default: "\((seconds &+ 3599) / 3600) h"
        }
    }

    private static func text(forStatus status: Int) -> String {
        switch status {
        case 204: "204 no content"
        case 205: "205 reset content"
        case 400: "400 bad request"
        case 401: "401 login needed"
        case 403: "403 forbidden"
        case 404: "404 not found"
        case 410: "410 gone"
        case 429: "429 too many requests"
        case 500: "500 server error"
        case 502: "502 bad gateway"
        case 503: "503 service unavailable"
        case 504: "504 gateway timeout"
        default: "HTTP \(status)"
        }
    }

    /// The failure below the HTTP level; nil if the error has a different cause.
    var transferFailure: TransferFailure? {
        if case .transport(let failure) = reason { failure } else { nil }
    }

    var isLostConnection: Bool { transferFailure?.kind == .connectionLost }

    /// Whether a resource of this process, such as a file descriptor, was used up.
    var isOurLack: Bool { transferFailure?.kind == .noResources }

    /// The number of times the failed request was sent.
    var requestCount: Int { transferFailure?.requestCount ?? 1 }

    /// libcurl's error code; nil if the failure was not reported by libcurl.
    public var curlCode: Int? { transferFailure?.curlCode }
}

extension ImageLoadingError {
    /// A sentence that explains what the program or its user can do; nil for a cancelled load.
    public var recoverySuggestion: String? {
        switch reason {
        case .cancelled: nil
        case .invalidURL: "Use an absolute URL such as https://example.org/image.jpg."
        case .forbiddenScheme, .privateAddress:
            "If the URL is trusted, set the request's origin to local."
        case .remembered, .hostUnavailable:
            "Retry after that time, or immediately with the option retryFailed."
        case .notCached: "Load without fromCacheOnly, and with isOffline false."
        case .downloadForbidden: "The hook shouldDownload decides this."
        case .robotsForbidden: "Ask the operator of the server, or load without heedRobotsTag."
        case .rangeMismatch, .lengthMismatch, .emptyBody:
            "Retry. If the error persists, the file on the server is damaged."
        case .processing: "The processor or hook of this name rejected the image."
        case .httpStatus(401), .httpStatus(403):
            "Set a login with the hook credentials, or a header field with the hook headers."
        case .httpStatus(404), .httpStatus(410): "Correct the URL; the server has no such image."
        case .httpStatus:
            isRetryable
                ? "Retry later; the server is overloaded." : "The server refuses this request."
        case .transport: "Check the network, the host name and the certificate, then retry."
        case .tooLarge: "Raise maximumByteCount in the downloader's configuration."
        case .unreadableFile: "Check that the file exists and is readable."
        case .dataSource: "Check the data source configured for the URL's scheme."
        case .changedResource: "Read the directory of the resource again."
        case .outOfResources: "Retry when fewer loads are running."
        case .decoding(.decoderCrashed):
            "The file crashed its decoding process. Treat it as hostile, or report a bug in "
                + "the decoder."
        case .decoding(.isolationUnavailable):
            "Fix the cause, or set isolation to auto."
        case .decoding(let error):
            error.isLimit
                ? "Raise the limits in the manager's configuration, or request a smaller size."
                : "The file is damaged, or no decoder for its format is configured."
        }
    }
}
