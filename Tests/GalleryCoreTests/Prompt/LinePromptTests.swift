import Testing

@testable import Feeds
@testable import GalleryCore
@testable import TerminalUI

@Suite struct LinePromptTests {
    private func prompt(_ before: String, _ keys: Key..., history: [String] = []) -> LinePrompt {
        var prompt = LinePrompt(.command, text: before)
        for key in keys { _ = prompt.take(key, history: history) }
        return prompt
    }

    @Test(
        arguments: [
            ([Key.left, .character("x")], "abx", "c"), ([.home, .character("x")], "x", "abc"),
            ([.home, .right, .delete], "a", "c"), ([.left, .left, .backspace], "", "bc"),
            ([.control("a"), .control("k")], "", ""), ([.left, .control("u")], "", "c"),
            ([.left, .control("k")], "ab", ""), ([.home, .end, .character("x")], "abcx", ""),
            ([.control("a"), .control("e")], "abc", ""),
            ([.control("b"), .control("d")], "ab", ""),
            ([.left, .left, .control("f")], "ab", "c"), ([.right, .delete], "abc", ""),
            ([.home, .left, .backspace], "", "abc"),
        ]
    )
    func `a line is edited at the cursor`(keys: [Key], before: String, after: String) {
        var prompt = LinePrompt(.command, text: "abc")

        for key in keys { _ = prompt.take(key, history: []) }

        #expect(prompt.before == before)
        #expect(prompt.after == after)
    }

    @Test func `a character is a grapheme cluster`() {
        var line = prompt("e\u{301}👩‍👩‍👧日", .left, .left)
        #expect(line.before == "e\u{301}")
        #expect(line.take(.backspace, history: []) == .edited)
        #expect(line.text == "👩‍👩‍👧日")

        line = prompt("", .character("e"), .character("\u{301}"), .character("x"))
        #expect(line.take(.backspace, history: []) == .edited)
        #expect(line.take(.backspace, history: []) == .edited)
        #expect(line.text.isEmpty)
    }

    @Test func `^W deletes the last word and the spaces after it`() {
        #expect(prompt("one two  ", .control("w")).text == "one ")
        #expect(prompt("one", .control("w"), .control("w")).text == "")
    }

    @Test func `backspace leaves an empty line, Escape any line`() {
        var empty = prompt("")
        #expect(empty.take(.backspace, history: []) == .left)
        var line = prompt("abc", .home)
        #expect(line.take(.backspace, history: []) == .moved)
        #expect(line.take(.escape, history: []) == .left)
    }

    @Test func `older lines are recalled, and then the line being typed`() {
        let history = ["first", "second"]
        var line = prompt("dra")

        for (key, text) in [
            (Key.up, "second"), (.up, "first"), (.up, "first"), (.down, "second"), (.down, "dra"),
            (.down, "dra"), (.control("p"), "second"), (.control("n"), "dra"),
        ] {
            _ = line.take(key, history: history)
            #expect(line.text == text)
        }
    }

    @Test func `the history keeps each line once, the newest last, up to a limit`() {
        var history = PromptHistory()

        for number in 0..<200 { history.keep("\(number)", of: .command) }
        history.keep("150", of: .command)
        history.keep("", of: .command)
        history.keep("yes", of: .clearDisk)

        #expect(history[.command].count == 100)
        #expect(history[.command].last == "150")
        #expect(history[.command].count { $0 == "150" } == 1)
        #expect(history[.clearDisk].isEmpty)
    }

    @Test func `pasted text becomes one line, and too long text is cut`() {
        var line = prompt("ac", .left)
        line.paste("\n\nb\tb\nq\n")
        #expect(line.text == "ab bc")
        #expect(line.before == "ab b")

        line.paste(String(repeating: "e\u{301}", count: 90_000))
        #expect(line.text.unicodeScalars.count == 1_000)
        #expect(line.take(.character("x"), history: []) == .moved)
        #expect(line.text.hasSuffix("c"))
    }
}
