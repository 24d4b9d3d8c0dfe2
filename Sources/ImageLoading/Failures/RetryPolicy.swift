/// Whether a failed attempt is followed by another one inside the same load, and after what pause.
///
/// Somebody waits at a screen, so the pauses here are short: up to 0.5 s, then up to 2 s, each
/// drawn at random from zero on ("full jitter": callers that failed together don't come back
/// together). What fails all the same is final, and is kept by `FailureMemory` for the far longer
/// times of the table (5 s for a lost connection, 15 s for a 5xx), in which nobody asks at all. A
/// server that names a time itself (Retry-After) is waited for if it is short; a longer one ends
/// the load, and the error carries the time to those who remember failures.
struct RetryPolicy: Sendable {
    /// The longest first pause; each one after it is four times as long.
    static let firstPause = Duration.milliseconds(500)
    /// The longest pause, and the longest Retry-After that a load waits for.
    static let longestPause = Duration.seconds(5)

    /// The most attempts of one download, whatever its failures' rules say.
    let maximumAttempts: Int

    /// The pause before the next attempt; nil if the failure is final.
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

    /// A pause after so many failures in a row.
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

    /// 0.5 s after the first failure, then 2 s, then 5 s.
    static func longestRandomPause(after failureCount: Int) -> Duration {
        var pause = firstPause
        for _ in 1..<min(max(failureCount, 1), 4) { pause *= 4 }
        return min(pause, longestPause)
    }
}

/// An attempt of a load that failed, as `LoadingHooks.retryPause` is asked about it.
public struct FailedAttempt: Sendable {
    /// The URL that was asked.
    public let url: String
    /// Why it failed; `retryAfter` is what the server asks for.
    public let error: ImageLoadingError
    /// Which attempt of the load it was, from 1.
    public let number: Int
    /// The time since the start of the first one.
    public let elapsed: Duration
    /// What is done without a hook: the pause by the table of Documentation/Errors.md, drawn at
    /// random, or nil for giving up.
    public let usualPause: Duration?
}

/// How often one download has been tried.
struct AttemptHistory: Hashable, Sendable {
    /// Attempts that ended without a whole body.
    private(set) var count = 0
    /// Those of them since one brought the body further.
    ///
    /// A connection that breaks every megabyte is resumed again and again, and gets there.
    private(set) var fruitlessCount = 0

    /// Failures that were not counted, because the picture can't help it.
    private(set) var uncountedCount = 0

    /// `requestCount` is `TransferFailure.requestCount`.
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

/// The time that a server wants to be left alone (RFC 9110, 10.2.3).
enum RetryAfter {
    /// The longest time that is believed.
    static let longestPause = Duration.seconds(24 * 3600)

    /// Seconds, or an HTTP date compared with `wallTime`; nil if there is none that can be read.
    ///
    ///     Retry-After: 120
    ///     Retry-After: Fri, 31 Dec 1999 23:59:59 GMT
    ///
    /// Never negative: a date that is past means at once.
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
