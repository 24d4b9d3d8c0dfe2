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

    @Test(arguments: [
        #"{"alice": {"url": "http://h/a.png"}, "bob": {"url": "http://h/b.png"}}"#,
        #"{"data": {"x": {"url": "http://h/a.png"}, "y": {"url": "http://h/b.png"}}}"#,
        #"[[2, {"category": "c"}], [3, "http://h/a.png", {"id": 1}], [3, "http://h/b.png", {}]]"#,
        #"[{"photo_url_full": "http://h/a.png"}, {"photo_url_full": "http://h/b.png"}]"#,
        #"{"images": [{"file_name": "1.jpg", "flickr_url": "http://h/a.png"}, "#
            + #"{"file_name": "2.jpg", "flickr_url": "http://h/b.png"}]}"#,
    ])
    func `all images of a list are found`(text: String) throws {
        #expect(items(try feed(text)).map(\.url) == ["http://h/a.png", "http://h/b.png"])
    }

    @Test(arguments: ["image", "b64_json", "any"])
    func `an image in base64 is a data URL`(key: String) throws {
        let base64 = "iVBORw0KGgo" + String(repeating: "A", count: 100) + "=="

        let feed = try feed(#"[{"\#(key)": "\#(base64)", "text": "one"}]"#)

        #expect(feed[0].url == "data:image/png;base64," + base64)
        #expect(feed[0].caption == "one")
    }

    @Test func `the bytes of an image come before its path`() throws {
        let base64 = "/9j/" + String(repeating: "A", count: 100)

        let feed = try feed(
            #"[{"image": {"path": "a.jpg", "bytes": "\#(base64)"}}, "#
                + #"{"image": {"path": null, "bytes": "\#(base64)"}}]"#
        )

        #expect(
            items(feed).map(\.url) == Array(repeating: "data:image/jpeg;base64," + base64, count: 2)
        )
    }

    @Test func `the version of a JSON Feed may be at its end and have any escapes`() throws {
        let feed = try feed(
            #"{"title": "\#(String(repeating: "x", count: 70_000))", "items": [{"id": "1", "#
                + #""content_html": "<a href='http://h/a.png'>x</a>"}], "#
                + #""version": "https:\u002f\/jsonfeed.org\/version/1"}"#
        )

        #expect(items(feed).map(\.url) == ["http://h/a.png"])
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
