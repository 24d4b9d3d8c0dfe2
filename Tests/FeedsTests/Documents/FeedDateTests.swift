import Testing

@testable import Feeds

struct FeedDateTests {
    /// The results of Python's email.utils.parsedate_to_datetime and datetime.fromisoformat.
    @Test(arguments: [
        ("Wed, 01 May 2024 05:12:09 +0200", 1_714_533_129),
        ("Thu, 2 May 2024 18:00:00 GMT", 1_714_672_800),
        ("3 May 24 07:00 EST", 1_714_737_600),
        ("Sat, 31 Dec 2016 23:59:60 +0000", 1_483_228_800),
        ("Thu, 01 Jan 1970 00:00:00 -0000", 0),
        ("Mon, 29 Feb 2016 12:00:00 PDT", 1_456_772_400),
        ("2024-02-29T12:00:00Z", 1_709_208_000),
        ("2024-02-29 12:00:00 +05:30", 1_709_188_200),
        ("2024-02-29T12:00:00.123456-08:00", 1_709_236_800),
        ("2024-02-29", 1_709_164_800),
        ("1969-12-31T23:59:59Z", -1),
        ("2000-03-01T00:00:00", 951_868_800),
        ("9999-12-31T23:59:59Z", 253_402_300_799),
        ("2000-02-29", 951_782_400),
        // The end of the day in ISO 8601, which Python accepts since version 3.13.
        ("2024-02-28T24:00:00Z", 1_709_164_800),
    ])
    func `email and web dates are read`(text: String, seconds: Int) {
        #expect(FeedDate.seconds(text) == seconds, "\(text)")
    }

    @Test(arguments: ["+9900", "+0260", "-2400"])
    func `an impossible zone counts as UTC`(zone: String) {
        #expect(FeedDate.seconds("1 Jan 1970 00:00:10 \(zone)") == 10)
    }

    @Test(arguments: [
        "", " ", "yesterday", "Wed,", "32 May 2024 05:12:09 +0200", "1 Foo 2024", "2024-13-01",
        "2024-00-10T00:00:00Z", "2024-01-01T25:00:00Z", "99999999999999999999-01-01", "0000-01-01",
        "2024-01-01T10:99:00Z", "1 May 99999999999999999999", "31 Feb 2024", "29 Feb 2023",
        "Fri, 31 Apr 2024 10:00:00 GMT", "1900-02-29", "2024-06-31T00:00:00Z",
        "2024-01-01T24:59:00Z", "1 May 2024 24:00:01 GMT",
    ])
    func `invalid dates are nil`(text: String) {
        #expect(FeedDate.seconds(text) == nil)
    }
}
