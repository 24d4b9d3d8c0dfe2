import Testing

@testable import FeedDocuments

/// Feeds that differ from their specifications, as many do.
struct SyndicationVariantTests {
    // MARK: Namespaces

    @Test(arguments: [
        "http://search.yahoo.com/mrss/", "http://search.yahoo.com/mrss",
        "https://search.yahoo.com/mrss/", "http://search.yahoo.com/MRSS/",
        "https://www.rssboard.org/media-rss", "http://search.yahoo.com/mrss/ ",
    ])
    func `the namespace of Media RSS is recognized in any spelling`(namespace: String) throws {
        let text =
            "<rss xmlns:m='\(namespace)'><channel><item>"
            + "<m:content url='1.jpg' medium='image'/></item></channel></rss>"

        let feed = try FeedDocument(xml: Array(text.utf8), isPictureName: { _ in false })

        #expect(feed.entries.map { $0.pictures.map(\.url) } == [["1.jpg"]])
    }
}
