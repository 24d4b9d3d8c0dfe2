import ImageLoading
import Testing

@testable import GalleryCore

/// Tables and lists of JSON as programs write them.
struct RecordVariantTests {
    @Test func `a JSON Feed may escape its slashes`() throws {
        let feed = try feed(
            """
            {"version": "https:\\/\\/jsonfeed.org\\/version\\/1", "items": [{"id": "1",
              "content_html": "<img src='http:\\/\\/h\\/a.png'>"}]}
            """
        )

        #expect(items(feed).map(\.url) == ["http://h/a.png"])
    }

    private func feed(_ text: String) throws -> Feed {
        try Feed(parsing: Array(text.utf8), title: "f", base: .directory("/d"), origin: .local)
    }

    private func items(_ feed: Feed) -> [FeedItem] { (0..<feed.count).map { feed[$0] } }
}
