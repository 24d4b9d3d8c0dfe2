import ImageLoading
import ImageLoadingTesting
import Testing

@testable import Feeds

/// Tables and lists of JSON that are still being written.
@Suite struct GrowingRecordTests {
    private func items(_ feed: Feed) -> [FeedItem] { (0..<feed.count).map { feed[$0] } }

    @Test(
        arguments: [
            ("{\"url\":\"http://h/#.jpg\",\"caption\":\"c \\\"#\\\"\"}\n", ""),
            ("http://h/#.jpg,\"c \"\"#\"\"\nmore\"\n", "url,caption\n"),
        ]
    )
    func `the items of records are the same for any size of the pieces`(
        line: String,
        heading: String
    ) throws {
        var generator = SeededGenerator(seed: 14)
        let lines = (0..<200).map { line.replacing("#", with: "\($0)") }
        let bytes = Array((heading + lines.joined()).utf8)
        let whole = try Feed(parsing: bytes, title: "f", base: .directory("/d"), origin: .local)
        #expect(whole.count == 200)
        for _ in 0..<20 {
            var growing = GrowingFeed(
                title: "f",
                base: .directory("/d"),
                origin: .local,
                pieceByteCount: 512
            )
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Int.random(in: 1...300, using: &generator)
                growing.append(Array(rest.prefix(count)))
                rest = rest.dropFirst(count)
                if growing.hasNews { _ = try growing.feed() }
            }
            let feed = try growing.end()
            #expect(items(feed) == items(whole))
            #expect(feed.remark == whole.remark)
        }
    }

    /// Each attempt parses the object of 2 MB, so that one attempt per piece took minutes.
    @Test(arguments: ["x", "\n", " "])
    func `an object is parsed again only if a line follows it, and not without end`(
        following: String
    ) throws {
        let object = "{\"a\":[{\"url\":\"http://h/1.jpg\"},{\"url\":\"http://h/2.jpg\"}],"
        let rest = "\"b\":\"" + String(repeating: "b", count: 1 << 20) + "\"}\n"
        let piece = Array(String(repeating: following, count: 64 << 10).utf8)
        var growing = GrowingFeed(title: "f", base: .directory("/d"), origin: .local)

        growing.append(Array((object + rest).utf8))
        for _ in 0..<2_000 where growing.document == nil {
            growing.append(piece)
            #expect(try growing.takePiece() == nil)
        }

        #expect(growing.heldByteCount < 8 << 20)
    }

    @Test func `an array is a feed once it is complete`() throws {
        var growing = GrowingFeed(title: "f", base: .directory("/d"), origin: .local)
        growing.append(Array("[\n{\"url\":\"http://h/1.jpg\"},\n".utf8))
        #expect(try growing.feed()?.count == nil)
        growing.append(Array("{\"url\":\"http://h/2.jpg\"}]".utf8))
        #expect(items(try growing.end()).map(\.url) == ["http://h/1.jpg", "http://h/2.jpg"])
    }
}
