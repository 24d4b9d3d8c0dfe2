import Testing

@testable import Feeds

/// Feeds that differ from their specifications, as many do.
struct SyndicationVariantTests {
    // MARK: Linked images

    @Test(arguments: [
        "<description><![CDATA[<a href='/p'><img src='s.jpg'></a> <a href='l.jpg'>[link]</a>"
            + "]]></description>",
        "<description><![CDATA[<a href='l.jpg'><img src='s.jpg'></a>]]></description>",
        "<link>l.jpg</link><description><![CDATA[<img src='s.jpg'>]]></description>",
        "<link>l.jpg</link><m:thumbnail url='s.jpg'/>",
    ])
    func `the image that an entry links to is its image, and the thumbnail a version`(
        item: String
    ) throws {
        let text = "<rss xmlns:m='http://search.yahoo.com/mrss/'><item>\(item)</item></rss>"

        let feed = try FeedDocument(xml: Array(text.utf8)) { $0.hasSuffix(".jpg") }

        #expect(feed.entries.map { $0.pictures.map(\.url) } == [["l.jpg"]])
        #expect(feed.entries[0].pictures[0].versions.map(\.url) == ["s.jpg"])
    }

    @Test func `links beside several images are not images`() throws {
        let text =
            "<rss><item><description><![CDATA[<img src='1.jpg'><img src='2.jpg'>"
            + "<a href='3.jpg'>another</a>]]></description></item></rss>"

        let feed = try FeedDocument(xml: Array(text.utf8)) { $0.hasSuffix(".jpg") }

        #expect(feed.entries.map { $0.pictures.map(\.url) } == [["1.jpg", "2.jpg"]])
    }

    // MARK: Namespaces

    @Test(arguments: [
        "http://search.yahoo.com/mrss/", "http://search.yahoo.com/mrss",
        "https://search.yahoo.com/mrss/", "http://search.yahoo.com/MRSS/",
        "https://www.rssboard.org/media-rss", "http://search.yahoo.com/mrss/ ",
    ])
    func `the namespace of Media RSS is recognized in any spelling`(namespace: String) throws {
        let text =
            "<rss xmlns:m='\(namespace)'><channel><item>"
            + "<m:content url='1.jpg' medium='image'/></item></channel></rss>"

        let feed = try FeedDocument(xml: Array(text.utf8), isPictureName: { _ in false })

        #expect(feed.entries.map { $0.pictures.map(\.url) } == [["1.jpg"]])
    }

    // MARK: Elements

    @Test func `an enclosure without a useful type is an image if its name is one`() throws {
        let text =
            "<rss><item><enclosure url='1.jpg' type='application/octet-stream'/>"
            + "<enclosure url='2.mp3' type='application/octet-stream'/></item></rss>"

        let feed = try FeedDocument(xml: Array(text.utf8)) { $0.hasSuffix(".jpg") }

        #expect(feed.entries.map { $0.pictures.map(\.url) } == [["1.jpg"]])
    }

    @Test(arguments: [
        "&amp;lt;img src=&amp;quot;1.jpg&amp;quot;&amp;gt;", "&lt;amp-img src='1.jpg'>",
        "&lt;img src='data:,' data-lazyload='1.jpg'>", "&lt;img data-orig-file='1.jpg'>",
    ])
    func `an image is found in unusual markup`(description: String) throws {
        let text = "<rss><item><description>\(description)</description></item></rss>"

        let feed = try FeedDocument(xml: Array(text.utf8)) { _ in false }

        #expect(feed.entries.map { $0.pictures.map(\.url) } == [["1.jpg"]])
    }

    @Test func `the title of an image is not its URL`() throws {
        let text = "<rss><item><image><title>One</title></image></item></rss>"

        let feed = try FeedDocument(xml: Array(text.utf8)) { _ in false }

        #expect(feed.entries.map(\.pictures) == [[]])
    }

    @Test(arguments: ["xmlUrl", "xmlurl", "XMLURL", "url"])
    func `a feed of a list is found in any case of its attribute`(name: String) throws {
        let text = "<opml><body><outline text='a' \(name)='b.xml'/></body></opml>"

        let list = try FeedDocument(xml: Array(text.utf8)) { _ in false }

        #expect(list.outlines.map(\.url) == ["b.xml"])
    }
}
