internal import Glibc

/// A year, a month or a day, as used in a filter.
struct CalendarDate: Hashable, Sendable {
    /// The start and the end of the date in the local time zone, in seconds since 1970.
    ///
    /// The end is the start of the next year, month or day. The seconds are computed only once
    /// because every item is compared with them and `mktime` may read the time zone from a file.
    let seconds: Range<Int>

    /// Creates a date from a four-digit year and, optionally, a month and a day.
    init?(_ parts: [String]) {
        let numbers = parts.compactMap { text in
            text.allSatisfy { ("0"..."9").contains($0) } ? Int(text) : nil
        }
        guard (1...3).contains(parts.count), numbers.count == parts.count, parts[0].count == 4,
            parts.dropFirst().allSatisfy({ $0.count <= 2 })
        else { return nil }
        let year = numbers[0]
        let month = numbers.count > 1 ? numbers[1] : nil
        let day = numbers.count > 2 ? numbers[2] : nil
        guard (1...9999).contains(year), month.map({ (1...12).contains($0) }) ?? true,
            day.map({ (1...31).contains($0) }) ?? true
        else { return nil }
        let start = Self.seconds(year, month ?? 1, day ?? 1)
        let end =
            if let month {
                day.map { Self.seconds(year, month, $0 + 1) } ?? Self.seconds(year, month + 1, 1)
            } else {
                Self.seconds(year + 1, 1, 1)
            }
        seconds = start..<max(start, end)
    }

    private static func seconds(_ year: Int, _ month: Int, _ day: Int) -> Int {
        // `mktime` also accepts the day after the end of a month.
        var time = tm()
        time.tm_year = Int32(year - 1900)
        time.tm_mon = Int32(month - 1)
        time.tm_mday = Int32(day)
        time.tm_isdst = -1
        return mktime(&time)
    }
}
