import ImageLoading
import Testing

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

/// Feeds of entries, as the gallery shows them; what a document says is tested where it is read.
struct SyndicatedFeedTests {
    @Test(arguments: [true, false])
    func `XML in UTF-16 needs no byte order mark`(isBigEndian: Bool) throws {
        let text = """
            <?xml version="1.0" encoding="UTF-16"?>
            <rss><item><enclosure url="http://a.example/ü.jpg"/></item></rss>
            """
        let bytes = text.utf16.flatMap { unit in
            let halves = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
            return isBigEndian ? halves : halves.reversed()
        }

        let feed = try Feed(parsing: bytes, title: "f", base: .directory("/"), origin: .local)

        #expect(feed.count == 1 && feed[0].url.hasPrefix("http://a.example/"))
    }

    /// The bytes are those of "Grüße – x" in windows-1252 and UTF-8.
    @Test(arguments: [
        ("<?xml version='1.0' encoding='ISO-8859-1'?>", false), ("", false),
        ("<?xml version='1.0' encoding='x-unknown'?>", false), ("\n\n<?xml version='1.0'?>", false),
        ("Warning: x\n<?xml version='1.0' encoding='windows-1252'?>", false),
        ("<?xml version='1.0' encoding='windows-1251'?>", true),
        ("<?xml version='1.0' encoding='utf-16'?>", true), ("\u{FEFF}", true),
    ])
    func `the encoding of a feed is detected`(declaration: String, isUTF8: Bool) throws {
        let word =
            isUTF8
            ? Array("Grüße – x".utf8)
            : [0x47, 0x72, 0xFC, 0xDF, 0x65, 0x20, 0x96, 0x20, 0x78]
        let bytes =
            Array("\(declaration)<rss><item><title>".utf8) + word
            + Array("</title><enclosure url='http://a/1.jpg'/></item></rss>".utf8)

        let feed = try Feed(parsing: bytes, title: "f", base: .directory("/"), origin: .local)

        #expect(captions(feed) == ["Grüße – x"])
        #expect(feed.remark == nil)
    }

    @Test func `a NUL byte in a feed loses only itself`() throws {
        let feed = try feed(
            "<item><title>a\u{0}b</title><enclosure url='http://a/1.jpg'/></item>\n"
                + "<item><title>c</title><enclosure url='http://a/2.jpg'/></item>"
        )

        #expect(captions(feed) == ["ab", "c"])
        #expect(feed.remark?.contains("invalid XML in line") == true)
    }

    @Test(arguments: [
        ("<description>&lt;img src='w.jpg'></description>", "http://a/blog/p/w.jpg"),
        ("<description>&lt;img src='../w.jpg'></description>", "http://a/blog/w.jpg"),
        ("<description>&lt;img src='/w.jpg'></description>", "http://a/w.jpg"),
        ("<description>&lt;base href='/b/'>&lt;img src='w.jpg'></description>", "http://h/b/w.jpg"),
        ("<description xml:base='c/'>&lt;img src='w.jpg'></description>", "http://h/c/w.jpg"),
        (
            "<description><div xml:base='d/'><img src='w.jpg'/></div></description>",
            "http://h/d/w.jpg"
        ),
        ("<enclosure url='w.jpg'/>", "http://h/w.jpg"),
    ])
    func `an image in the text of an item is relative to its base, and else to its page`(
        text: String,
        expected: String
    ) throws {
        let feed = try feed("<item><link>http://a/blog/p/</link>\(text)</item>")

        #expect(feed[0].url == expected)
    }

    @Test func `a lone entry of Atom is a feed`() throws {
        let text =
            "<entry xmlns='http://www.w3.org/2005/Atom'><title>One</title>"
            + "<link rel='enclosure' href='http://a/1.jpg'/></entry>"

        let feed = try Feed(
            parsing: Array(text.utf8),
            title: "f",
            base: .directory("/"),
            origin: .local
        )

        #expect(captions(feed) == ["One"])
    }

    @Test func `an image has its own title, or its entry's with a number`()
        throws
    {
        let feed = try feed(
            """
            <item><title>One</title><enclosure url="http://a/1.jpg"/></item>
            <item><title>Two</title><enclosure url="http://a/2.jpg"/>
              <enclosure url="http://a/3.jpg"/></item>
            <item><description>Words &lt;b&gt;only&lt;/b&gt;</description>
              <enclosure url="http://a/4.jpg"/></item>
            <item><enclosure url="http://a/5.jpg"/></item>
            """
        )

        #expect(captions(feed) == ["One", "Two (1/2)", "Two (2/2)", "Words only", "5.jpg"])
    }

    @Test func `an entry's fields belong to its images`() throws {
        let feed = try feed(
            """
            <item><title>One</title><link>http://a/one</link><author>Ada</author>
              <pubDate>Thu, 01 Jan 1970 00:01:00 GMT</pubDate><description>Words</description>
              <enclosure url="http://a/1.jpg"/></item>
            """
        )

        let details = try #require(feed[0].details)
        #expect(details.title == "One" && details.author == "Ada" && details.date == 60)
        #expect(details.link == "http://a/one")
        #expect(details.fields == [.init(name: "text", value: "Words")])
    }

    /// Each base resolves against the one before, the picture against the last.
    @Test(arguments: [
        ("", "", "p.jpg", "http://h/feeds/p.jpg"), ("", "", "/p.jpg", "http://h/p.jpg"),
        ("", "", "//c/p.jpg", "http://c/p.jpg"), ("http://b/x/", "", "p.jpg", "http://b/x/p.jpg"),
        ("http://b/x/", "../y/", "p.jpg", "http://b/y/p.jpg"),
        ("file:///etc/", "", "p.jpg", "http://h/feeds/p.jpg"),
    ])
    func `a URL is relative to the document's base, or else to the document`(
        outer: String,
        inner: String,
        address: String,
        expected: String
    ) throws {
        let text = """
            <feed xmlns="http://www.w3.org/2005/Atom"\(base(outer))><entry\(base(inner))>
            <title>1</title><link rel="enclosure" type="image/jpeg" href="\(address)"/></entry></feed>
            """

        let feed = try Feed(
            parsing: Array(text.utf8),
            title: "f",
            base: .url("http://h/feeds/atom.xml"),
            origin: .remoteFeed
        )

        #expect(feed[0].url == expected)
    }

    @Test func `in a saved feed URLs are relative to its page`() throws {
        let text = """
            <rss><channel><link>https://blog/</link><item><title>1</title>
            <enclosure url="/p.jpg"/><enclosure url="//c/q.jpg"/></item></channel></rss>
            """

        let feed = try Feed(
            parsing: Array(text.utf8),
            title: "f",
            base: .directory("/home"),
            origin: .local
        )

        #expect((0..<2).map { feed[$0].url } == ["https://blog/p.jpg", "https://c/q.jpg"])
    }

    @Test(arguments: ["file:///etc/passwd", "gopher://h/1.jpg"])
    func `a feed of the network can name only web URLs`(address: String) throws {
        let feed = try feed("<item><enclosure type=\"image/png\" url=\"\(address)\"/></item>")

        #expect(feed[0].problem != nil)
    }

    @Test func `left-out images are reported`() throws {
        let feed = try feed(
            "<item><enclosure url=\"http://a/1.jpg\"/></item><item><title>Bare</title></item>"
        )

        #expect(feed.count == 1)
        #expect(feed.remark == "f: left out 1 entry without an image")
    }

    @Test func `a feed without images is an error that explains it`() {
        let error = #expect(throws: FeedError.self) { try feed("<item><title>Bare</title></item>") }

        #expect(error?.description == "f: none of its entries has an image (1)")
    }

    @Test func `entries can be searched by text and sorted by date`() throws {
        let feed = try feed(
            """
            <item><title>Old</title><pubDate>1 May 2001 00:00:00 GMT</pubDate>
              <enclosure url="http://a/1.jpg"/></item>
            <item><title>Undated</title><author>Ada</author><enclosure url="http://a/2.jpg"/></item>
            <item><title>New</title><description>First light</description>
              <pubDate>1 May 2024 00:00:00 GMT</pubDate><enclosure url="http://a/3.jpg"/></item>
            """
        )
        var arranger = FeedArranger(feed: feed) { _ in nil }
        var arrangement = ItemArrangement()
        arrangement.key = .date

        let order = try #require(arranger.order(arrangement, known: KnownItems()) { false })

        #expect((0..<3).map { order[$0] } == [2, 0, 1])
        #expect(try feed.item(2, has: #require(TextNeedle("first light"))))
        #expect(try feed.item(1, has: #require(TextNeedle("ada"))))
        #expect(try !feed.item(0, has: #require(TextNeedle("ada"))))
    }

    @Test func `JSON of entries is a feed, read whole or in pieces`() throws {
        let text = """
            {"version": "https://jsonfeed.org/version/1.1", "title": "F", "items": [
            {"id": "1", "title": "One", "image": "/1.jpg"}, {"id": "2"}]}
            """
        let bytes = Array(text.utf8)
        let base = FeedBase.url("http://h/feed.json")
        var growing = GrowingFeed(title: "f", base: base, origin: .remoteFeed)
        for byte in bytes {
            growing.append([byte])
            _ = try growing.feed()
        }

        let feed = try Feed(parsing: bytes, title: "f", base: base, origin: .remoteFeed)
        let grown = try growing.end()

        #expect(feed.count == 1 && feed[0].caption == "One" && feed[0].url == "http://h/1.jpg")
        #expect(grown.count == 1 && grown[0] == feed[0])
        #expect(feed.remark == "f: left out 1 entry without an image")
    }

    @Test func `a JSON object that is not a feed is an error`() {
        let error = #expect(throws: FeedError.self) {
            try Feed(
                parsing: Array("{\n\"a\": 1\n}".utf8),
                title: "f",
                base: .url("http://h/"),
                origin: .local
            )
        }

        #expect(
            error?.description.contains(
                "f: is a JSON object without a list of images, and not a JSON Feed"
            ) == true
        )
    }

    @Test func `a list of feeds is recognized by its URLs`() throws {
        let text = """
            <opml><body><outline text="A" xmlUrl="http://a/feed"/><outline xmlUrl="b.xml"/>
            <outline xmlUrl="file:///c"/></body></opml>
            """

        let addresses = try Feed.addresses(
            inOPML: Array(text.utf8),
            title: "f",
            base: .url("http://h/list.opml")
        )

        #expect(addresses?.urls == ["http://a/feed", "http://h/b.xml"])
        #expect(addresses?.unusable == 1)
        #expect(
            try Feed.addresses(inOPML: Array("<rss/>".utf8), title: "f", base: .url("http://h/"))
                == nil
        )
    }

    private func feed(_ items: String) throws -> Feed {
        try Feed(
            parsing: Array("<rss><channel>\(items)</channel></rss>".utf8),
            title: "f",
            base: .url("http://h/feed"),
            origin: .remoteFeed
        )
    }

    private func captions(_ feed: Feed) -> [String] { (0..<feed.count).map { feed[$0].caption } }

    private func base(_ address: String) -> String {
        address.isEmpty ? "" : " xml:base=\"\(address)\""
    }
}
