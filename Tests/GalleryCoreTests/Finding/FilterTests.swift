import BitCollections
import Decoders
import ImageLoading
import TerminalUI
import Testing

@testable import Feeds
@testable import GalleryCore

@Suite struct FilterTests {
    private func shown(_ filter: String, _ known: KnownItems = KnownItems()) throws -> [Int] {
        let text = """
            http://one.org/sea.jpg  The sea
            http://one.org/sea-lion.png
            http://two.org/lion.jpeg  A lion
            file:///p/large.webp
            file:///p/small.webp
            """
        let feed = try Feed(
            parsing: Array(text.utf8),
            title: "f",
            base: .directory("/"),
            origin: .local
        )
        var arranger = FeedArranger(feed: feed) { item in
            LocalFileFacts(byteCount: item.url.contains("large") ? 3_000_000 : 900, modified: 0)
        }
        var arrangement = ItemArrangement()
        let (query, problems) = FilterQuery.parse(filter, FilterFields(names: []))
        #expect(problems.isEmpty)
        arrangement.filter = query
        let order = try #require(arranger.order(arrangement, known: known) { false })
        return (0..<order.count).map { order[$0] }
    }

    @Test(
        arguments: [
            ("", [0, 1, 2, 3, 4]), ("sea", [0, 1]), ("sea lion", [1]), ("lion -sea", [2]),
            ("-sea", [2, 3, 4]), ("\"a lion\"", [2]), ("format:jpeg", [0, 2]),
            ("format:jpg", [0, 2]),
            ("format:PNG", [1]), ("-format:jpeg sea", [1]), ("host:one", [0, 1]),
            ("host:o", [0, 1, 2]),
            ("-host:one", [2, 3, 4]), ("size:>1M", [3]), ("size:<1k", [4]), ("size:2.5MB", [3]),
            ("http://two", [2]), ("sea format:", [0, 1]), ("state:fai sea", [0, 1]),
            ("-", [0, 1, 2, 3, 4]),
        ]
    )
    func `a filter shows the items that match all words`(filter: String, items: [Int]) throws {
        #expect(try shown(filter) == items)
    }

    @Test func `known properties of images can be filtered`() throws {
        var known = KnownItems()
        known.failed = [1]
        known.loaded = [0, 2]
        for item in [2, 4, 99] { known.marked.insert(item) }
        known.labels = [PictureAddress.of("http://one.org/sea.jpg"): 3, "x": 1]

        #expect(try shown("state:failed", known) == [1])
        #expect(try shown("state:loaded lion", known) == [2])
        #expect(try shown("state:marked", known) == [2, 4])
        #expect(try shown("mark:", known) == [2, 4])
        #expect(try shown("-mark:yes", known) == [0, 1, 3])
        #expect(try shown("label:3", known) == [0])
        #expect(try shown("-label:3 -state:failed", known) == [2, 3, 4])
    }

    @Test(
        arguments: [
            ("fromat:jpeg", 0..<11), ("sea fromat:x lion", 4..<12), ("state:gone", 0..<10),
            ("label:0", 0..<7), ("size:big", 0..<8), ("size:1x2x3", 0..<10), ("mark:no", 0..<7),
            ("width:wide", 0..<10), ("ratio:0", 0..<7), ("date:2024-13", 0..<12),
            ("sea /a(b/ x", 4..<9), ("/*/", 0..<3), ("/[z-a]/", 0..<7), ("/a{300}/", 0..<8),
            ("日 -xx:", 2..<6),
        ]
    )
    func `an invalid word is reported with its position`(filter: String, span: Range<Int>) {
        let problems = FilterQuery.parse(filter, FilterFields(names: [])).problems

        #expect(problems.map(\.span) == [span])
    }

    @Test(arguments: [
        "12:30", "http://h/", "a:b/c".replacing("a", with: "1"), "\"x:y\"", "::", ":",
    ])
    func `not every colon makes a field`(filter: String) {
        #expect(FilterQuery.parse(filter, FilterFields(names: [])).problems.isEmpty)
    }

    @Test func `dimensions and ratios of loaded images can be filtered`() throws {
        var known = KnownItems()
        let sizes = [(1920, 1080), (1080, 1920), (1000, 1000), (640, 480)]
        for (item, size) in sizes.enumerated() {
            known.facts[item] = FileFacts(size: PixelSize(width: size.0, height: size.1))
        }

        #expect(try shown("width:>1080", known) == [0, 1])
        #expect(try shown("height:<1000", known) == [2, 3])
        #expect(try shown("width:640", known) == [3])
        #expect(try shown("ratio:16:9", known) == [0])
        #expect(try shown("ratio:>1.3", known) == [0, 3])
        #expect(try shown("ratio:square", known) == [2])
        #expect(try shown("ratio:portrait", known) == [1])
        #expect(try shown("-ratio:landscape", known) == [1, 2, 4])
    }

    @Test(arguments: [
        ("/^the/", [0]), ("/sea.*(jpg|gif)/", [0]), ("-/sea|lion/", [3, 4]), ("/LION/", []),
        ("/l.on\\.(png|jpe?g)$/", [1, 2]), ("/A lion/ lion", [2]),
        ("/open", [0, 1, 2, 3, 4]), ("/[^a-z]p/", [1, 3, 4]),
    ])
    func `a text between slashes is a regular expression`(filter: String, items: [Int]) throws {
        #expect(try shown(filter) == items)
    }

    @Test func `Tab completes field names and values`() {
        #expect(FilterQuery.completions(of: "sea f", FilterFields(names: [])) == ["sea format:"])
        #expect(
            FilterQuery.completions(of: "-h", FilterFields(names: [])) == ["-height:", "-host:"]
        )
        #expect(FilterQuery.completions(of: "is:f", FilterFields(names: [])) == ["is:failed"])
        #expect(FilterQuery.completions(of: "ratio:", FilterFields(names: [])).count == 3)
        #expect(FilterQuery.completions(of: "/h", FilterFields(names: [])).isEmpty)
        var gallery = FindingGallery(["sea", "lion"])
        gallery.press("fwi")
        gallery.press(.control("i"))
        #expect(gallery.lastLine.contains("filter width:"))
    }
}
