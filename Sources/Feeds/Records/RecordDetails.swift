import ImageLoading

/// Interprets the fields of a record other than its URL and caption.
///
/// Fields with known names become specific details. All other fields are kept unchanged, except
/// that fields with the value null are omitted. If a string contains a URL with a user name and
/// password, these are removed.
package enum RecordDetails {
    /// The maximum number of fields; the rest are omitted.
    private static let maximumFieldCount = 1000

    /// Returns the details in `fields`, in the same order, or nil if there are no details.
    package static func details(of fields: [(name: String, value: JSONValue)]) -> FeedItemDetails? {
        var details = FeedItemDetails()
        for (name, value) in fields.prefix(maximumFieldCount) where value != .null {
            if !take(RecordNames.simplified(name), value, into: &details) {
                details.fields.append(field(name, value))
            }
        }
        return details == FeedItemDetails() ? nil : details
    }

    private static func field(_ name: String, _ value: JSONValue) -> FeedItemDetails.Field {
        if case .string(let text) = value {
            return FeedItemDetails.Field(name: name, value: withoutLogin(text))
        }
        return FeedItemDetails.Field(name: name, value: value.description, isJSON: true)
    }

    /// Returns the string without the user name and password in a URL; a string that lacks "://" or
    /// "@" is returned unchanged.
    private static func withoutLogin(_ text: String) -> String {
        text.utf8.contains(UInt8(ascii: "@")) && text.contains("://")
            ? URLParts.withoutLogin(text) : text
    }

    /// Stores the value of a field with a recognized name and returns whether it was stored.
    ///
    /// Returns false if the name is not recognized, if the value is unusable, or if an earlier
    /// field has the same meaning.
    private static func take(
        _ name: String,
        _ value: JSONValue,
        into details: inout FeedItemDetails
    ) -> Bool {
        if titles.contains(name) { return set(&details.title, value.string) }
        if authors.contains(name) {
            let text = value.string ?? value["name"]?.string ?? value["username"]?.string
            return set(&details.author, text)
        }
        if dates.contains(name) {
            return set(&details.date, value.text.flatMap(RecordDate.seconds))
        }
        if texts.contains(name) { return set(&details.alternativeText, value.string) }
        if links.contains(name) {
            let link = value.string.flatMap { text in
                let isWeb = text.hasPrefix("https://") || text.hasPrefix("http://")
                return isWeb ? withoutLogin(text) : nil
            }
            return set(&details.link, link)
        }
        return false
    }

    private static func set<Value>(_ place: inout Value?, _ value: Value?) -> Bool {
        guard place == nil, let value else { return false }
        place = value
        return true
    }

    private static let titles: Set = ["title", "headline"]
    private static let authors: Set = [
        "author", "creator", "photographer", "artist", "user", "username", "byline", "credit",
    ]
    private static let dates: Set = [
        "date", "published", "publishedat", "datepublished", "pubdate", "created", "createdat",
        "createdutc", "timestamp", "datetaken", "takenat", "uploadedat", "datetime",
    ]
    private static let texts: Set = ["alt", "alttext", "alternativetext", "description"]
    private static let links: Set = [
        "link", "permalink", "pageurl", "sourceurl", "page", "homepage",
    ]
}

/// Parses and formats the dates in tables and objects.
package enum RecordDate {
    /// Parses a date, or a number of seconds or milliseconds since 1970, and returns the time in
    /// seconds since 1970.
    package static func seconds(_ text: String) -> Int? {
        guard let number = Double(text) else { return FeedDate.seconds(text) }
        // Values up to the year 5138 are seconds; larger values are milliseconds.
        let seconds = abs(number) < 1e11 ? number : number / 1000
        guard abs(number) >= 1e8, abs(seconds) < 1e12 else { return nil }
        return Int(seconds.rounded(.down))
    }

    /// Returns a string such as "2024-05-01 12:30:05 UTC".
    package static func text(_ seconds: Int) -> String {
        let (days, time) = seconds.floored(by: 86_400)
        let (era, dayOfEra) = (days + 719_468).floored(by: 146_097)
        let yearOfEra =
            (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let date = "\(year)-\(two(month))-\(two(dayOfYear - (153 * shifted + 2) / 5 + 1))"
        return "\(date) \(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60)) UTC"
    }

    /// Returns a string such as "2024-05-01T12:30:05Z".
    package static func iso(_ seconds: Int) -> String {
        let parts = text(seconds).split(separator: " ")
        return "\(parts[0])T\(parts[1])Z"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Int {
    /// Returns the quotient rounded down, and the non-negative remainder.
    fileprivate func floored(by divisor: Int) -> (Int, Int) {
        let remainder = ((self % divisor) + divisor) % divisor
        return ((self - remainder) / divisor, remainder)
    }
}
