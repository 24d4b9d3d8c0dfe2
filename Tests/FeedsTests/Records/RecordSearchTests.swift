import ImageLoading
import Testing

@testable import Feeds

/// Searching, filtering and sorting records without making items of them.
@Suite struct RecordSearchTests {
    private static let jsonLines = """
        {"url":"http://www.h.example/one.jpg","caption":"Caf\\u00e9 au lait","author":"Ann","url2":"x"}
        {"url":"http://u:secret@other.example/two%20b.png","caption":"a \\"quoted\\" one","n":12345}
        {"caption":"\\u0054hree \\/ four","url":"https:\\/\\/h.example\\/3.gif","inline":"data:image/png;base64,needle"}
        not JSON with needle
        {"url":"http://h.example/a10.jpg","caption":"x10"}
        {"url":"http://h.example/a9.jpg","caption":""}
        """
    private static let table = """
        url,caption,n
        http://www.h.example/one.jpg,Café au lait,1
        http://u:secret@other.example/two%20b.png,"a ""quoted"" one",12345
        https://h.example/3.gif,Three / four,3
        http://h.example/a10.jpg,x10,4
        http://h.example/a9.jpg,,5
        """

    private func feed(_ text: String, _ name: String) throws -> Feed {
        try Feed(parsing: Array(text.utf8), title: name, base: .directory("/d"), origin: .local)
    }

    private func found(_ text: String, _ feed: Feed) throws -> [Int] {
        let needle = try #require(TextNeedle(text))
        var found: [Int] = []
        feed.search(for: needle, in: 0..<feed.count) {
            found.append($0)
            return true
        }
        for item in 0..<feed.count { #expect(feed.item(item, has: needle) == found.contains(item)) }
        return found
    }

    @Test(
        arguments: [
            ("café", [0]), ("three", [2]), ("\"quoted\"", [1]), ("/ four", [2]), ("two b", [1]),
            ("two%20", [1]), ("secret", []), ("caption", []), ("url2", []), ("ann", [0]),
            ("12345", [1]), ("needle", [3]), ("https://h", [2]), ("h.example", [0, 2, 4, 5]),
        ]
    )
    func `all values of objects are found, but not the names`(text: String, items: [Int]) throws {
        // Invalid JSON has no values.
        let expected = text == "needle" ? [] : items
        #expect(try found(text, feed(Self.jsonLines, "l.jsonl")) == expected)
        let lines = Self.jsonLines.split(separator: "\n").filter { $0.hasPrefix("{") }
        let array = "[" + lines.joined(separator: ",\n") + "]"
        let others = expected.map { $0 > 3 ? $0 - 1 : $0 }
        #expect(try found(text, feed(array, "l.json")) == others)
    }

    @Test(
        arguments: [
            ("café", [0]), ("three", [2]), ("\"quoted\"", [1]), ("two b", [1]), ("secret", []),
            ("12345", [1]), ("caption", []), ("lait,1", []), ("h.example", [0, 2, 3, 4]),
        ]
    )
    func `all fields of rows are found`(text: String, items: [Int]) throws {
        #expect(try found(text, feed(Self.table, "t.csv")) == items)
    }

    @Test func `hosts, formats and names are read from the items`() throws {
        for feed in [try feed(Self.jsonLines, "l.jsonl"), try feed(Self.table, "t.csv")] {
            for item in 0..<feed.count where feed[item].problem == nil {
                let host =
                    feed[item].url.contains("other")
                    ? "other.example"
                    : feed[item].url.contains("www") ? "www.h.example" : "h.example"
                #expect(feed.host(of: item) == host)
                #expect(feed.caption(of: item) == feed[item].caption)
                for suffix in ["jpg", "png", "gif"] {
                    let found = feed.withSuffix(of: item) { $0.elementsEqual(suffix.utf8) }
                    #expect((found ?? false) == feed[item].url.hasSuffix("." + suffix))
                }
            }
        }
    }
}
