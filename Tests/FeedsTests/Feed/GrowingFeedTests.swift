import ImageLoading
import ImageLoadingTesting
import Testing

@testable import Feeds

@Suite struct GrowingFeedTests {
    private func growing(pieceByteCount: Int = 64) -> GrowingFeed {
        GrowingFeed(
            title: "f",
            base: .directory("/home/me"),
            origin: .local,
            pieceByteCount: pieceByteCount
        )
    }

    private func urls(_ feed: Feed?) -> [String] {
        feed.map { feed in (0..<feed.count).map { feed[$0].url } } ?? []
    }

    @Test func `a line is an item as soon as it is complete`() throws {
        var growing = growing()

        growing.append(Array("http://h/1\nhttp://h".utf8))
        #expect(urls(try growing.feed()) == ["http://h/1"])
        growing.append(Array("/2".utf8))
        #expect(!growing.hasNews)
        growing.append(Array("\n".utf8))
        #expect(growing.hasNews)
        let feed = try #require(try growing.feed())
        #expect(urls(feed) == ["http://h/1", "http://h/2"])
        #expect(feed.isOpen)
    }

    @Test func `the last line needs no line end`() throws {
        var growing = growing()
        growing.append(Array("a.jpg\nb.jpg".utf8))

        let feed = try growing.end()

        #expect(urls(feed) == ["file:///home/me/a.jpg", "file:///home/me/b.jpg"])
        #expect(!feed.isOpen)
    }

    @Test func `the items are the same for any size of the pieces`() throws {
        var generator = SeededGenerator(seed: 5)
        let text = (0..<200).map { number in
            number.isMultiple(of: 7)
                ? "# \(number)\n\n" : "http://h/\(number) caption \(number)\r\n"
        }.joined()
        let bytes = Array(("\u{FEFF}" + text).utf8)
        let whole = try Feed(parsing: bytes, title: "f", base: .directory("/"), origin: .local)

        for _ in 0..<50 {
            var growing = growing(pieceByteCount: Int.random(in: 1...400, using: &generator))
            var rest = bytes[...]
            var before: [String] = []
            while !rest.isEmpty {
                let count = min(rest.count, Int.random(in: 1...300, using: &generator))
                growing.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
                let present = urls(try growing.feed())
                #expect(present.starts(with: before))
                before = present
            }
            #expect(urls(try growing.end()) == urls(whole))
        }
    }

    @Test func `an endless line takes no more memory than the limit`() throws {
        var growing = growing()
        for _ in 0..<1000 { growing.append([UInt8](repeating: 0x61, count: 4096)) }
        growing.append(Array("\nb.jpg\n".utf8))

        let feed = try growing.end()

        #expect(feed.count == 2)
        #expect(feed[0].problem == "line is longer than 8 KiB")
        #expect(feed[1].caption == "b.jpg")
    }

    @Test func `an endless line in small chunks takes no more memory either`() {
        var growing = growing()
        for _ in 0..<20_000 { growing.append([UInt8](repeating: 0x61, count: 10)) }

        #expect(growing.heldByteCount <= (64 << 10) + 1)
    }

    @Test(arguments: ["\u{0}\u{1}\n"])
    func `data that is not a feed is reported with its first bytes`(text: String) {
        var growing = growing()
        growing.append(Array(text.utf8))

        #expect(throws: FeedError.self) { try growing.feed() }
    }

    @Test func `comments alone give no images`() throws {
        var growing = growing()
        growing.append(Array("# a\n\n# b\n".utf8))

        #expect(try growing.feed()?.count == nil)
        #expect(throws: FeedError.self) { try growing.end() }
    }

    @Test func `a document keeps its own encoding, whatever is specified for lists`() throws {
        let text = """
            <?xml version="1.0" encoding="ISO-8859-1"?><rss><channel><item><title>café</title>
            <enclosure url="http://h/1.jpg" type="image/jpeg"/></item></channel></rss>
            """
        let bytes = text.unicodeScalars.map { UInt8($0.value) }
        var options = FeedOptions()
        options.encoding = .latin1
        let base = FeedBase.url("http://h/feed")
        var growing = GrowingFeed(title: "t", base: base, origin: .local, options: options)
        growing.append(bytes)
        var list = growing

        #expect(try growing.end()[0].caption == "café")
        #expect(try list.takePiece() == nil)
        let document = try #require(list.document)
        let read = try Feed(
            parsing: document,
            title: "t",
            base: base,
            origin: .local,
            options: list.documentOptions
        )
        #expect(read[0].caption == "café")
    }

    @Test func `white space before the data of an image does not shorten it`() throws {
        let data = "data:image/png;base64," + String(repeating: "A", count: 100_000)
        var growing = growing()
        for piece in Array("http://h/b.png\n \t \(data)\n".utf8).chunks(of: 1000) {
            growing.append(piece)
        }

        #expect(try growing.end()[1].url == data)
    }
}
