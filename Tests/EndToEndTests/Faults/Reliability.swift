import Foundation
import Testing

/// Documentation/Reliability.md, whose first table is written by the tests.
struct Reliability {
    private static let file = URL(fileURLWithPath: #filePath)
        .appendingPathComponent("../../../../Documentation/Reliability.md").standardizedFileURL

    private let lines: [Substring]
    private let table: Range<Int>

    /// Fails if there is no such file, or no table in it.
    init() throws {
        lines = try String(contentsOf: Self.file, encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let head = try #require(lines.firstIndex { $0.hasPrefix("|---") }) + 1
        table = head..<(lines[head...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex)
    }

    /// The rows of the first table.
    var faults: [String] { lines[table].map(String.init) }

    /// Writes the file with other rows.
    func write(_ faults: [String]) throws {
        var lines = lines.map(String.init)
        lines.replaceSubrange(table, with: faults)
        try lines.joined(separator: "\n").write(to: Self.file, atomically: true, encoding: .utf8)
    }
}
