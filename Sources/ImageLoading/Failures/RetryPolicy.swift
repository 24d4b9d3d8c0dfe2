/// Decides whether a failed load is retried and how long it pauses before the next attempt.
///
/// A user is waiting, so the pauses are short: up to 0.5 s, then up to 2 s. Each pause is random,
/// from zero to its maximum ("full jitter"). Clients that failed at the same time therefore do not
/// retry at the same time.
///
/// If the last attempt fails too, `FailureMemory` blocks requests for the longer periods in the
/// `FailureRule` table (5 s after a lost connection, 15 s after a 5xx). If the server's Retry-After
/// is short, the load waits for that time. If it is longer, the load ends, and the error contains
/// the time.
struct RetryPolicy: Sendable {
    /// The maximum length of the first pause.
    ///
    /// The maximum of each later pause is four times the previous maximum, up to `longestPause`.
    static let firstPause = Duration.milliseconds(500)
    /// The maximum pause, and the longest Retry-After that a load waits for.
    static let longestPause = Duration.seconds(5)

    /// The maximum number of attempts of one download, even if the `FailureRule` permits more.
    let maximumAttempts: Int

    /// Returns the pause before the next attempt, or nil if the load is not retried.
    func pause(
        after error: ImageLoadingError,
        _ history: AttemptHistory,
        using generator: inout some RandomNumberGenerator
    ) -> Duration? {
        guard history.count < maximumAttempts,
            history.fruitlessCount < FailureRule(error).attempts
        else { return nil }
        if let asked = error.retryAfter { return asked <= Self.longestPause ? asked : nil }
        return randomPause(after: history.fruitlessCount, using: &generator)
    }

    /// Returns a random pause; `failureCount` is the number of consecutive failures.
    func randomPause(
        after failureCount: Int,
        using generator: inout some RandomNumberGenerator
    ) -> Duration {
        let limit = Self.longestRandomPause(after: failureCount)
        let milliseconds =
            limit.components.seconds * 1_000
            + limit.components.attoseconds / 1_000_000_000_000_000
        return .milliseconds(Int64.random(in: 0...milliseconds, using: &generator))
    }

    /// Returns the maximum pause: 0.5 s after the first failure, then 2 s, then 5 s.
    static func longestRandomPause(after failureCount: Int) -> Duration {
        var pause = firstPause
        for _ in 1..<min(max(failureCount, 1), 4) { pause *= 4 }
        return min(pause, longestPause)
    }
}

/// A failed attempt to load an image, as passed to `LoadingHooks.retryPause`.
public struct FailedAttempt: Sendable {
    /// The URL of the request.
    public let url: String
    /// The error; `retryAfter` is the pause that the server requests.
    public let error: ImageLoadingError
    /// The number of the attempt within the load, starting from 1.
    public let number: Int
    /// The time since the start of the first attempt.
    public let elapsed: Duration
    /// The pause used without a hook, according to the table in Documentation/Errors.md.
    ///
    /// Nil means that the load is not retried.
    public let usualPause: Duration?
}

/// Counts the failed attempts of one download.
struct AttemptHistory: Hashable, Sendable {
    /// The number of requests sent by failed attempts.
    ///
    /// Attempts that failed because of the host are not counted.
    private(set) var count = 0
    /// The number of requests that failed in a row without receiving new bytes.
    ///
    /// If a failed attempt received new bytes, the number becomes 1. A download whose connection
    /// breaks after every megabyte is therefore resumed until the body is complete. Only failures
    /// that the image may have caused are counted.
    private(set) var fruitlessCount = 0

    /// The number of failures that the host or other transfers may have caused.
    ///
    /// `fruitlessCount` does not include them.
    private(set) var uncountedCount = 0

    /// Records a failed attempt.
    ///
    /// `broughtBytes` is true if the attempt received new bytes of the body. `requestCount` is the
    /// number of its failed requests (`TransferFailure.requestCount`).
    mutating func noteFailure(
        broughtBytes: Bool,
        requestCount: Int = 1,
        blame: FailureBlame = .picture
    ) {
        switch blame {
        case .host: uncountedCount += 1
        case .company:
            uncountedCount += 1
            count += requestCount
        case .picture:
            count += requestCount
            fruitlessCount = broughtBytes ? 1 : fruitlessCount + requestCount
        }
    }
}

/// Parses the Retry-After field, a server's request for a pause (RFC 9110, 10.2.3).
enum RetryAfter {
    /// The maximum accepted pause; longer pauses are reduced to this value.
    static let longestPause = Duration.seconds(24 * 3600)

    /// Returns the pause in a response, or nil if the field is missing or invalid.
    ///
    /// The value is a number of seconds or an HTTP date:
    ///
    ///     Retry-After: 120
    ///     Retry-After: Fri, 31 Dec 1999 23:59:59 GMT
    ///
    /// For a date, the pause is the time from `wallTime` to the date, or zero if the date is in the
    /// past.
    static func pause(in head: TransferHead, at wallTime: Int) -> Duration? {
        guard let text = head.headers["retry-after"] else { return nil }
        let value = text.drop { $0 == " " || $0 == "\t" }.prefix { $0 != " " && $0 != "\t" }
        if value.utf8.allSatisfy({ (0x30...0x39).contains($0) }), !value.isEmpty {
            return clamped(Int(value) ?? Int.max)
        }
        guard let date = HTTPDate(text, now: wallTime) else { return nil }
        return clamped(date.seconds &- wallTime)
    }

    private static func clamped(_ seconds: Int) -> Duration {
        min(max(.seconds(seconds), .zero), longestPause)
    }
}
