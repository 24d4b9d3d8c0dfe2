import Foundation
import Testing

@testable import Feeds
@testable import ImageLoading

/// The rows of the web platform's URL tests, as lines of feeds.
struct FeedURLTableTests {
    @Test func `URLs in feeds are resolved like all other URLs`() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../ImageLoadingTests/URLs/Fixtures/urls.tsv"
        )
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("# ") }
        var count = 0

        for row in rows {
            let columns = try row.split(separator: "\t", omittingEmptySubsequences: false)
                .map { try JSONDecoder().decode(String.self, from: Data("\"\($0)\"".utf8)) }
            let (input, base) = (columns[0], columns[1].isEmpty ? "http://h/" : columns[1])
            guard base.hasPrefix("http") else { continue }
            let item = FeedLineParser(base: .url(base), origin: .remoteFeed)
                .item(target: input, caption: nil)
            let expected = try? ImageURL(
                parsing: URLParts(base).resolving(input),
                origin: .remoteFeed
            )
            let result = try? ImageURL(parsing: item.url, origin: .remoteFeed)

            // The text of a refused URL is shown as written, so only its refusal is compared.
            #expect((item.problem == nil ? result : nil) == expected, "\(row)")
            count += 1
        }
        #expect(count > 450)
    }
}
