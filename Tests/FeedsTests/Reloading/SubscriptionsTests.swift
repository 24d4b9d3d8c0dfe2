import FeedHarness
import ImageLoading
import ImageLoadingTesting
import Testing

@testable import Feeds

/// The known feeds.
@Suite struct SubscriptionsTests {
    private static let text = """
        # mine
        http://a.example/feed.xml

        http://b.example/?key=secret A title of words
        http://c.example/rss "photo" "~Boats at dusk" "!" sea
        "exec:~/bin/feed" "~Command"
        query:all:unread = "yes"
        ~/feed.txt
        "/with a blank/feed.txt" Mine
        """

    @Test func `URLs, titles and newsboat's tags are read, and special entries are left out`() {
        let known = Subscriptions(Self.text)

        #expect(
            known.all == [
                Subscription(address: "http://a.example/feed.xml"),
                Subscription(address: "http://b.example/?key=secret", title: "A title of words"),
                Subscription(
                    address: "http://c.example/rss",
                    title: "Boats at dusk",
                    tags: ["photo", "sea"]
                ),
                Subscription(address: "~/feed.txt"),
                Subscription(address: "/with a blank/feed.txt", title: "Mine"),
            ]
        )
        #expect(known.leftOutCount == 2)
        #expect(known.all[0].name == "http://a.example/feed.xml")
        #expect(Subscription(address: "http://u:p@h/?k=1").name == "http://h/")
    }

    @Test func `an added feed is read again, and a removed one changes no other line`() {
        let added = Subscription(address: "/a b", title: "T t")
        let text = Self.text + "\n" + Subscriptions.line(added)
        let known = Subscriptions(text)

        #expect(known.all.last == added)
        #expect(known.places(of: "Boats at dusk") == [2])
        #expect(known.places(of: "1") == [0] && known.places(of: "9") == [])
        let rest = known.text(text, without: known.places(of: "http://b.example/?key=secret"))
        #expect(!rest.contains("secret") && rest.hasPrefix("# mine\n") && rest.hasSuffix("T t\n"))
        #expect(Subscriptions(rest).all.count == known.all.count - 1)
    }

    @Test func `paths are relative to the file, and the number of feeds is limited`() {
        let feed = Subscription(address: "x.txt")
        #expect(feed.source(in: "/c") == .path("/c/x.txt"))
        let many = (0..<600).map { "http://h/\($0)\n" }.joined()
        #expect(Subscriptions(many).all.count == Subscriptions.mostFeeds)
    }

    @Test func `a known feed that fails is one cell with the reason`() async throws {
        let harness = LoadingHarness()
        harness.transport.answerStarts { request in
            request.url.hasSuffix("/a")
                ? .body(Array("1.jpg\n2.jpg\n".utf8)) : .body([], status: 404)
        }
        let sources = ["a", "b"].map { name in
            FeedSource.subscription(
                .remote("http://u:p@\(name).example/\(name)"),
                title: "Feed \(name)"
            )
        }
        let reader = FeedReader(manager: harness.manager)

        let feed = try await blocking {
            Result { () throws(FeedError) in try reader.read(sources) }
        }.get()

        #expect(feed.count == 3)
        #expect(feed[2].caption == "Feed b" && feed[2].url == "http://b.example/b")
        #expect(feed[2].problem?.hasPrefix("http://b.example/b: ") == true)
        #expect(feed.subscriptions.map(\.range) == [0..<2])
    }
}
