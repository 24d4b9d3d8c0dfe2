import Foundation
import Testing

@testable import GalleryCore

@Suite struct TextPatternTests {
    private static let texts = [
        "", "a", "b", "ab", "aab", "abb", "abc", "IMG_2024.jpg", "img-7.png", "x y", "aaa", "a.b",
        "(a)", "{2}", "caf\u{E9}", "CAF\u{C9}", "2024-05-17", "a\\b", "tab\there",
    ]

    @Test(arguments: [
        "a", "^a", "a$", "^$", "a*", "a+b", "a?b", "a|b", "(ab)+", "a{2}", "a{1,2}b", "a{2,}",
        "[ab]c", "[^a]", "[a-c]+$", "img[_-]\\d+", "\\.(jpg|png)$", "\\s", "\\S\\s\\S", "^\\w+$",
        "\\d{4}-\\d\\d", "(a|b)*c", "(?:a|ab)(?:c|bcd)?", "\\(a\\)", "a.b", "x\\\\b", "[a-]",
        "(a*)*b", "a{0}b", "()", "caf.", "[\\d-]+",
    ])
    func `a pattern matches the same texts as the regular expressions of Foundation`(
        pattern: String
    ) throws {
        let own = try TextPattern(pattern)
        let other = try NSRegularExpression(pattern: pattern, options: [.caseInsensitive])
        for text in Self.texts {
            let range = NSRange(text.startIndex..., in: text)
            let isFound = other.firstMatch(in: text, range: range) != nil
            #expect(own.isFound(in: text) == isFound, "\(pattern) in \(text)")
        }
    }

    @Test func `case matters if the pattern has an uppercase letter`() throws {
        let (small, large) = (try TextPattern("img"), try TextPattern("Img"))
        #expect(small.isFound(in: "IMG") && !large.isFound(in: "IMG") && large.isFound(in: "Img"))
        let accent = try TextPattern("\u{E9}")
        #expect(accent.isFound(in: "\u{C9}"))
    }

    @Test(arguments: ["(", ")", "a)", "[a", "*", "a**b**c****", "a{2,1}", "\\", "[z-a]", "a{999}"])
    func `an invalid pattern is refused with a reason`(pattern: String) {
        #expect(throws: TextPattern.Problem.self) { try TextPattern(pattern) }
    }

    @Test func `patterns that others backtrack on take linear time, and large ones are refused`()
        throws
    {
        let pattern = try TextPattern("(a*)*(a|aa)+b$")
        #expect(!pattern.isFound(in: String(repeating: "a", count: 20_000)))
        #expect(throws: TextPattern.Problem.self) { try TextPattern("((a{200}){200}){200}") }
        let deep = String(repeating: "(", count: 10_000)
        #expect(throws: TextPattern.Problem.self) { try TextPattern(deep) }
    }

    @Test func `nested repetitions of nothing take no time`() throws {
        let open = String(repeating: "(", count: 20)
        let close = String(repeating: "){255}", count: 20)
        for nothing in ["", "a{0}"] {
            let pattern = try TextPattern(open + nothing + close + "b")
            #expect(pattern.isFound(in: "ab") && !pattern.isFound(in: "a"))
        }
    }
}
