import FeedContracts
import FeedHarness
import GalleryCore
import ImageLoading
import ImageLoadingTesting
@testable import Feeds
@testable import TermGallery
@testable import TerminalUI
import Testing

/// Archives on servers, of which only parts are asked for.
@Suite struct RemoteArchiveTests {
    private let bench = ArchiveBench()
    private var harness: LoadingHarness { bench.harness }
    private let picture = LoadingHarness.picture

    @Test(arguments: ["http://h.example/s.tar", "http://h.example/s.zip"])
    func `the first image of an archive on a server takes two requests`(url: String) async throws {
        let files = (0..<50).map { (name: "\($0).png", content: picture) }
        bench.serve(url.hasSuffix("tar") ? SampleArchive.tar(files) : SampleArchive.zip(files))

        let feed = try await bench.read(.remote(url)).get()
        #expect(feed.count == 50 && feed.origin(at: 0) == .remoteFeed)
        let before = harness.transport.record.starts.count
        try await bench.load(feed[0], feed.origin(at: 0))

        #expect(before == 1 && harness.transport.record.starts.count == 2)
        let last = harness.transport.record.starts.last
        #expect(last?.url == url && last?.policy.refusesPrivateAddresses == true)
        #expect(last?.headers.contains(HeaderField("If-Range", "\"v1\"")) == true)
    }

    @Test func `the last of several members with one name counts`() async throws {
        let url = "http://h.example/s.tar"
        func read(_ content: [UInt8], sendsParts: Bool) async throws -> Feed {
            let files = ["a.png", "b.png", "a.png"].map { (name: $0, content: content) }
            let harness = LoadingHarness()
            let bench = ArchiveBench(harness: harness)
            bench.serve(SampleArchive.tar(files), sendsParts: sendsParts)
            return try await bench.read(.remote(url)).get()
        }
        let large = picture + [UInt8](repeating: 0, count: 64 << 10)
        for (content, sendsParts) in [
            (picture, true), (picture, false), (large, true), (large, false),
        ] {
            let feed = try await read(content, sendsParts: sendsParts)

            #expect((0..<feed.count).map { feed[$0].caption } == ["b.png", "a.png"])
            #expect(feed.remark == "\(url): left out 1 replaced by a later file")
        }
    }

    @Test func `an image is removed when the page with its replacement is read`() async throws {
        let content = [UInt8](repeating: 1, count: 8 << 10)
        let files = ((0..<900).map { "\($0).png" } + ["3.png"]).map { (name: $0, content: content) }
        bench.serve(SampleArchive.tar(files))
        let reader = FeedReader(manager: harness.manager, stopsAhead: true)
        let start = await blocking {
            Result { () throws(FeedError) in try reader.read(.remote("http://h.example/s.tar")) }
        }
        let first = try start.get()
        let page = try #require(first.nextPages.first)
        let result = try #require(await blocking { page.rest?.read() })

        let feed = try #require(first.continued(by: result, after: page))
        let rest = feed.withoutReplacedItems()

        #expect(feed.count == 901 && feed.replacedURLs == [feed[3].url])
        #expect(rest.count == 900 && rest[3] == feed[4] && rest[899].caption == "3.png")
        #expect(rest[899].url == feed[900].url)
    }

    @Test func `the directory of an archive on a server is read once for each version of it`()
        async throws
    {
        let cache = TestFolder()
        let harness = LoadingHarness(disk: DiskCacheConfiguration(directory: cache.path + "/cache"))
        let content = [UInt8](repeating: 1, count: 8 << 10)
        let files = (0..<200).map { (name: "\($0).png", content: content) }
        let url = "http://h.example/s.tar"
        func requests(_ version: String) async throws -> (feed: Feed, count: Int) {
            ArchiveBench(harness: harness).serve(SampleArchive.tar(files), version: version)
            let before = harness.transport.record.starts.count
            let reader = FeedReader(manager: harness.manager)
            let feed = try await blocking {
                Result { () throws(FeedError) in try reader.read([.remote(url)]) }
            }
            .get()
            await harness.manager.flush()
            return (feed, harness.transport.record.starts.count - before)
        }

        let (first, second) = (try await requests("1"), try await requests("1"))
        #expect(first.count > 1 && second.count == 1)
        #expect(first.feed.count == 200 && second.feed.count == 200)
        #expect((0..<200).allSatisfy { first.feed[$0] == second.feed[$0] })
        #expect(second.feed.origin(at: 0) == .remoteFeed)
        #expect(try await requests("2").count == first.count)
    }

    @Test func `an archive on a server is read only as far as the user scrolls`() async throws {
        let content = [UInt8](repeating: 1, count: 8 << 10)
        let files = (0..<1_700).map { (name: "\($0).png", content: content) }
        bench.serve(SampleArchive.tar(files))
        let reader = FeedReader(manager: harness.manager, stopsAhead: true)
        let pager = FeedPager(manager: harness.manager, mailbox: try Mailbox())
        let start = await blocking {
            Result { () throws(FeedError) in try reader.read(.remote("http://h.example/s.tar")) }
        }
        var feed = try start.get()
        #expect((500..<700).contains(feed.count) && feed.isOpen)
        let before = harness.transport.record.starts.count

        var counts: [Int] = []
        while let page = feed.nextPages.first {
            let part = await blocking { pager.result(of: page) }
            feed = try #require(feed.continued(by: part, after: page))
            counts.append(feed.count)
        }

        #expect(counts.count == 3 && counts.last == 1_700 && !feed.isOpen)
        #expect(harness.transport.record.starts.count > before * 2)
        let whole = try await bench.read(.remote("http://h.example/s.tar")).get()
        #expect((0..<1_700).allSatisfy { feed[$0] == whole[$0] })
    }

    @Test func `a server that sends no parts is asked once for the whole`() async throws {
        bench.serve(SampleArchive.zip([("a.png", picture), ("b.png", picture)]), sendsParts: false)

        let feed = try await bench.read(.remote("http://h.example/s.zip")).get()
        for index in 0..<feed.count { try await bench.load(feed[index]) }

        #expect(feed.count == 2 && harness.transport.record.starts.count == 1)
    }

    @Test func `an archive received whole is kept until its images are fetched`() async throws {
        bench.serve(SampleArchive.tar([("a.png", picture), ("b.png", picture)]), sendsParts: false)
        let reader = FeedReader(manager: harness.manager)
        let input = FetchInput([.remote("http://h.example/s.tar")], reader: reader)
        let parts = BlockingQueue<FetchInput.Part>()
        #expect(input.start { parts.put($0) })
        let entries = await blocking {
            var entries: [ListEntry] = []
            while true {
                switch parts.take() {
                case .entries(let batch): entries += batch
                case .total, .remark: continue
                case .ended: return entries
                }
            }
        }

        #expect(entries.count == 2)
        for entry in entries { try await bench.load(FeedItem(url: entry.item.url)) }
        input.close()
    }

    @Test func `a flipped byte in a zip archive is damage`() async throws {
        let archive = SampleArchive.zip([("a.png", picture)])
        for position in 40..<45 {
            var damaged = archive
            damaged[position] ^= 1
            bench.serve(damaged)
            let feed = try await bench.read(.remote("http://h.example/\(position).zip")).get()

            #expect(await bench.reason(feed[0]).contains("checksum"))
        }
    }

    @Test(arguments: [
        nil, "bytes */700", "bytes -5-9/700", "bytes 0-99/*", "bytes 0-99/9223372036854775807",
        "bytes 5-99/50",
    ])
    func `a part without a usable Content-Range is refused`(range: String?) async throws {
        harness.transport.answerStarts { _ in
            let head = TransferHead(
                status: 206,
                expectedByteCount: 512,
                headers: range.map { ["content-range": $0] } ?? [:]
            )
            let bytes = Array(SampleArchive.tar([("a.png", [1, 2, 3])]).prefix(512))
            return ScriptedAnswer(events: [.head(head), .chunk(bytes), .finished(nil)])
        }

        let feed = await bench.read(.remote("http://h.example/s.tar"))

        #expect(throws: FeedError.self) { try feed.get() }
    }

    // Only for a zip was the length added to another number.
    @Test(arguments: ["bytes 0-99/9223372036854775807", "bytes 0-99/9223372036854775806"])
    func `a zip whose server gives an impossible length is refused`(range: String) async throws {
        harness.transport.answerStarts { _ in
            let head = TransferHead(
                status: 206,
                expectedByteCount: 100,
                headers: ["content-range": range]
            )
            let bytes = [UInt8](repeating: 0, count: 100)
            return ScriptedAnswer(events: [.head(head), .chunk(bytes), .finished(nil)])
        }

        let feed = await bench.read(.remote("http://h.example/a.zip"))

        #expect(throws: FeedError.self) { try feed.get() }
    }
}
