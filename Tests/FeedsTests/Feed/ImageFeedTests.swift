import Feeds
import Foundation
import ImageLoading
import ImageLoadingTesting
import Testing

/// The public interface of feeds.
struct ImageFeedTests {
    private static let rss = """
        <rss version="2.0"><channel><title>Cats</title>
        <item><title>One</title><link>https://example.org/1</link>
        <enclosure url="1.png" type="image/png" length="1"/></item>
        <item><title>Two</title>
        <enclosure url="http://127.0.0.1/2.png" type="image/png" length="1"/></item>
        </channel></rss>
        """

    @Test func `a feed is a list of URLs and captions`() throws {
        let feed = try ImageFeed(
            parsing: Array(Self.rss.utf8),
            title: "cats",
            url: "https://example.org/feed/all.xml"
        )

        #expect(feed.title == "cats" && feed.count == 2)
        #expect(feed[0].url == "https://example.org/feed/1.png")
        #expect(feed.map(\.caption) == ["One", "Two"])
        #expect(feed[0].link == "https://example.org/1" && feed[0].title == "One")
    }

    @Test func `the requests of a feed from the network must not lead to this machine`()
        async throws
    {
        let feed = try ImageFeed(
            parsing: Array(Self.rss.utf8),
            url: "https://example.org/feed/all.xml"
        )
        var configuration = ImageManagerConfiguration()
        configuration.disk = nil
        // Not a scripted transport, because addresses are checked by curl's.
        let manager = ImageManager(configuration: configuration)

        #expect(feed[0].request.origin == .remoteFeed)
        let error = await #expect(throws: ImageLoadingError.self) {
            try await manager.response(for: feed[1].request)
        }
        #expect(error?.kind == .policy)
    }

    @Test func `bytes that are not a feed are an error`() {
        #expect(throws: FeedError.self) { try ImageFeed(parsing: [0, 1, 2, 255]) }
        #expect(throws: FeedError.self) { try ImageFeed(parsing: []) }
    }

    @Test func `a feed is read from a file and from a server`() async throws {
        let path = NSTemporaryDirectory() + "feed-\(UUID().uuidString).txt"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try "a.png first\nb.png second\n".write(toFile: path, atomically: true, encoding: .utf8)
        var configuration = ImageManagerConfiguration()
        configuration.disk = nil
        let transport = ScriptedTransport()
        transport.answerStarts { _ in .body(Array(Self.rss.utf8)) }
        let manager = ImageManager(configuration: configuration, transport: transport)

        let local = try await ImageFeed(at: path, manager: manager)
        let remote = try await ImageFeed(at: "https://example.org/feed/all.xml", manager: manager)

        #expect(local.map(\.caption) == ["first", "second"])
        #expect(local.allSatisfy { $0.url.hasPrefix("file:///") && $0.origin == .local })
        #expect(remote.map(\.caption) == ["One", "Two"])
        #expect(remote[0].url == "https://example.org/feed/1.png")
        await #expect(throws: FeedError.self) {
            _ = try await ImageFeed(at: path + ".missing", manager: manager)
        }
    }
}
