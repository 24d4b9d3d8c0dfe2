import FeedHarness
import ImageLoading
import ImageLoadingTesting
import Testing

@testable import Feeds

/// Lists of feeds (OPML), whose feeds are opened as one.
@Suite struct FeedListTests {
    private let harness = LoadingHarness()

    private static let list = """
        <opml version="2.0"><body><outline text="Group">
        <outline text="A" xmlUrl="http://a.example/feed"/><outline xmlUrl="http://b.example/feed"/>
        </outline></body></opml>
        """

    @Test func `the feeds of a list are read in parallel and keep their order`() async throws {
        answer([
            "http://h.example/list.opml": Self.list, "http://a.example/feed": rss("1.jpg", "2.jpg"),
            "http://b.example/feed": rss("3.jpg"),
        ])

        let feed = try await read().get()

        #expect(
            (0..<feed.count).map { feed[$0].url } == [
                "http://a.example/1.jpg", "http://a.example/2.jpg", "http://b.example/3.jpg",
            ]
        )
        #expect(feed.remark == nil)
        #expect(feed.origin(at: 2) == .remoteFeed)
    }

    @Test func `an unreadable feed is reported and loses no other feed`() async throws {
        answer([
            "http://h.example/list.opml": Self.list, "http://b.example/feed": rss("3.jpg"),
        ])

        let feed = try await read().get()

        #expect(feed.count == 1)
        let remark = feed.remark ?? ""
        #expect(
            remark.contains("1 of 2 feeds could not be read, the first: http://a.example/feed: ")
        )
    }

    @Test func `each feed of a list is requested once, and feeds without a web URL are reported`()
        async throws
    {
        let urls = [
            "http://a.example/feed", "feed:http://a.example/feed", "feed://b.example/feed",
            "gopher://c.example/feed", "http://b.example/feed",
        ]
        let outlines = urls.map { "<outline xmlUrl='\($0)'/>" }.joined()
        answer([
            "http://h.example/list.opml": "<opml><body>\(outlines)</body></opml>",
            "http://a.example/feed": rss("1.jpg"), "http://b.example/feed": rss("2.jpg"),
        ])

        let feed = try await read().get()

        #expect(feed.count == 2)
        #expect(feed.remark?.hasSuffix("left out 1 without a web URL") == true)
        #expect(harness.transport.starts.count == 3)
    }

    @Test func `a list that names itself ends`() async {
        answer([
            "http://h.example/list.opml":
                "<opml><body><outline xmlUrl=\"http://h.example/list.opml\"/></body></opml>"
        ])

        let error = await read().failure

        #expect(error?.description.contains("none of its feeds could be read") == true)
    }

    @Test func `a list from the network does not lead into a private network`() async throws {
        answer([
            "http://h.example/list.opml": Self.list, "http://a.example/feed": rss("1.jpg"),
            "http://b.example/feed": rss("3.jpg"),
        ])
        _ = try await read().get()

        let policies = harness.transport.starts.filter { $0.url.hasSuffix("/feed") }
            .map(\.policy.refusesPrivateAddresses)

        #expect(policies == [true, true])
    }

    private func read() async -> Result<Feed, FeedError> {
        let reader = FeedReader(manager: harness.manager)
        return await blocking {
            Result { () throws(FeedError) in
                try reader.read([.remote("http://h.example/list.opml")])
            }
        }
    }

    private func answer(_ bodies: [String: String]) {
        harness.transport.answerStarts { request in
            guard let body = bodies[request.url] else { return .body([], status: 404) }
            return .body(Array(body.utf8))
        }
    }

    private func rss(_ names: String...) -> String {
        let items = names.map { "<item><enclosure url=\"\($0)\"/></item>" }.joined()
        return "<rss><channel>\(items)</channel></rss>"
    }
}

extension Result {
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
