import GalleryCore
import Testing

@testable import TermGallery

@Suite struct FrameLinesTests {
    private func text(_ frame: Frame) -> String {
        String(decoding: FrameLines.bytes(of: frame), as: UTF8.self)
    }

    @Test func `blanks at the end of a line are left out, blank lines are kept`() {
        var frame = Frame(size: ScreenSize(columns: 5, rows: 3))
        frame[0, 1] = FrameCell("a")
        frame[2, 0] = FrameCell("b")

        #expect(text(frame) == " a\n\nb\n")
    }

    @Test func `each line ends in the terminal's own colours`() {
        var frame = Frame(size: ScreenSize(columns: 2, rows: 2))
        frame[0, 0] = FrameCell("x", foreground: .rgb(1, 2, 3))
        frame[1, 0] = FrameCell("y")

        let lines = text(frame).split(separator: "\n")

        #expect(lines[0].hasSuffix("x\u{1B}[0m"))
        #expect(lines[0].contains("38;2;1;2;3"))
        #expect(lines[1] == "y")
    }

    @Test func `the right half of a wide character is not printed`() {
        var frame = Frame(size: ScreenSize(columns: 3, rows: 1))
        frame[0, 0] = FrameCell("日")
        frame[0, 1] = FrameCell("日")
        frame[0, 1].scalar = 0
        frame[0, 2] = FrameCell("x")

        #expect(text(frame) == "日x\n")
    }
}
