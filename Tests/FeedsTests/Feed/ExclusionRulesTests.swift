import Foundation
import ImageLoadingTesting
import PropertyRuns
import Testing

@testable import Feeds

@Suite struct ExclusionRulesTests {
    /// `Fixtures/make-exclusions.py` asked git for each line: patterns, path, whether it is ignored.
    private func ignoredByGit() throws -> [[Substring]] {
        try Fixture("exclusions.txt").table()
    }

    @Test func `patterns leave out the files that git ignores`() throws {
        let lines = try ignoredByGit()
        #expect(lines.count == 1600)
        for line in lines {
            let rules = ExclusionRules(line[0].split(separator: " ").map(String.init))
            let parts = line[1].split(separator: "/")
            let isFolder = line[1].hasSuffix("/")
            // The content of an excluded folder is excluded.
            let isExcluded = parts.indices.contains { last in
                rules.exclude(
                    parts[...last].joined(separator: "/"),
                    isFolder: isFolder || last < parts.count - 1
                )
            }
            #expect(isExcluded == (line[2] == "1"), "\(line)")
        }
    }

    @Test func `stars take at most quadratic time in the length of a name`() {
        let pattern = String(repeating: "*a", count: 200) + "b"
        let name = String(repeating: "a", count: 4000)

        #expect(!ExclusionRules([pattern]).exclude(name, isFolder: false))
        let folders = Array(repeating: "**", count: 100).joined(separator: "/") + "/b"
        let path = Array(repeating: "a", count: 500).joined(separator: "/")
        #expect(!ExclusionRules([folders]).exclude(path, isFolder: false))
    }

    @Test func `any bytes are valid patterns`() {
        var generator = SeededGenerator(seed: 3)
        let letters = Array("ab*?[]!^-\\/.\u{E9} ")
        for _ in 0..<PropertyRuns.count(5000) {
            let text = { (count: Int) in
                String(
                    (0..<count).map { _ in
                        letters[Int.random(in: letters.indices, using: &generator)]
                    }
                )
            }
            let rules = ExclusionRules([text(8), text(3)])
            _ = rules.exclude(text(6), isFolder: Bool.random(using: &generator))
        }
    }
}
