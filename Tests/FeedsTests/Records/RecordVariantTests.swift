import ImageLoading
import Testing

@testable import Feeds

/// Tables and lists of JSON as programs write them.
struct RecordVariantTests {
    @Test(arguments: [
        ("sep=;\r\n", ";"), ("\u{FEFF}sep=;\r\n", ";"), ("\"sep=;\"\r\n", ";"),
        ("sep=\t\r\n", "\t"), ("sep=,\n", ","), ("SEP=|\n", "|"),
    ])
    func `the first line of a table can specify its delimiter`(
        line: String,
        delimiter: String
    ) throws {
        let rows = [["url", "caption"], ["http://h/a.png", "one"], ["http://h/b.png", "two"]]
        let text = line + rows.map { $0.joined(separator: delimiter) + "\r\n" }.joined()
        var growing = GrowingFeed(title: "f", base: .directory("/d"), origin: .local)
        growing.append(Array(text.utf8))

        let feeds = [try feed(text), try growing.end()]

        for feed in feeds {
            #expect(items(feed).map(\.caption) == ["one", "two"])
            #expect(items(feed).map(\.url) == ["http://h/a.png", "http://h/b.png"])
        }
    }

    @Test func `an object that maps identifiers to objects is a list`() throws {
        let feed = try feed(
            """
            {"results": {"a1": {"url": "http://h/a.png", "name": "one"},
              "b2": {"url": "http://h/b.png", "name": "two"}}}
            """
        )

        #expect(items(feed).map(\.caption) == ["one", "two"])
    }

    @Test func `the sizes of one image are not a list`() throws {
        let feed = try feed(
            """
            {"sizes": {"large": {"url": "http://h/a.png"}, "small": {"url": "http://h/b.png"}}}
            {"sizes": {"large": {"url": "http://h/c.png"}, "small": {"url": "http://h/d.png"}}}
            """
        )

        #expect(items(feed).map(\.url) == ["http://h/a.png", "http://h/c.png"])
    }

    @Test func `the URL of an image comes before its file name in COCO`() throws {
        let feed = try feed(
            """
            {"images": [{"file_name": "a.png", "coco_url": "http://h/a.png"},
              {"file_name": "b.png", "coco_url": "http://h/b.png"}]}
            """
        )

        #expect(items(feed).map(\.url) == ["http://h/a.png", "http://h/b.png"])
    }

    @Test func `a JSON Feed may escape its slashes`() throws {
        let feed = try feed(
            """
            {"version": "https:\\/\\/jsonfeed.org\\/version\\/1", "items": [{"id": "1",
              "content_html": "<img src='http:\\/\\/h\\/a.png'>"}]}
            """
        )

        #expect(items(feed).map(\.url) == ["http://h/a.png"])
    }

    private func feed(_ text: String) throws -> Feed {
        try Feed(parsing: Array(text.utf8), title: "f", base: .directory("/d"), origin: .local)
    }

    private func items(_ feed: Feed) -> [FeedItem] { (0..<feed.count).map { feed[$0] } }
}
