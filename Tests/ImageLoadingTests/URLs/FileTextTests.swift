import ImageLoadingTesting
import Testing

@testable import ImageLoading
import SystemSupport

struct FileTextTests {
    @Test func `UTF-8 text is unchanged`() {
        for name in ["", "a.jpg", "grün 漢字 👩‍👧.png", "/a/b\nc", "\u{10FFFF}"] {
            #expect(FileText.text(Array(name.utf8)) == name)
            #expect(FileText.bytes(of: name) == Array(name.utf8))
            #expect(FileText.shown(name) == name)
        }
    }

    @Test func `bytes that are not characters are preserved, and shown as such`() {
        let name = Array("caf".utf8) + [0xE9, 0x2E, 0xFF, 0xE2, 0x82] + Array(".jpg".utf8)

        let text = FileText.text(name)

        #expect(FileText.bytes(of: text) == name)
        #expect(FileText.path(text) == name.map(CChar.init(bitPattern:)) + [0])
        #expect(FileText.shown(text) == "caf\u{FFFD}.\u{FFFD}\u{FFFD}\u{FFFD}.jpg")
    }

    @Test func `the characters that replace bytes do not collide with another name's text`() {
        let (real, broken) = (Array("a\u{10FEE9}".utf8), Array("a".utf8) + [0xE9])

        #expect(FileText.text(real) != FileText.text(broken))
        #expect(FileText.bytes(of: FileText.text(real)) == real)
        #expect(FileText.bytes(of: FileText.text(broken)) == broken)
    }

    @Test func `any bytes are preserved`() {
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<2_000 {
            let bytes: [UInt8] = (0..<12).map { _ in
                [0x2F, 0x41, 0xC3, 0xA9, 0xF4, 0x8F, 0xBA, 0xBB, 0x80, 0xBF, 0xFF]
                    .randomElement(using: &generator) ?? 0
            }
            #expect(FileText.bytes(of: FileText.text(bytes)) == bytes)
        }
    }
}

struct EscapedTextTests {
    @Test(arguments: [
        ("a é 漢字 👍", "a é 漢字 👍"), ("\u{1B}[31m", #"\u001b[31m"#),
        ("\u{9B}\u{7F}", #"\u009b\u007f"#),
        ("a\u{202E}b\u{2066}", #"a\u202eb\u2066"#),
        ("\u{2028}\u{200B}\u{FEFF}", #"\u2028\u200b\ufeff"#),
        ("\u{E0041}", #"\udb40\udc41"#), ("a\r\nb", #"a\u000d\u000ab"#),
    ])
    func `control characters are written as in JSON`(
        text: String,
        escaped: String
    ) {
        #expect(EscapedText.of(text) == escaped)
    }

    @Test func `line breaks may be kept`() {
        #expect(EscapedText.of("a\n\u{7}b\n", keepingLineFeeds: true) == "a\n\\u0007b\n")
    }
}
