import ImageLoadingTesting
import Testing

@testable import ImageLoading

@Suite struct HTTPDateTests {
    /// 2026-11-21 12:00:00.
    private let now = 1_795_262_400

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994", "sun, 06 nov 1994 08:49:37 gmt",
        "Sun, 06 Nov 1994 08:49:37 UTC", "Sun, 6 Nov 1994 08:49:37 GMT",
        "Mon, 06 Nov 1994 08:49:37 GMT",
    ])
    func `all three forms of RFC 9110 5_6_7 name the same second`(text: String) {
        #expect(HTTPDate(text, now: now)?.seconds == 784_111_777)
    }

    @Test(arguments: [
        "", "0", "-1", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 06 Nov 1994 08:49:37 +0000", "Sun, 31 Feb 1994 08:49:37 GMT",
        "Sun, 29 Feb 1900 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT",
        "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
        "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 Nov 1994 8:49:37 GMT",
        "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 19944 08:49:37 GMT",
        "Sunday, 06-Nov-1994 08:49:37 GMT", "Sunday, 06-Nov 08:49:37 GMT",
        "Sun, -6 Nov 1994 08:49:37 GMT", "Sun, ０６ Nov 1994 08:49:37 GMT",
        "1994-11-06T08:49:37Z", "Sun, 06 Nov 1994 08:49:37 GMT Sun, 06 Nov 1994 08:49:37 GMT",
    ])
    func `a date in none of the forms is invalid`(text: String) {
        #expect(HTTPDate(text, now: now) == nil)
    }

    @Test(arguments: [("76", 2076), ("77", 1977), ("26", 2026), ("99", 1999), ("00", 2000)])
    func `two digits of a year are at most fifty years ahead`(digits: String, year: Int) {
        let date = HTTPDate("Sunday, 06-Nov-\(digits) 00:00:00 GMT", now: now)

        #expect(date?.text.contains("06 Nov \(year)") == true)
        #expect(HTTPDate("Sunday, 06-Nov-\(digits) 00:00:00 GMT") == nil)
    }

    @Test(arguments: [
        (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
        (Int.max, "Fri, 31 Dec 9999 23:59:59 GMT"), (Int.min, "Sat, 01 Jan 0000 00:00:00 GMT"),
    ])
    func `a date is written as IMF-fixdate, within four digits of a year`(
        seconds: Int,
        text: String
    ) {
        #expect(HTTPDate(seconds: seconds).text == text)
    }

    @Test func `a leap second is the next minute's first`() {
        let leap = HTTPDate("Sat, 31 Dec 2016 23:59:60 GMT")

        #expect(leap?.text == "Sun, 01 Jan 2017 00:00:00 GMT")
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func `a written date is read back as the same second`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)

        for _ in 0..<2000 {
            let first = HTTPDate(seconds: .min).seconds
            let last = HTTPDate(seconds: .max).seconds
            let date = HTTPDate(seconds: .random(in: first...last, using: &generator))
            #expect(HTTPDate(date.text) == date, "seed \(seed), \(date.seconds)")
        }
    }

    @Test(arguments: [11, 12] as [UInt64])
    func `any text is read without a trap`(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let pieces = [
            "Sun", ",", " ", "06", "-", "Nov", "94", "1994", "08:49:37", ":", "GMT", "9", "\u{0}",
            "é", "99999999999999999999",
        ]

        for _ in 0..<5000 {
            let count = Int.random(in: 0...9, using: &generator)
            let text = (0..<count).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
            let date = HTTPDate(text, now: .random(in: .min ... .max, using: &generator))
            #expect(date.map { HTTPDate($0.text) == $0 } ?? true, "seed \(seed): \(text)")
        }
    }
}
