public import Decoders

/// Why a load ended without an image.
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

    /// What kind of failure it is; decides on retries and how long it is remembered (table 1.12).
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
        /// of which `Int.max` stand for the rest of the session (rows M5-M7, F8); `text` is the
        /// earlier error's description.
        case remembered(text: String, seconds: Int)
        /// `fromCacheOnly` and no cache had it.
        case notCached
        /// A hook said no (row M14).
        case downloadForbidden
        /// The name leads to an address that a feed from the network may not use: loopback, link
        /// local, private.
        case privateAddress(String)
        /// The host failed too often in a row, and is asked again in `seconds`.
        case hostUnavailable(host: String, seconds: Int)
        /// A partial answer that does not fit what was asked for.
        case rangeMismatch
        /// A processor gave nothing (row M29); the text is its identifier.
        case processing(String)
        /// An HTTP status other than 200.
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
        /// The system gave nothing to work with, such as no thread to decode on.
        case outOfResources(String)
        /// The bytes are no picture we can show.
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
    /// A short reason, fit for a cell of the gallery or one line of a log; no URL, no secrets.
    public var description: String {
        switch reason {
        case .cancelled: "cancelled"
        case .invalidURL(let text): "not a URL: \(text)"
        case .forbiddenScheme(let scheme): "\(scheme): addresses are not allowed here"
        case .remembered(let text, .max): "\(text) (press r to ask again)"
        case .remembered(let text, let seconds):
            "\(text) (again in \(Self.text(forSeconds: seconds)), or press r)"
        case .notCached: "not in the cache"
        case .downloadForbidden: "download not allowed"
        case .privateAddress(let host): "\(host) is a private address"
        case .hostUnavailable(let host, let seconds):
            "\(host) is failing (again in \(Self.text(forSeconds: seconds)))"
        case .rangeMismatch: "the server sent another part than asked for"
        case .processing(let identifier): "\(identifier) gave no picture"
        case .httpStatus(let status): Self.text(forStatus: status)
        case .transport(let failure): failure.text
        case .tooLarge(let limit): "larger than \(limit >> 20) MiB"
        case .emptyBody: stage == .download ? "the server sent nothing" : "empty file"
        case .lengthMismatch(let received, let expected):
            "transfer cut short: \(received) of \(expected) bytes"
        case .unreadableFile(let text): text
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

    /// libcurl's code, if it was libcurl that failed.
    public var curlCode: Int? {
        guard case .transport(let failure) = reason else { return nil }
        return failure.curlCode
    }
}
