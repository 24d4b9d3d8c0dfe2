import FeedHarness
import GalleryCore
import ImageLoading
import ImageLoadingTesting
import Testing

@testable import Feeds
@testable import TermGallery
@testable import TerminalUI

/// Pages of the web, from the address to the feed.
@Suite struct PageReadingTests {
    private let harness = LoadingHarness()

    private struct Answer {
        var body = ""
        /// Sent instead of the text if it is not UTF-8.
        var bytes: [UInt8]?
        var status = 200
        var headers: [String: String] = [:]
        /// Where a redirect has led.
        var url: String?
    }

    @Test func `URLs are relative to the target of redirects`() async throws {
        answer([
            "http://h.example/d": Answer(body: "<html><img src=a.jpg>", url: "http://h.example/d/")
        ])

        let feed = try await read("http://h.example/d").get()

        #expect(feed[0].url == "http://h.example/d/a.jpg")
        #expect(feed.origin(at: 0) == .remoteFeed)
    }

    @Test func `a page without images that names a feed is replaced by that feed`() async throws {
        let link = "<link rel=alternate type=application/rss+xml href=/feed>"
        answer([
            "http://h.example/": Answer(body: "<html>\(link)"),
            "http://h.example/feed": Answer(
                body: "<rss><item><enclosure url=\"a.jpg\"/></item></rss>"
            ),
        ])

        let feed = try await read("http://h.example/").get()

        #expect((0..<feed.count).map { feed[$0].url } == ["http://h.example/a.jpg"])
        let policies = harness.transport.starts.map(\.policy.refusesPrivateAddresses)
        #expect(policies == [true, true])
    }

    @Test func `pages that name each other as their feeds end`() async {
        let link = "<link rel=alternate type=application/rss+xml href=/>"
        answer(["http://h.example/": Answer(body: "<html>\(link)")])

        guard case .failure(let error) = await read("http://h.example/") else {
            return #expect(Bool(false), "a feed of nothing")
        }
        #expect(error.description.contains("the page has no images"))
        #expect(harness.transport.starts.count == 2)
    }

    @Test func `the next page is read by the rules of its site`() async throws {
        let link = ["link": "</2>; rel=\"next\""]
        answer([
            "http://h.example/1": Answer(body: "<html><img src=1.jpg>", headers: link),
            "http://h.example/2": Answer(body: "<html><img src=2.jpg>"),
            "http://h.example/robots.txt": Answer(status: 404),
        ])
        let first = try await read("http://h.example/1").get()
        let page = try #require(first.nextPages.first)

        let feed = try #require(first.continued(by: await result(of: page), after: page))

        #expect((0..<feed.count).map { feed[$0].caption } == ["1.jpg", "2.jpg"])
        #expect(
            harness.transport.starts.map(\.url) == [
                "http://h.example/1", "http://h.example/robots.txt", "http://h.example/2",
            ]
        )
        #expect(!feed.isOpen)
    }

    @Test func `a page that the site forbids to programs is not requested`() async throws {
        answer([
            "http://h.example/1": Answer(body: "<html><img src=1.jpg><a rel=next href=2>"),
            "http://h.example/robots.txt": Answer(body: "User-agent: *\nDisallow: /"),
        ])
        let first = try await read("http://h.example/1").get()
        let page = try #require(first.nextPages.first)

        let feed = try #require(first.continued(by: await result(of: page), after: page))

        #expect(feed.count == 1)
        #expect(feed.remark?.contains("http://h.example/robots.txt forbids") == true)
        #expect(harness.transport.starts.count == 2)
    }

    @Test(arguments: ["text/csv", "text/html", "text/plain"])
    func `captions are read in the character set of the server`(type: String) async throws {
        let word: [UInt8] = [0xC1, 0xC2]
        let start = ["text/csv": "url,caption\na.jpg,", "text/html": "<html><img src=a.jpg title="]
        answer([
            "http://h.example/f": Answer(
                bytes: Array((start[type] ?? "a.jpg ").utf8) + word
                    + Array(type == "text/html" ? ">".utf8 : "\n".utf8),
                headers: ["content-type": "\(type); charset=KOI8-R"]
            )
        ])

        let feed = try await read("http://h.example/f").get()

        #expect(feed[0].caption == "аб")
        #expect(feed.remark?.contains("UTF-8") != true)
    }

    private func result(of page: FeedPage) async -> Result<Feed, FeedError> {
        let manager = harness.manager
        return await blocking {
            do {
                return try FeedPager(manager: manager, mailbox: Mailbox()).result(of: page)
            } catch {
                return .failure(FeedError("\(error)"))
            }
        }
    }

    private func read(_ url: String) async -> Result<Feed, FeedError> {
        let reader = FeedReader(manager: harness.manager)
        return await blocking {
            Result { () throws(FeedError) in try reader.read([.remote(url)]) }
        }
    }

    private func answer(_ answers: [String: Answer]) {
        harness.transport.answerStarts { request in
            guard let answer = answers[request.url] else { return .body([], status: 404) }
            let bytes = answer.bytes ?? Array(answer.body.utf8)
            var head = TransferHead(
                status: answer.status,
                expectedByteCount: bytes.count,
                headers: answer.headers
            )
            head.url = answer.url
            return ScriptedAnswer(events: [.head(head), .chunk(bytes), .finished(nil)])
        }
    }
}
