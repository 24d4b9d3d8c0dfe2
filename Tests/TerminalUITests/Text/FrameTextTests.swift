import Testing
import VirtualTerminal

@testable import TerminalUI

@Suite struct FrameTextTests {
    private func shown(
        _ text: String,
        limit: Int = .max,
        symbols: SymbolSet = .halfBlocks
    ) -> String {
        FrameText(text, limit: limit, symbols: symbols).text
    }

    @Test(
        arguments: [
            ("\u{1B}[31mred\u{1B}]0;title\u{7}", " [31mred ]0;title "),
            ("a\r\nb\tc\u{0}d", "a b c d"), ("\u{9B}2J", " 2J"), ("\u{7F}x", " x"),
            ("abc\u{202E}gpj.exe", "abcgpj.exe"), ("\u{2066}x\u{2069}", "x"),
            ("a\u{200B}\u{200D}\u{FEFF}\u{AD}b", "ab"), ("a\u{2028}b", "a b"),
            ("e\u{301}a\u{308}", "éä"), ("x\u{301}\u{302}", "x\u{301}\u{302}"), ("\u{301}a", "a"),
            (" \u{301}a", " a"), ("\u{93F}a", "a"), ("\u{7}\u{93F}a", " a"),
            ("q\u{301}\u{302}\u{303}\u{304}\u{305}", "q\u{301}\u{302}\u{303}\u{304}"),
            ("\u{30AB}\u{3099}", "ガ"), ("\u{1112}\u{1161}\u{11AB}", "한"),
            ("\u{E000}\u{10FFFD}", "\u{FFFD}\u{FFFD}"), ("\u{E0041}x", "x"),
            ("👨‍👩‍👧!", "👨!"), ("👍🏽", "👍"), ("🇩🇪", "DE"), ("❤️", "❤"),
            ("🏳️‍🌈", "🏳"), ("1️⃣", "1\u{20E3}"), ("क्षि", "क्षि"), ("हिन्दी", "हिन्दी"),
            ("ශ්‍රී", "ශ්‍රී"), ("می‌خواهم", "میخواهم"),
        ]
    )
    func `a hostile caption is drawn harmless`(caption: String, expected: String) {
        let text = shown(caption)

        #expect(Array(text.unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test(
        arguments: [
            ("abc", 3), ("日本", 4), ("é", 1), ("ｱ", 1), ("Ａ", 2), ("👍", 2), ("한", 2), ("…", 1),
            ("\u{3000}", 1), ("⌚", 2), ("█", 1),
        ]
    )
    func `each character takes its columns`(text: String, width: Int) {
        #expect(FrameText(text, symbols: .halfBlocks).width == width)
    }

    @Test(
        arguments: [
            ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("日本語", 5, "日本…"),
            ("日本語", 4, "日…"), ("abc", 1, "…"), ("abc", 0, ""),
        ]
    )
    func `a long caption is cut with an ellipsis inside the limit`(
        caption: String,
        limit: Int,
        expected: String
    ) {
        #expect(shown(caption, limit: limit) == expected)
        #expect(FrameText(caption, limit: limit, symbols: .halfBlocks).width <= limit)
    }

    @Test func `in ASCII the ellipsis is dots and other characters are question marks`() {
        #expect(shown("Größe der Wiese", limit: 10, symbols: .ascii) == "Gr??e d...")
        #expect(shown("日本", symbols: .ascii) == "??")
    }

    @Test func `text wraps at spaces and too long words are cut`() {
        let text = FrameText("corrupt JPEG: Huffmantablesareundefined here", symbols: .halfBlocks)

        let lines = WrappedText.lines(text, width: 14, limit: 3).map { line in
            line.text
        }

        #expect(lines == ["corrupt JPEG:", "Huffmantablesa", "reundefined h."])
    }
}
