import Foundation
import Testing

@testable import Feeds

/// Documents as programs of the field write them; see Fixtures/feeds.
struct SyndicationTests {
    // MARK: Against feedparser

    @Test(arguments: [
        "atom.xml", "blog.xml", "media-rss.xml", "rss1.xml", "toots.rss", "made-by-feedgen.rss",
        "made-by-hugo.xml", "made-by-jekyll.xml", "made-by-pelican-atom.xml",
        "made-by-pelican.rss", "made-by-perl-rss1.xml",
    ])
    func `title, date, author and link are those that feedparser reads`(name: String) throws {
        let entries = try document(name).entries
        let expected = try fixture("feeds.txt").split(separator: "\n")
            .map { $0.split(separator: "\t").map(String.init) }
            .filter { $0[0] == name }

        try #require(entries.count == expected.count && !entries.isEmpty)
        for (entry, expected) in zip(entries, expected) {
            #expect(entry.date.map(String.init) ?? "-" == expected[1], "\(expected)")
            #expect(entry.author ?? "-" == expected[2], "\(expected)")
            // feedparser resolves addresses, which here is the gallery's part.
            #expect(expected[3].hasSuffix(entry.link ?? "-"), "\(expected)")
            #expect(entry.title ?? "-" == expected[4], "\(expected)")
        }
    }

    // MARK: Pictures

    @Test(arguments: [
        (
            "media-rss.xml",
            [
                ["https://photos.example.org/1041_b.jpg"],
                ["https://photos.example.org/1042_large.jpg"], [],
                ["https://photos.example.org/1044a.png", "https://photos.example.org/1044b.webp"],
            ]
        ),
        (
            "blog.xml",
            [
                [
                    "https://blog.example.org/wp-content/uploads/2024/05/baum-1.jpg",
                    "/wp-content/uploads/2024/05/zaun.jpg",
                ],
                [],
                [
                    "https://blog.example.org/anhang.jpg?x=1",
                    "https://blog.example.org/zweiter.avif",
                ],
            ]
        ),
        (
            "atom.xml",
            [
                ["https://atlas.example.org/cirrus.jpg"], ["stratus.png", "stratus-2.png"],
                ["https://video.example.org/vi/abc/hqdefault.jpg"],
            ]
        ),
        ("rss1.xml", [["https://gazette.example.org/cafe.jpg"]]),
        ("toots.rss", [["https://files.example.org/media/112/original/a1.jpg"]]),
        (
            "made-by-feedgen.rss",
            [
                ["https://photos.example.net/full/enclosed.jpg"],
                ["https://photos.example.net/full/lock.png"],
                ["https://photos.example.net/full/heron.jpg"],
            ]
        ),
        ("made-by-hugo.xml", [[], []]),
        (
            "made-by-jekyll.xml",
            [["https://atlas.example.net/pictures/fog.jpg"], ["/pictures/stratus.jpg"]]
        ),
        ("made-by-pelican-atom.xml", pelican), ("made-by-pelican.rss", pelican),
        (
            "made-by-perl-rss1.xml",
            [["https://gazette.example.net/bruecke.jpg"], ["//cdn.example.net/late.png"]]
        ),
    ])
    func `an entry has the images that it declares, or otherwise shows`(
        name: String,
        expected: [[String]]
    ) throws {
        let entries = try document(name).entries

        #expect(entries.map { $0.pictures.map(\.url) } == expected)
    }

    private static let pelican = [
        [], ["https://files.example.org/three.webp?w=2400"],
        ["https://notes.example.org/images/crane.jpg", "https://files.example.org/crane-2.png"],
    ]

    @Test func `an image has its thumbnail, its texts and its author`() throws {
        let pictures = try document("media-rss.xml").entries.flatMap(\.pictures)

        #expect(pictures[0].versions.map(\.url) == ["https://photos.example.org/1041_s.jpg"])
        #expect(pictures[0].alternativeText == "A harbour crane in fog")
        #expect(pictures[1].versions.map(\.url) == ["https://photos.example.org/1042_t.jpg"])
        #expect(pictures[2].title == "Left" && pictures[2].alternativeText == "Gulls")
        #expect(pictures[3].title == "Right" && pictures[3].alternativeText == nil)
    }

    @Test func `texts contain no markup`() throws {
        #expect(try document("toots.rss").entries[0].text == "Otters in the evening #otter")
        #expect(try document("rss1.xml").entries[0].pictures[0].alternativeText == "Außen")
        #expect(
            try document("blog.xml").entries[0].text
                == "Am Rand des Feldes stehen zwei Bäume. Und ein Zaun:"
        )
    }

    @Test func `a document has its title, its author and its next page`() throws {
        let atom = try document("atom.xml")
        #expect(atom.title == "Atlas of clouds" && atom.link == "https://atlas.example.org/")
        #expect(atom.next == .address("atom.xml?page=2"))
        #expect(atom.entries[1].bases == ["https://atlas.example.org/feed/", "../pictures/"])

        let rss = try document("media-rss.xml")
        #expect(rss.title == "Uploads from the harbour")
        #expect(rss.link == "https://photos.example.org/harbour/")
        #expect(rss.firstErrorLine == nil)
    }

    @Test func `a list of feeds gives their names and no next page`() throws {
        let list = try document("list.opml")

        #expect(list.entries == [])
        #expect(
            list.outlines == [
                .init(title: "Atlas of clouds", url: "https://atlas.example.org/feed/atom.xml"),
                .init(title: "Harbour", url: "https://photos.example.org/harbour/rss.xml"),
            ]
        )
    }

    @Test func `Newsboat's list of feeds gives their names, also without a title`() throws {
        let list = try document("made-by-newsboat.opml")

        #expect(
            list.outlines.map(\.url) == [
                "https://atlas.example.net/feed.xml", "https://photos.example.net/rss?tag=a&b=c",
            ]
        )
        #expect(list.outlines[0].title == "Atlas of clouds")
    }

    // MARK: Bad input

    @Test func `a truncated document gives the entries before the cut`() throws {
        let whole = try fixture("media-rss.xml")
        let end = try #require(whole.range(of: "<media:group>")).lowerBound
        let document = try read(String(whole[..<end]))

        #expect(document.entries.map(\.title) == ["Crane 4 at dawn", "Three ships"])
        #expect(document.firstErrorLine != nil)
    }

    @Test func `entities defined by a document are not expanded`() throws {
        var text = "<!DOCTYPE rss [<!ENTITY a0 \"ha\">"
        for number in 1...30 {
            text += "<!ENTITY a\(number) \"&a\(number - 1);&a\(number - 1);\">"
        }
        text += "<!ENTITY file SYSTEM \"file:///etc/passwd\">]><rss><channel>"
        text += "<item><title>&file;</title><enclosure url=\"http://a/1.jpg\"/></item>"
        text += "<item><title>&a30;</title></item></channel></rss>"

        let entries = try read(text).entries

        #expect(entries.first?.pictures.map(\.url) == ["http://a/1.jpg"])
        #expect(entries.allSatisfy { ($0.title ?? "").utf8.count < 1000 })
        #expect(entries.first?.title?.contains("root:") != true)
    }

    @Test func `recursive entities lose no entry after them`() throws {
        var text = "<!DOCTYPE rss [<!ENTITY a0 \"\(String(repeating: "]>", count: 5))\">"
        for number in 1...12 {
            text += "<!ENTITY a\(number) \"\(String(repeating: "&a\(number - 1);", count: 10))\">"
        }
        text += "]><rss><channel><title>&a12;</title>"
        text += "<item><enclosure url=\"http://a/1.jpg\"/></item></channel></rss>"

        let document = try read(text)

        #expect(document.entries.flatMap(\.pictures).map(\.url) == ["http://a/1.jpg"])
        #expect(document.firstErrorLine != nil)
    }

    @Test func `blanks before the declaration are accepted`() throws {
        let text =
            "<?xml version=\"1.0\"?><rss><channel><item><title>1</title></item></channel></rss>"
        for start in ["\n \t", "\u{FEFF}  \r\n"] {
            let document = try read(start + text)

            #expect(document.entries.map(\.title) == ["1"] && document.firstErrorLine == nil)
        }
    }

    @Test func `an attribute of nested entities does not grow to a gigabyte`() throws {
        var text = "<!DOCTYPE rss [<!ENTITY a0 \"\(String(repeating: "ha", count: 100))\">"
        for number in 1...20 {
            text += "<!ENTITY a\(number) \"\(String(repeating: "&a\(number - 1);", count: 10))\">"
        }
        text +=
            "]><rss><channel><item><title>1</title><enclosure url=\"&a20;\"/></item></channel></rss>"

        let document = try read(text)

        #expect(document.firstErrorLine != nil)
        #expect(document.entries.flatMap(\.pictures).allSatisfy { $0.url.utf8.count < 20 << 20 })
    }

    @Test func `excessively nested elements are skipped`() throws {
        let text = "<rss><channel>" + String(repeating: "<item>", count: 100_000)

        let document = try read(text)

        #expect(document.entries.count <= 1)
    }

    @Test func `HTML entities that XML does not know lose no entry`() throws {
        let text = """
            <rss><channel><item><title>Caf&eacute; &amp; more</title>
            <enclosure url="http://a/1.jpg" type="image/jpeg"/></item>
            <item><title>Next</title><enclosure url="http://a/2.jpg" type="image/jpeg"/></item>
            </channel></rss>
            """

        let entries = try read(text).entries

        #expect(entries.map { $0.pictures.map(\.url) } == [["http://a/1.jpg"], ["http://a/2.jpg"]])
        #expect(entries[1].title == "Next")
    }

    @Test(arguments: [
        "<svg xmlns='http://www.w3.org/2000/svg'/>", "<plist><dict/></plist>", "<?xml?>",
    ])
    func `XML that is not a feed is an error`(text: String) {
        #expect(throws: FeedDocumentFault.self) { try read(text) }
    }

    // MARK: Reading

    private func document(_ name: String) throws -> FeedDocument {
        try FeedDocument(xml: Array(Data(contentsOf: url(name))), isPictureName: isPictureName)
    }

    private func read(_ text: String) throws -> FeedDocument {
        try FeedDocument(xml: Array(text.utf8), isPictureName: isPictureName)
    }

    private func isPictureName(_ name: String) -> Bool {
        [".jpg", ".png", ".avif"].contains { name.hasSuffix($0) }
    }

    private func fixture(_ name: String) throws -> String {
        try String(contentsOf: url(name), encoding: .utf8)
    }

    private func url(_ name: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Fixtures/feeds/\(name)"
        )
    }
}
