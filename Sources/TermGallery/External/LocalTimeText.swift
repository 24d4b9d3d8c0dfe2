import Feeds
import Glibc

/// Formats local times together with the time elapsed since then.
enum LocalTimeText {
    /// Returns a string such as "2024-05-01 14:30, 3 days ago" for a time in seconds since 1970.
    ///
    /// If the system can't represent the time, the number of seconds is returned.
    static func text(ofTime seconds: Int, now: Int = time(nil)) -> String {
        var parts = tm()
        var time = time_t(seconds)
        guard localtime_r(&time, &parts) != nil else { return "\(seconds) s" }
        let numbers = [parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min].map { number in
            number < 10 ? "0\(number)" : "\(number)"
        }
        let year = Int(parts.tm_year) + 1900
        let date = "\(year)-\(numbers[0])-\(numbers[1]) \(numbers[2]):\(numbers[3])"
        return "\(date), \(relative(seconds.subtractingReportingOverflow(now).partialValue))"
    }

    /// Returns a string such as "3 days ago" or "in 2 hours" for a difference in seconds.
    static func relative(_ seconds: Int) -> String {
        let distance = seconds.magnitude
        let units: [(seconds: UInt, name: String)] = [
            (365 * 86_400, "year"), (30 * 86_400, "month"), (86_400, "day"), (3600, "hour"),
            (60, "minute"),
        ]
        guard let unit = units.first(where: { distance >= $0.seconds }) else { return "just now" }
        let count = distance / unit.seconds
        let text = "\(count) \(unit.name)\(count == 1 ? "" : "s")"
        return seconds < 0 ? "\(text) ago" : "in \(text)"
    }
}
