import Testing

@testable import Feeds

/// The largest feeds that are read.
@Suite struct SyndicationLimitTests {
    private func remarks(entryCount: Int) throws -> [String] {
        let item = "<item><link>http://h/</link></item>"
        let feed =
            "<rss><channel><title>T</title>" + String(repeating: item, count: entryCount)
            + "</channel></rss>"
        return try FeedDocument(xml: Array(feed.utf8)) { _ in false }.remarks
    }

    @Test func `entries beyond 100,000 are left out and reported`() throws {
        #expect(try remarks(entryCount: 100_000) == [])
        #expect(
            try remarks(entryCount: 100_001)
                == ["everything after the first 100,000 entries was left out"]
        )
    }
}
