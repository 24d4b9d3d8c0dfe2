import ImageLoading
import Testing

@testable import Feeds

@Suite struct JoinedFeedTests {
    private func feed(_ names: [String], _ origin: RequestOrigin = .local) -> Feed {
        Feed(items: names.map { FeedItem(url: $0) }, title: names.joined(), origin: origin)
    }

    @Test func `items are found across the parts of a joined feed, with their origin`() {
        let joined = Feed(joining: [
            feed(["a", "b"]), feed([]), feed(["c"], .remoteFeed),
            Feed(joining: [feed(["d"]), feed(["e"], .remoteFeed)]),
        ])

        #expect((0..<joined.count).map { joined[$0].url } == ["a", "b", "c", "d", "e"])
        #expect(
            (0..<joined.count).map(joined.origin(at:))
                == [.local, .local, .remoteFeed, .local, .remoteFeed]
        )
        #expect(joined.origin == .remoteFeed)
    }

    @Test func `local feeds alone are local`() {
        let joined = Feed(joining: [feed(["a"]), feed(["b"])])

        #expect(joined.origin == .local)
        #expect(joined.title == "a, b")
    }

    @Test func `a joined feed without parts is empty`() {
        #expect(Feed(joining: []).count == 0)
    }
}
