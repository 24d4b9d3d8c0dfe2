import Testing

@testable import TerminalUI

@Suite struct WrappedTextTests {
    private func lines(_ text: String, _ width: Int, atSlashes: Bool = true) -> [String] {
        let text = FrameText(text, symbols: .halfBlocks)
        return WrappedText.lines(text, width: width, limit: 9, breaksAtSlashes: atSlashes)
            .map { line in
                String(String.UnicodeScalarView(line.columns.compactMap(Unicode.Scalar.init)))
            }
    }

    @Test func `paths are broken after slashes, and long names within`() {
        #expect(lines("/home/user/photos/2024", 12) == ["/home/user/", "photos/2024"])
        #expect(lines("/a/bcdefghijklmno", 8) == ["/a/bcdef", "ghijklmn", "o"])
        #expect(lines("https://example.org/a", 12) == ["https://", "example.org/", "a"])
        #expect(lines("/home/my photos/x", 12) == ["/home/my", "photos/x"])
        #expect(lines("/home/user/photos", 12, atSlashes: false) == ["/home/user/p", "hotos"])
    }
}
