public import Decoders

/// Why a load ended without an image: where, what kind of failure it is, and the cause.
///
/// `description` says it in a few words, `recoverySuggestion` what to do about it, and `isRetryable`
/// whether asking again later makes sense.
public struct ImageLoadingError: Error, Hashable, Sendable {
    /// Where in the journey of a request it happened.
    public enum Stage: String, Sendable {
        /// Before anything was asked: a bad URL, a scheme that isn't allowed, a remembered failure.
        case request
        /// Reading a cache or a file.
        case cache
        /// The transfer.
        case download
        /// Bytes to pixels.
        case decode
        /// Pixels to pixels.
        case process
    }

    /// What kind of failure it is; decides whether a transfer is tried again, and for how long the
    /// URL is not asked after it.
    public enum Class: String, Sendable {
        /// Someone cancelled; not a fault.
        case cancelled
        /// No network at all.
        case offline
        /// May work in a moment.
        case transient
        /// The same request will fail again.
        case permanent
        /// Our own rules forbid it (scheme, size, cache-only).
        case policy
    }

    /// The cause, with what is known about it.
    public enum Reason: Hashable, Sendable {
        /// Cancelled by the caller.
        case cancelled
        /// Not a URL; the text is what was given.
        case invalidURL(String)
        /// A scheme this request may not use.
        case forbiddenScheme(String)
        /// The URL, or another one of its host, failed before and is not asked again for `seconds`,
        /// of which `Int.max` stand for the rest of the session; `text` is the earlier error's
        /// description. `LoadingOptions.retryFailed` asks all the same.
        case remembered(text: String, seconds: Int)
        /// `fromCacheOnly` and no cache had it.
        case notCached
        /// `LoadingHooks.shouldDownload` said no.
        case downloadForbidden
        /// The server does not want programs to have it: what says so, such as a field of its answer.
        case robotsForbidden(String)
        /// The name leads to an address that a feed from the network may not use: loopback, link
        /// local, private.
        case privateAddress(String)
        /// The host failed too often in a row; it is asked again in `seconds`.
        case hostUnavailable(host: String, seconds: Int)
        /// The server sent another part of the body than it was asked for.
        case rangeMismatch
        /// A processor, or a hook on the body, gave nothing; the text is its identifier.
        case processing(String)
        /// An HTTP status that brings no picture: not 2xx, or one without a body.
        case httpStatus(Int)
        /// The transfer failed below HTTP.
        case transport(TransferFailure)
        /// The body is larger than the limit in bytes.
        case tooLarge(limit: Int)
        /// The body is empty.
        case emptyBody
        /// The body's length is not the announced one.
        case lengthMismatch(received: Int, expected: Int)
        /// A local file can't be read; `errno` text.
        case unreadableFile(String)
        /// A source of the program's own could not bring the image; the text is its error's.
        case dataSource(String)
        /// The system gave nothing to work with, such as no thread to decode on.
        case outOfResources(String)
        /// The bytes are no picture that a decoder can read within the limits.
        case decoding(ImageDecodingError)
    }

    /// Where it happened.
    public let stage: Stage
    /// What kind it is.
    public let kind: Class
    /// The cause.
    public let reason: Reason
    /// How long the server wants to be left alone (Retry-After), a day at the most; nil if it
    /// didn't say.
    public let retryAfter: Duration?

    /// Makes an error.
    public init(stage: Stage, kind: Class, reason: Reason, retryAfter: Duration? = nil) {
        self.stage = stage
        self.kind = kind
        self.reason = reason
        self.retryAfter = retryAfter
    }

    /// A load that was cancelled.
    public static let cancelled = ImageLoadingError(
        stage: .request,
        kind: .cancelled,
        reason: .cancelled
    )

    /// Whether asking again later makes sense.
    public var isRetryable: Bool { kind == .transient || kind == .offline }

    /// The HTTP status, if that is the cause.
    public var httpStatus: Int? {
        guard case .httpStatus(let status) = reason else { return nil }
        return status
    }
}

extension ImageLoadingError: CustomStringConvertible {
    /// A short reason, fit for a cell or one line of a log; it holds no URL and no secrets.
    public var description: String {
        switch reason {
        case .cancelled: "cancelled"
        case .invalidURL(let text): "not a URL: \(text)"
        case .forbiddenScheme(let scheme): "\(scheme): URLs are not allowed here"
        case .remembered(let text, .max): "\(text) (press r to retry)"
        case .remembered(let text, let seconds):
            "\(text) (retry in \(Self.text(forSeconds: seconds)), or press r)"
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
        case .unreadableFile(let text), .dataSource(let text): text
        case .outOfResources(let text): text
        case .decoding(let error): error.description
        }
    }

    /// Never less than there is to wait.
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

    /// What was wrong below HTTP; nil if it was something else.
    var transferFailure: TransferFailure? {
        if case .transport(let failure) = reason { failure } else { nil }
    }

    /// Whether a connection broke that had been there.
    var isLostConnection: Bool { transferFailure?.kind == .connectionLost }

    /// Whether something of our own was missing.
    var isOurLack: Bool { transferFailure?.kind == .noResources }

    /// How many requests came to nothing.
    var requestCount: Int { transferFailure?.requestCount ?? 1 }

    /// libcurl's code, if it was libcurl that failed.
    public var curlCode: Int? { transferFailure?.curlCode }
}

extension ImageLoadingError {
    /// What the program, or its user, can do about it, in a sentence; nil for a cancelled load,
    /// about which there is nothing to do.
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
