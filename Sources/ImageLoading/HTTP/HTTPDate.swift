/// A date and time in an HTTP header field, in whole seconds of UTC (RFC 9110, 5.6.7).
struct HTTPDate: Hashable, Sendable {
    /// The number of seconds since 1970-01-01 UTC, for the years 0 to 9999.
    let seconds: Int

    /// Parses a date in any of the three HTTP formats.
    ///
    ///     Sun, 06 Nov 1994 08:49:37 GMT     IMF-fixdate, the format that `text` uses
    ///     Sunday, 06-Nov-94 08:49:37 GMT    RFC 850, obsolete
    ///     Sun Nov  6 08:49:37 1994          asctime, obsolete
    ///
    /// Letter case is ignored. A zone other than GMT or UTC makes the date invalid (RFC 9111, 4.2).
    /// The day of the week is not checked. The RFC 850 format has a two-digit year; `now`, in
    /// seconds since 1970, determines its century. Without `now`, a date in this format is invalid.
    init?(_ text: String, now: Int? = nil) {
        guard text.utf8.count <= 64 else { return nil }
        if let seconds = Self.usual(text) {
            self.seconds = seconds
            return
        }
        let words = text.lowercased().split { $0 == " " || $0 == "," || $0 == "\t" }
        let seconds =
            switch words.count {
            case 6: Self.fixdate(words)
            case 4: Self.obsolete(words, now: now)
            case 5: Self.asctime(words)
            default: Int?.none
            }
        guard let seconds else { return nil }
        self.seconds = seconds
    }

    /// Creates a date from a number of seconds, limited to the years 0 to 9999.
    init(seconds: Int) {
        let first = CivilDay(year: 0, month: 1, day: 1).daysSince1970 * 86_400
        let last = CivilDay(year: 9999, month: 12, day: 31).daysSince1970 * 86_400 + 86_399
        self.seconds = min(max(seconds, first), last)
    }

    /// The date in the IMF-fixdate format.
    var text: String {
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let clock = seconds - days * 86_400
        let civil = CivilDay(daysSince1970: days)
        // 1970-01-01 was a Thursday.
        let weekday = Self.weekdays[((days + 4) % 7 + 7) % 7]
        let month = Self.months[civil.month - 1]
        let time = [clock / 3600, clock / 60 % 60, clock % 60].map { Self.padded($0, to: 2) }
        let day = Self.padded(civil.day, to: 2)
        let year = Self.padded(civil.year, to: 4)
        return "\(weekday), \(day) \(month) \(year) \(time.joined(separator: ":")) GMT"
    }

    // MARK: The three forms

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let lowerCaseMonths = months.map { $0.lowercased() }

    /// Parses a date in the usual form, an IMF-fixdate of 29 bytes; returns nil for any other text.
    private static func usual(_ text: String) -> Int? {
        var text = text
        return text.withUTF8 { bytes -> Int? in
            guard bytes.count == 29, bytes[3] == 0x2C, bytes[25...].elementsEqual(" GMT".utf8),
                [4, 7, 11, 16].allSatisfy({ bytes[$0] == 0x20 }),
                bytes[19] == 0x3A, bytes[22] == 0x3A
            else { return nil }
            guard let month = month(bytes[8], bytes[9], bytes[10]),
                let year = digits(bytes[12..<16]), let day = digits(bytes[5..<7]),
                let hour = digits(bytes[17..<19]), hour < 24,
                let minute = digits(bytes[20..<22]), minute < 60,
                let second = digits(bytes[23..<25]), second <= 60,
                (1...CivilDay.length(ofMonth: month, year: year)).contains(day)
            else { return nil }
            let days = CivilDay(year: year, month: month, day: day).daysSince1970
            return days * 86_400 + hour * 3600 + minute * 60 + second
        }
    }

    private static func month(_ first: UInt8, _ second: UInt8, _ third: UInt8) -> Int? {
        let name = UInt32(first) << 16 | UInt32(second) << 8 | UInt32(third)
        return monthNames.firstIndex(of: name).map { $0 + 1 }
    }

    private static let monthNames = months.map { $0.utf8.reduce(0) { $0 << 8 | UInt32($1) } }

    private static func digits(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        var number = 0
        for byte in bytes {
            guard byte &- 0x30 < 10 else { return nil }
            number = number * 10 + Int(byte &- 0x30)
        }
        return number
    }

    private static func fixdate(_ words: [Substring]) -> Int? {
        guard isUniversal(words[5]), words[3].utf8.count == 4 else { return nil }
        return seconds(day: words[1], month: words[2], year: number(words[3]), time: words[4])
    }

    private static func asctime(_ words: [Substring]) -> Int? {
        guard words[4].utf8.count == 4 else { return nil }
        return seconds(day: words[2], month: words[1], year: number(words[4]), time: words[3])
    }

    private static func obsolete(_ words: [Substring], now: Int?) -> Int? {
        let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
        guard isUniversal(words[3]), parts.count == 3, parts[2].utf8.count == 2, let now,
            let short = number(parts[2])
        else { return nil }
        let current = CivilDay(daysSince1970: HTTPDate(seconds: now).seconds / 86_400).year
        // A date more than fifty years in the future means the most recent year with these digits.
        let near = current - current % 100 + short
        let year = near > current + 50 ? near - 100 : near
        return seconds(day: parts[0], month: parts[1], year: year, time: words[2])
    }

    private static func seconds(
        day: Substring,
        month: Substring,
        year: Int?,
        time: Substring
    ) -> Int? {
        guard let day = number(day), let year, let clock = secondsOfDay(time),
            let month = lowerCaseMonths.firstIndex(of: String(month)).map({ $0 + 1 }),
            (1...CivilDay.length(ofMonth: month, year: year)).contains(day)
        else { return nil }
        return CivilDay(year: year, month: month, day: day).daysSince1970 * 86_400 + clock
    }

    /// Parses the time `hh:mm:ss`; the number of seconds may be 60, for a leap second.
    private static func secondsOfDay(_ text: Substring) -> Int? {
        let fields = text.split(separator: ":", omittingEmptySubsequences: false)
        guard fields.count == 3, fields.allSatisfy({ $0.utf8.count == 2 }),
            let hour = number(fields[0]), let minute = number(fields[1]),
            let second = number(fields[2]), hour < 24, minute < 60, second <= 60
        else { return nil }
        return hour * 3600 + minute * 60 + second
    }

    private static func isUniversal(_ zone: Substring) -> Bool { zone == "gmt" || zone == "utc" }

    /// Parses a number of one to four digits.
    private static func number(_ text: Substring) -> Int? {
        let digits = text.utf8
        guard (1...4).contains(digits.count), digits.allSatisfy({ (0x30...0x39).contains($0) })
        else { return nil }
        return Int(text)
    }

    private static func padded(_ number: Int, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// A day in the Gregorian calendar, including days before the calendar was introduced.
///
/// The calculations use years that begin in March, so a leap day is the last day of a year. Every
/// 400 such years have 146,097 days.
struct CivilDay: Hashable, Sendable {
    let year: Int
    /// The month, from 1 to 12.
    let month: Int
    /// The day, from 1 to 31.
    let day: Int

    init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    init(daysSince1970: Int) {
        let days = daysSince1970 + Self.daysBefore1970
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let leapDays = dayOfEra / 1460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    var daysSince1970: Int {
        let marchYear = month <= 2 ? year - 1 : year
        let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
        let yearOfEra = marchYear - era * 400
        let monthFromMarch = month > 2 ? month - 3 : month + 9
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - Self.daysBefore1970
    }

    /// Returns the number of days in a month, from 28 to 31.
    static func length(ofMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The number of days from 1 March of year 0 to 1 January 1970.
    private static let daysBefore1970 = 719_468
}
