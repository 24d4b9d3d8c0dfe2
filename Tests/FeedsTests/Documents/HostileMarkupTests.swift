import PropertyRuns
import Testing

@testable import Feeds

/// Documents whose parsing took quadratic time: each of these took minutes.
struct HostileMarkupTests {
    // MARK: Attributes

    private static let manyAttributes = (0..<80_000).map { " a\($0)=1" }.joined()
    private static let manyQuoted = (0..<200_000).map { " a\($0)=\"1\"" }.joined()
    private static let attributeRemark =
        "left out the attributes after the first 256 of an element"

    /// An unknown entity makes the second feed broken.
    @Test(arguments: ["", "&unknown;"])
    func `attributes beyond 256 of an XML element are left out and reported`(text: String) throws {
        let feed = try feed(
            "<item><title\(Self.manyQuoted)>One\(text)</title>"
                + "<enclosure url='1.jpg' type='image/jpeg'/></item>"
        )

        #expect(feed.entries.map(\.title) == ["One"])
        #expect(feed.entries.map { $0.pictures.map(\.url) } == [["1.jpg"]])
        #expect(feed.remarks == [Self.attributeRemark])
    }

    @Test func `attributes beyond 256 of an HTML element are left out and reported`() throws {
        let image = "<img src=1.jpg\(Self.manyAttributes)><img src=2.jpg>"
        let page = try FeedDocument(html: Array("<body>\(image)".utf8), isPictureName: isPicture)
        let feed = try feed("<item><description><![CDATA[\(image)]]></description></item>")

        #expect(page.entries.map { $0.pictures[0].url } == ["1.jpg", "2.jpg"])
        #expect(page.remarks == [Self.attributeRemark])
        #expect(feed.entries.map { $0.pictures.map(\.url) } == [["1.jpg", "2.jpg"]])
        #expect(feed.remarks == [Self.attributeRemark])
    }

    @Test(arguments: [
        "<a b='>' c=\">\"/>", "<a" + (0..<256).map { " a\($0)=x" }.joined() + ">",
        "<script>if (a<b" + String(repeating: " && c", count: 999) + ") {}</script>",
        "<p title='" + String(repeating: "a ", count: 999) + "'>a <b\nc</p>", "<!-- <a", "<a b='",
        "<", "<!", "<?", "</", "<!DOCTYPE html [",
    ])
    func `markup within the limits is unchanged`(text: String) {
        let bytes = Array(text.utf8)

        #expect(BoundedMarkup(bytes, .html).bytes == bytes)
        #expect(BoundedMarkup(bytes, .html).reached == [])
    }

    @Test func `an empty element with too many attributes stays empty`() {
        let markup = BoundedMarkup(Array("<a\(Self.manyQuoted)/><b/>".utf8), .xml)

        #expect(String(decoding: markup.bytes, as: UTF8.self).hasSuffix(" a255=\"1\" /><b/>"))
    }

    // MARK: Text

    @Test func `a long text is cut after 1 MiB and reported`() throws {
        // 50 MB, or 8 MB under a sanitizer.
        let count = PropertyRuns.isSanitized ? 640 << 10 : 4 << 20
        let words = String(repeating: "x y <b>z</b> ", count: count)

        let feed = try feed(
            "<item><title>One</title><description><![CDATA[\(words)]]></description></item>"
                + "<item><title>Two</title></item>"
        )

        #expect(feed.entries.map(\.title) == ["One", "Two"])
        #expect(feed.entries[0].text?.hasPrefix("x y z x y z") == true)
        #expect(feed.firstErrorLine == nil)
        #expect(feed.remarks == ["cut a text after 1 MiB"])
    }

    @Test(arguments: ["ä☺", "a\r\n", "]]", "]] >", "<!---->"])
    func `a long CDATA section keeps its text`(part: String) throws {
        let text = String(repeating: part, count: 30_000)
        let bytes = Array("<a><![CDATA[\(text)]]></a>".utf8)
        var read = ""

        try MarkupReader.withXML(bytes) { reader in
            while let node = reader.next() {
                if case .text(let more) = node { read += more }
            }
            #expect(reader.brokenLine == nil)
        }

        // libxml2 keeps the line ends of some sections.
        #expect(read.replacing("\r\n", with: "\n") == text.replacing("\r\n", with: "\n"))
    }

    @Test func `definitions beyond 64 KiB are left out and reported`() throws {
        let definitions = String(repeating: "<!ENTITY a 'b'>\n", count: 500_000)
        let text =
            "<?xml version='1.0'?><!DOCTYPE rss [\(definitions)]><rss><channel><item>"
            + "<title>One</title></item></channel></rss>"

        let feed = try FeedDocument(xml: Array(text.utf8), isPictureName: isPicture)

        #expect(feed.entries.map(\.title) == ["One"])
        #expect(feed.firstErrorLine == nil)
        #expect(
            feed.remarks == ["left out the definitions of the DOCTYPE, which exceed 64 KiB"]
        )
    }

    // MARK: Images and nesting

    @Test(arguments: ["<img src='%.jpg'/>", "<enclosure url='%.jpg' type='image/jpeg'/>"])
    func `images beyond 1,000 of an entry are left out and reported`(image: String) throws {
        let count = PropertyRuns.isSanitized ? 20_000 : 200_000
        let images = (0..<count).map { image.replacing("%", with: "\($0)") }.joined()
        let escaped =
            image.hasPrefix("<img") ? "<description><![CDATA[\(images)]]></description>" : images

        let feed = try feed("<item>\(escaped)</item>")

        #expect(feed.entries.map(\.pictures.count) == [1_000])
        #expect(
            feed.remarks.contains("left out the images after the first 1,000 of an entry")
        )
    }

    @Test func `deeply nested elements are left out and reported`() throws {
        let divisions = String(repeating: "<div>", count: 100_000)
        let page = try FeedDocument(
            html: Array("<body><img src=1.jpg>\(divisions)<img src=2.jpg>".utf8),
            isPictureName: isPicture
        )
        let feed = try feed(
            "<item><title>One</title></item>" + String(repeating: "<a>", count: 220)
                + String(repeating: "</a>", count: 220)
        )

        #expect(page.entries.map { $0.pictures[0].url } == ["1.jpg"])
        #expect(page.remarks == ["left out elements that are nested too deeply"])
        #expect(feed.entries.map(\.title) == ["One"])
        #expect(feed.remarks == ["left out elements that are nested too deeply"])
    }

    private func feed(_ items: String) throws -> FeedDocument {
        let text = "<rss><channel>\(items)</channel></rss>"
        return try FeedDocument(xml: Array(text.utf8), isPictureName: isPicture)
    }

    private func isPicture(_ name: String) -> Bool { name.hasSuffix(".jpg") }
}
