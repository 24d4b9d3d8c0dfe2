import Foundation

@testable import Feeds

/// A file in the folder of the tests.
struct Fixture {
    let path: String

    init(_ name: String) {
        path =
            URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(components: "Fixtures", name).path
    }

    func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    func bytes() throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

    /// The fields of each line.
    func table() throws -> [[Substring]] {
        try text().split(separator: "\n").map { $0.split(separator: "\t") }
    }
}
