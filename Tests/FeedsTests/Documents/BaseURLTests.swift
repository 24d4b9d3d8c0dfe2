import ImageLoading
import Testing

@testable import Feeds

/// The base URLs of relative image URLs, in the order in which they are tried.
struct BaseURLTests {
    private static let feed = "http://h/feeds/f.xml"

    @Test(arguments: [
        (
            "", #"<content xml:base="/deep/">&lt;img src="w.png"&gt;</content>"#,
            "http://h/deep/w.png"
        ),
        (
            "", #"<content>&lt;base href="/posts/"&gt;&lt;img src="w.png"&gt;</content>"#,
            "http://h/posts/w.png"
        ),
        (
            #"xml:base="/a/""#,
            #"<content xml:base="deep/">&lt;img src="w.png"&gt;</content>"#,
            "http://h/a/deep/w.png"
        ),
        (#"xml:base="/r/""#, #"<content>&lt;img src="w.png"&gt;</content>"#, "http://h/r/w.png"),
        (
            "",
            #"<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml" xml:base="/x/">"#
                + #"<img src="w.png"/></div></content>"#,
            "http://h/x/w.png"
        ),
    ])
    func `a base in the feed comes before the pages of the entry and the feed`(
        attribute: String,
        content: String,
        expected: String
    ) throws {
        let item = try item(
            """
            <feed xmlns="http://www.w3.org/2005/Atom" \(attribute)>
            <link href="http://h/site/"/>
            <entry><link href="http://h/blog/p/"/>\(content)</entry></feed>
            """
        )

        #expect(item.url == expected)
        let urls = item.details?.alternatives?.urls
        #expect(urls == [expected, "http://h/blog/p/w.png", "http://h/site/w.png", expected])
    }

    @Test func `a saved Atom feed has the base from which it was loaded`() throws {
        let text = """
            <feed xmlns="http://www.w3.org/2005/Atom"><link href="https://h/notes"/>
            <link rel="self" href="https://h/notes/atom.xml"/>
            <entry><link href="/notes/a/"/><content>&lt;img src="w.png"&gt;</content></entry>
            </feed>
            """

        let feed = try Feed(
            parsing: Array(text.utf8),
            title: "f",
            base: .directory("/saved"),
            origin: .local
        )

        #expect(feed[0].url == "https://h/notes/w.png")
        let urls = try #require(feed[0].details?.alternatives?.urls)
        #expect(urls.contains("https://h/notes/a/w.png"), "the base of a relative link, too")
    }

    @Test func `an image of RSS is relative to its entry, the channel or the feed`() throws {
        let item = try item(
            """
            <rss><channel><link>http://h/site/</link><item><link>http://h/blog/p/</link>
            <description>&lt;img src="w.png"&gt;</description></item></channel></rss>
            """
        )

        #expect(item.url == "http://h/blog/p/w.png")
        #expect(
            item.details?.alternatives?.urls == [
                item.url, item.url, "http://h/site/w.png", "http://h/feeds/w.png",
            ]
        )
    }

    @Test(arguments: ["http://h/i/w.png", "/i/w.png", "//h/i/w.png", "data:image/png;base64,AA=="])
    func `an image with one possible URL has no alternatives`(source: String) throws {
        let item = try item(
            """
            <rss><channel><link>http://h/site/</link><item><link>http://h/blog/p/</link>
            <enclosure type="image/png" url="\(source)"/></item></channel></rss>
            """
        )

        #expect(item.details?.alternatives == nil)
    }

    @Test func `the base that worked is the only one for the other images of a feed`() throws {
        let entries = (0..<2).map { entry in
            """
            <item><link>http://h/blog/\(entry)/</link>
            <description>&lt;img src="\(entry).png"&gt;</description></item>
            """
        }
        let text = "<rss><channel><link>http://h/site/</link>\(entries.joined())</channel></rss>"
        let feed = try feed(text)
        let first = feed[0].request(origin: .remoteFeed)
        #expect(first.alternatives.count == 3)

        first.alternativeGroup?.note(working: [2])

        let second = feed[1].request(origin: .remoteFeed)
        #expect(second.url == "http://h/site/1.png")
        #expect(second.alternatives.isEmpty)
    }

    @Test func `a version is requested before the image and one alternative`() throws {
        let request = try item(
            """
            <rss xmlns:m="http://search.yahoo.com/mrss/"><channel><link>http://h/site/</link><item>
            <link>http://h/blog/p/</link><m:content medium="image" url="w.png">
            <m:thumbnail url="http://h/s.png"/><m:thumbnail url="t.png"/></m:content>
            </item></channel></rss>
            """
        ).request(origin: .remoteFeed)

        let small = request.replaced(by: PictureVersion(url: "http://h/s.png"))

        #expect(small.url == "http://h/s.png")
        #expect(small.alternatives.count == 2 && small.alternatives[0] == request.url)
        #expect(small.alternativeGroup == nil)
    }

    private func item(_ text: String) throws -> FeedItem { try feed(text)[0] }

    private func feed(_ text: String) throws -> Feed {
        try Feed(parsing: Array(text.utf8), title: "f", base: .url(Self.feed), origin: .remoteFeed)
    }
}
