/// Parses the dates in feeds: mail dates (RFC 822, used in RSS) and web dates (RFC 3339, used in
/// Atom and JSON Feed).
///
/// The parser is lenient, because many feeds violate these formats. A time without a zone is
/// treated as UTC, and a date may have no time.
package enum FeedDate {
    /// Returns the seconds since 1970, or nil if the text is not a date.
    package static func seconds(_ text: String) -> Int? {
        let text = text.utf8.prefix(64)
        let fields = text.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0A || $0 == 0x0D }
            .map { String($0) ?? "" }
        guard let first = fields.first else { return nil }
        if first.utf8.count >= 7, first.utf8.prefix(4).allSatisfy(isDigit) {
            return web(fields)
        }
        return mail(fields)
    }

    // MARK: 2024-05-01T10:20:30.5+02:00

    private static func web(_ fields: [String]) -> Int? {
        // Some feeds write a space instead of the T, and another before the zone.
        let text =
            fields[0]
            + fields.dropFirst().map { field in
                "+-".contains(field.first ?? " ") || field == "Z" || field == "UTC"
                    ? field : "T" + field
            }.joined()
        let parts = text.split(maxSplits: 1) { $0 == "T" || $0 == "t" }
        let numbers = parts[0].split(separator: "-").map { Int($0) }
        guard numbers.count >= 2, let year = numbers[0], let month = numbers[1] else { return nil }
        var day: Int? = 1
        if numbers.count >= 3 { day = numbers[2] }
        guard let day, let days = days(year: year, month: month, day: day) else { return nil }
        guard parts.count == 2 else { return days * 86_400 }
        let zoneStart = parts[1].firstIndex { "Zz+-U".contains($0) } ?? parts[1].endIndex
        guard let time = time(parts[1][..<zoneStart]) else { return nil }
        return days * 86_400 + time - (zone(parts[1][zoneStart...]) ?? 0)
    }

    // MARK: Wed, 01 May 2024 10:20:30 +0200

    private static func mail(_ fields: [String]) -> Int? {
        var fields = fields[...]
        // The day of the week, with or without a comma, is redundant.
        if let first = fields.first, !first.utf8.contains(where: isDigit) {
            fields = fields.dropFirst()
        }
        var date = Array(fields)
        // "01-May-24" and "01 May 2024".
        if let first = date.first, first.contains("-") {
            date = first.split(separator: "-").map(String.init) + date.dropFirst()
        }
        guard date.count >= 3, let day = Int(date[0].filter { $0 != "," }),
            let month = month(date[1]), var year = Int(date[2])
        else { return nil }
        if year < 100 { year += year < 70 ? 2000 : 1900 }
        guard let days = days(year: year, month: month, day: day) else { return nil }
        guard date.count >= 4 else { return days * 86_400 }
        guard let time = time(date[3][...]) else { return nil }
        let zone = date.count >= 5 ? zone(date[4][...]) : nil
        return days * 86_400 + time - (zone ?? 0)
    }

    private static func month(_ name: String) -> Int? {
        let names = [
            "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
        ]
        return names.firstIndex(of: String(name.lowercased().prefix(3))).map { $0 + 1 }
    }

    // MARK: Parts

    /// Parses a time such as "10:20:30.5" and returns the number of seconds since midnight.
    ///
    /// Seconds are optional, and a leap second is treated as the first second of the next minute.
    /// "24:00" is the end of the day, as in ISO 8601.
    private static func time(_ text: Substring) -> Int? {
        let whole = text.prefix { $0 != "." && $0 != "," }
        let parts = whole.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard (2...3).contains(parts.count), let hour = parts[0], let minute = parts[1],
            (0...24).contains(hour), (0..<60).contains(minute)
        else { return nil }
        let second = parts.count == 3 ? parts[2] : 0
        guard let second, (0...60).contains(second), hour < 24 || minute + second == 0 else {
            return nil
        }
        return hour * 3600 + minute * 60 + second
    }

    /// Returns the offset in seconds of a time zone such as "+02:00", "-0500" or "EST", or nil for
    /// other names and for offsets of a day or more.
    ///
    /// The names are from RFC 822, section 5.1. The callers treat nil as UTC. This is correct for
    /// "GMT" and, as RFC 1123 requires, for one-letter names.
    private static func zone(_ text: Substring) -> Int? {
        guard let sign = text.first, sign == "+" || sign == "-" else {
            let hours = [
                "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6, "PST": -8,
                "PDT": -7,
            ]
            return hours[text.uppercased()].map { $0 * 3600 }
        }
        let digits = text.utf8.filter(isDigit)
        guard digits.count == 4, let number = Int(String(decoding: digits, as: UTF8.self)) else {
            return nil
        }
        guard number < 2400, number % 100 < 60 else { return nil }
        let seconds = number / 100 * 3600 + number % 100 * 60
        return sign == "-" ? -seconds : seconds
    }

    /// Returns the number of days from 1970-01-01 to a date in the Gregorian calendar, or nil if
    /// the year, month or day is out of range.
    ///
    /// Years start in March, so the leap day is the last day of a year. See
    /// https://howardhinnant.github.io/date_algorithms.html, `days_from_civil`.
    private static func days(year: Int, month: Int, day: Int) -> Int? {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...length(ofMonth: month, year)).contains(day)
        else { return nil }
        let shifted = month > 2 ? year : year - 1
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func length(ofMonth month: Int, _ year: Int) -> Int {
        let isLeap = year.isMultiple(of: year.isMultiple(of: 100) ? 400 : 4)
        switch month {
        case 2: return isLeap ? 29 : 28
        case 4, 6, 9, 11: return 30
        default: return 31
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}
