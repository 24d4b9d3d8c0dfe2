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
