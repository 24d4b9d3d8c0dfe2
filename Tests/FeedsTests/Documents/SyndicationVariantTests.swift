import ImageLoading
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
        "<a:link xmlns:a='http://www.w3.org/2005/Atom' rel='related' href='l.jpg'/>"
            + "<m:thumbnail url='s.jpg'/>",
        "<a:link xmlns:a='http://www.w3.org/2005/Atom' type='image/jpeg' href='l.jpg'/>"
            + "<thumbnail url='s.jpg'/>",
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
        ("<m:content url='1' type='text/html' medium='image'/>", true),
        ("<m:content url='1' type='video/mp4' medium='image'/>", false),
        ("<m:content url='1.jpg' medium='document'/>", false),
        ("<enclosure url='1.jpg' type='text/html'/>", true),
        ("<enclosure url='1.jpg' type='audio/mpeg'/>", false),
        ("<enclosure url='1' type='IMAGE/JPEG'/>", true), ("<enclosure url='1' type='jpg'/>", true),
        ("<enclosure url='i.php?f=1.jpg'/>", true), ("<enclosure url='1.mp3'/>", false),
        ("<thumbnail url='1'/>", true), ("<thumbnail>1</thumbnail>", true),
        ("<image>1</image>", true), ("<image><url>1</url></image>", true),
    ])
    func `type, medium or name decide whether a file is an image`(
        element: String,
        isImage: Bool
    ) throws {
        let text = "<rss xmlns:m='http://search.yahoo.com/mrss/'><item>\(element)</item></rss>"

        let feed = try FeedDocument(xml: Array(text.utf8)) { $0.hasSuffix(".jpg") }

        #expect(feed.entries.map(\.pictures.isEmpty) == [!isImage])
    }

    @Test(arguments: [
        "&amp;lt;img src=&amp;quot;1.jpg&amp;quot;&amp;gt;", "&lt;amp-img src='1.jpg'>",
        "&lt;p>&amp;lt;img src=&amp;quot;1.jpg&amp;quot;&amp;gt;&lt;/p>",
        "&lt;img src='data:,' data-lazyload='1.jpg'>", "&lt;img data-orig-file='1.jpg'>",
        "&lt;img src='data:image/gif;base64,R0lGODlhAQABAAAA' data-any-name='1.jpg'>",
        "&lt;img src='/i/blank.gif' data-thumb='0.jpg' data-zoom='1.jpg'>",
        "&lt;img src='blank.gif'>&lt;noscript>&lt;img src='1.jpg'>&lt;/noscript>",
        "&lt;img src='1.jpg'>&lt;noscript>&lt;img src='1.jpg'>&lt;/noscript>",
        "&lt;div style=\"background-image: url('1.jpg')\">&lt;/div>",
        "&lt;div style='background:#fff url(1.jpg) no-repeat'>&lt;/div>",
        "&lt;div data-bg='url(1.jpg)'>&lt;/div>", "&lt;div data-bg='1.jpg'>&lt;/div>",
    ])
    func `an image is found in unusual markup`(description: String) throws {
        let text = "<rss><item><description>\(description)</description></item></rss>"

        let feed = try FeedDocument(xml: Array(text.utf8)) { _ in false }

        #expect(feed.entries.map { $0.pictures.map(\.url) } == [["1.jpg"]])
    }

    @Test func `the smaller image before its form without scripts is a version`() throws {
        let text =
            "<rss><item><description>&lt;img src='s.jpg' width='300'>&lt;noscript>"
            + "&lt;img src='1.jpg'>&lt;/noscript>&lt;img src='2.jpg'></description></item></rss>"

        let pictures = try FeedDocument(xml: Array(text.utf8)) { _ in false }.entries[0].pictures

        #expect(pictures.map(\.url) == ["1.jpg", "2.jpg"])
        #expect(pictures[0].versions == [.init(url: "s.jpg", width: 300)])
    }

    @Test(arguments: ["blank.gif", "data:,", "s.jpg"])
    func `a linked image and its small version with two forms are one image`(
        source: String
    ) throws {
        let text =
            "<rss><item><description>&lt;a href='1.jpg'>&lt;img src='\(source)'>&lt;noscript>"
            + "&lt;img src='t.jpg'>&lt;/noscript>&lt;/a>&lt;img src='2.jpg'>"
            + "&lt;noscript>&lt;img src='3.jpg'>&lt;/noscript></description></item></rss>"

        let feed = try FeedDocument(xml: Array(text.utf8)) { $0.hasSuffix(".jpg") }

        let pictures = feed.entries[0].pictures
        #expect(pictures.map(\.url) == ["1.jpg", "3.jpg"])
        let small = source == "s.jpg" ? ["s.jpg", "t.jpg"] : ["t.jpg"]
        #expect(pictures[0].versions.map(\.url) == small)
    }

    @Test(arguments: [("data-real", ["0.jpg", "1.jpg", "2.jpg"]), ("alt", [])])
    func `a placeholder that is repeated is not an image`(
        attribute: String,
        expected: [String]
    ) throws {
        let entries = (0..<3).map { entry in
            "<item><description>&lt;img src='grey.gif' \(attribute)='\(entry).jpg'></description>"
                + "</item>"
        }

        let feed = try FeedDocument(xml: Array("<rss>\(entries.joined())</rss>".utf8)) { _ in false
        }

        #expect(feed.entries.flatMap(\.pictures).map(\.url) == expected)
    }

    @Test func `an image that three entries show beside others is left out`() throws {
        let entries = (0..<3).map { entry in
            "<item><description>&lt;img src='share.png'>&lt;img src='\(entry).jpg'></description>"
                + "</item>"
        }

        let feed = try FeedDocument(xml: Array("<rss>\(entries.joined())</rss>".utf8)) { _ in false
        }

        #expect(feed.entries.flatMap(\.pictures).map(\.url) == ["0.jpg", "1.jpg", "2.jpg"])
    }

    @Test func `100,000 lazy attributes take linear time and lose no image after them`() throws {
        let attributes = (0..<100_000).map { "data-a\($0)='\($0).jpg'" }.joined(separator: " ")
        let text = "<html><img src='1.jpg' \(attributes)><img src='2.jpg'>"

        let page = try FeedDocument(html: Array(text.utf8)) { _ in false }

        #expect(page.entries.map { $0.pictures[0].url } == ["1.jpg", "2.jpg"])
    }

    @Test(arguments: [
        ("data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=", false),
        ("data:image/gif;base64,R0lGODlhKAAeAAAAACwAAAAAAQABAAA=", true),
        (
            "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
            false
        ),
        (
            "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACgAAAAeCAIAAADRv8uKAAAADUlEQVR42mNk",
            true
        ),
        ("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3C/svg%3E", false),
        ("data:image/webp;base64,UklGRiQAAABXRUJQVlA4IBgAAAAwAQCdASoBAAEAAwA0JaQAA3AA", true),
    ])
    func `an image in a data URL is shown unless it is empty`(url: String, isShown: Bool) throws {
        let text = "<html><img src=\"\(url)\"><img src='2.jpg'>"

        let page = try FeedDocument(html: Array(text.utf8)) { _ in false }

        #expect(page.entries.map { $0.pictures[0].url } == (isShown ? [url] : []) + ["2.jpg"])
    }

    // MARK: Damage

    @Test(arguments: [
        "<br />\n<b>Warning</b>: line <b>3</b><br />\n<?xml version='1.0'?>",
        "Notice: x\n<?xml version='1.0'?>",
        "<?xml version='1.0' encoding='x-unknown'?>", "\n<!-- comment -->",
    ])
    func `a feed is recognized behind other text and with an unknown encoding`(
        start: String
    ) throws {
        let text =
            start
            + "<rss><channel><item><enclosure type='image/png' url='1.png'/></item></channel></rss>"

        let feed = try Feed(
            parsing: Array(text.utf8),
            title: "f",
            base: .url("http://h/"),
            origin: .remoteFeed
        )

        #expect(feed[0].url == "http://h/1.png")
    }

    @Test func `a control character in an attribute loses only itself`() throws {
        let text = "<rss><channel><item>\n<enclosure url='http://h/\u{1B}a.jpg' type='image/jpeg'/>"

        let feed = try FeedDocument(xml: Array(text.utf8)) { _ in true }

        #expect(feed.entries.map { $0.pictures.map(\.url) } == [["http://h/a.jpg"]])
    }

    @Test func `a NUL byte loses only itself`() throws {
        let text =
            "<rss><item><title>a\0b</title><enclosure type='image/png' url='1.p\0ng'/></item>"
            + "<item><enclosure type='image/png' url='2.png'/></item></rss>"

        let feed = try FeedDocument(xml: Array(text.utf8)) { _ in false }

        #expect(feed.entries.map { $0.pictures.map(\.url) } == [["1.png"], ["2.png"]])
        #expect(feed.entries[0].title == "ab")
    }

    @Test func `an entry of Atom may be the whole document`() throws {
        let text =
            "<entry xmlns='http://www.w3.org/2005/Atom'><link rel='enclosure' type='image/png' "
            + "href='1.png'/></entry>"

        let feed = try FeedDocument(xml: Array(text.utf8)) { _ in false }

        #expect(feed.entries.map { $0.pictures.map(\.url) } == [["1.png"]])
    }

    @Test func `the title of an image is not its URL`() throws {
        let text = "<rss><item><image><title>One</title></image></item></rss>"

        let feed = try FeedDocument(xml: Array(text.utf8)) { _ in false }

        #expect(feed.entries.map(\.pictures) == [[]])
    }

    @Test(arguments: [
        "a < b", "a <b> c", "a & b", "a \u{B} b", "a \0 b", "a \"q\" b", "caf&eacute;", "a > b",
    ])
    func `no character in a name loses a feed of a list`(name: String) throws {
        let outlines = [
            #"text="x" xmlUrl="1""#, #"text="\#(name)" xmlUrl="2""#, #"text="y" xmlUrl="3""#,
        ]
        let text = "<opml><body>\(outlines.map { "<outline \($0)/>" }.joined())</body></opml>"

        let list = try FeedDocument(xml: Array(text.utf8)) { _ in false }

        #expect(list.outlines.map(\.url) == ["1", "2", "3"])
    }

    @Test
    func `elements of a list may be in capitals, and control characters in a URL are removed`()
        throws
    {
        let text = "<OPML><BODY><OUTLINE XMLURL='b\u{B}.xml'/></BODY></OPML>"

        let list = try FeedDocument(xml: Array(text.utf8)) { _ in false }

        #expect(list.outlines.map(\.url) == ["b.xml"])
    }

    @Test(arguments: ["xmlUrl", "xmlurl", "XMLURL", "url"])
    func `a feed of a list is found in any case of its attribute`(name: String) throws {
        let text = "<opml><body><outline text='a' \(name)='b.xml'/></body></opml>"

        let list = try FeedDocument(xml: Array(text.utf8)) { _ in false }

        #expect(list.outlines.map(\.url) == ["b.xml"])
    }
}
