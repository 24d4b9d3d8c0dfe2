import Foundation
import Testing

@testable import ImageLoading

/// A test with the rows of the web platform's URL tests (`Fixtures/urls.tsv`).
///
/// Fragments are not compared, because they are never sent and are not part of a cache key.
struct URLTableTests {
    @Test func `the rows of the web platform's URL tests have the same result, or a reason`() throws
    {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(components: "Fixtures", "urls.tsv")
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            .filter { !$0.hasPrefix("# ") }
        var equalCount = 0

        for row in rows {
            let columns = try row.split(separator: "\t", omittingEmptySubsequences: false)
                .map { try JSONDecoder().decode(String.self, from: Data("\"\($0)\"".utf8)) }
            let result = result(of: columns[0], base: columns[1])

            // A reason without a difference is a fault, too.
            #expect((result == columns[2]) == (columns.count == 3), "\(row)\nbecame \(result)")
            equalCount += result == columns[2] ? 1 : 0
        }
        #expect(rows.count == 493 && equalCount == 439)
    }

    /// Returns the normalized URL; empty if the input is refused.
    private func result(of input: String, base: String) -> String {
        let url = base.isEmpty ? input : URLParts(base).resolving(input)
        return (try? ImageURL(parsing: url, origin: .local))?.absoluteString ?? ""
    }

    @Test(arguments: ["http://0x7f.1/", "http://2130706433/", "http://[::ffff:7f00:1]/"])
    func `the rules for addresses apply to all spellings of an address`(text: String) throws {
        let host = try #require(try ImageURL(parsing: text, origin: .remoteFeed).host)

        #expect(!AddressRule.mayBePublic(host: host))
    }

    @Test(arguments: [
        ("http://[1:0:0:2:0:0:0:3]/", "http://[1:0:0:2::3]/"),
        ("http://[0:0:0:0:0:0:0:0]/", "http://[::]/"), ("http://[1:0:2:3:4:5:6:7]/", nil),
        ("http://017700000001/", "http://127.0.0.1/"), ("http://1.2.3/", "http://1.2.0.3/"),
        ("http://1.2.65536/", ""), ("http://1.2.3.4.5/", ""), ("http://08/", ""),
        ("http://\(String(repeating: "0", count: 200))1/", "http://0.0.0.1/"),
        ("http://\(String(repeating: "9", count: 200))/", ""), ("http://1.example/", nil),
        ("http://0x1.0xg/", nil), ("http://1..2/", ""),
    ])
    func `an address has one spelling`(text: String, expected: String?) {
        #expect(result(of: text, base: "") == expected ?? text)
    }
}
