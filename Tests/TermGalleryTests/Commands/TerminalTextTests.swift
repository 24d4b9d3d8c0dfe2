import ImageLoading
import Testing

@testable import TermGallery
import SystemSupport

@Suite struct TerminalTextTests {
    /// ESC, BEL, NUL, a C1 control, DEL, a bidi override, a zero-width space, a line separator and
    /// line ends.
    private static let hostile: [(String, String)] = [
        ("\u{1B}[2J", #"\u001b[2J"#), ("\u{7}", #"\u0007"#), ("\0", #"\u0000"#),
        ("\u{9B}31m", #"\u009b31m"#), ("\u{7F}", #"\u007f"#), ("\u{202E}", #"\u202e"#),
        ("\u{2066}", #"\u2066"#), ("\u{200B}", #"\u200b"#), ("\u{2028}", #"\u2028"#),
        ("\n", #"\u000a"#), ("\r", #"\u000d"#),
    ]

    @Test(arguments: hostile)
    func `text from outside is escaped, alone and inside a literal`(outside: String, shown: String)
    {
        let inserted: TerminalText = "\u{1B}[1m\(outside)\u{1B}[0m\n"

        #expect(TerminalText(outside).text == shown)
        #expect(TerminalText(lines: outside).text == (outside == "\n" ? "\n" : shown))
        #expect(inserted.text == "\u{1B}[1m\(shown)\u{1B}[0m\n")
        #expect(("\(inserted)" as TerminalText) == inserted)
    }

    @Test func `letters, numbers and a byte that is no character stay readable`() {
        let name = FileText.text([0x61, 0xFF, 0xC3, 0xA9])

        #expect(("\(name) \(7)" as TerminalText).text == "a\u{FFFD}é 7")
    }
}
