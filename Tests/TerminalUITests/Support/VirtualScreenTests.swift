import Testing
import VirtualTerminal

@testable import TerminalUI

@Suite struct VirtualScreenTests {
    private func screen(_ text: String, columns: Int = 6, rows: Int = 3) -> VirtualScreen {
        var screen = VirtualScreen(size: ScreenSize(columns: columns, rows: rows))
        screen.write(text.utf8)
        return screen
    }

    @Test func `the cursor waits after the last column`() {
        #expect(screen("abcdef").text == "abcdef\n\n")
        #expect(screen("abcdefg").text == "abcdef\ng\n")
        #expect(screen("abcdef\rX").text == "Xbcdef\n\n")
    }

    @Test func `the last cell can be written without scrolling`() {
        #expect(screen("top\u{1B}[3;6HZ").text == "top\n\n     Z")
    }

    @Test(arguments: [
        "38;2;1;2;3", "38:2::1:2:3", "38:2:1:2:3", "0;1;22;38;2;1;2;3",
    ])
    func `24-bit colors are read in every form`(form: String) {
        #expect(
            screen("\u{1B}[\(form)mx")[0, 0] == FrameCell("x", foreground: .rgb(1, 2, 3))
        )
    }

    @Test func `palette colors are read in every form`() {
        let cells = screen("\u{1B}[31;48;5;200ma\u{1B}[97;104mb\u{1B}[38:5:9;49mc\u{1B}[md")

        #expect(cells[0, 0] == FrameCell("a", foreground: .palette(1), background: .palette(200)))
        #expect(cells[0, 1] == FrameCell("b", foreground: .palette(15), background: .palette(12)))
        #expect(cells[0, 2] == FrameCell("c", foreground: .palette(9)))
        #expect(cells[0, 3] == FrameCell("d"))
    }

    @Test func `overwriting half of a wide character blanks the other half`() {
        #expect(screen("日本\u{1B}[1;2Hx").text(row: 0) == " x本")
        #expect(screen("日本\u{1B}[1;3Hx").text(row: 0) == "日x")
        #expect(screen("日\u{1B}[1;2H本").text(row: 0) == " 本")
    }

    @Test func `a wide character that does not fit wraps`() {
        #expect(screen("abcde日").text == "abcde\n日\n")
    }

    @Test func `a scroll region keeps the rest in place`() {
        let text = "1\r\n2\r\n3"
        #expect(screen(text + "\u{1B}[1;2r\u{1B}[S").text == "2\n\n3")
        #expect(screen(text + "\u{1B}[2;3r\u{1B}[T").text == "1\n\n2")
        #expect(screen(text + "\u{1B}[1;2r\u{1B}[2;1H\n").text == "2\n\n3")
        #expect(screen(text + "\u{1B}[2;3r\u{1B}[2;1H\u{1B}M").text == "1\n\n2")
    }

    @Test func `lines and cells are erased, inserted, deleted and repeated`() {
        #expect(screen("abcdef\u{1B}[1;3H\u{1B}[K").text(row: 0) == "ab")
        #expect(screen("abcdef\u{1B}[1;3H\u{1B}[1K").text(row: 0) == "   def")
        #expect(screen("abcdef\u{1B}[1;3H\u{1B}[2X").text(row: 0) == "ab  ef")
        #expect(screen("abcdef\u{1B}[1;3H\u{1B}[2@").text(row: 0) == "ab  cd")
        #expect(screen("abcdef\u{1B}[1;3H\u{1B}[2P").text(row: 0) == "abef")
        #expect(screen("1\r\n2\r\n3\u{1B}[2;1H\u{1B}[L").text == "1\n\n2")
        #expect(screen("1\r\n2\r\n3\u{1B}[2;1H\u{1B}[M").text == "1\n3\n")
        #expect(screen("a\u{1B}[3b").text(row: 0) == "aaaa")
        #expect(screen("1\r\n2\r\n3\u{1B}[2;1H\u{1B}[J").text == "1\n\n")
    }

    @Test func `erasing keeps the background color only if the terminal does that`() {
        var plain = VirtualScreen(size: ScreenSize(columns: 2, rows: 1), erasesWithColor: false)
        plain.write("\u{1B}[41m\u{1B}[2J".utf8)

        #expect(plain[0, 0] == FrameCell())
        #expect(screen("\u{1B}[41m\u{1B}[2J")[0, 0] == FrameCell(background: .palette(1)))
    }

    @Test func `leaving the alternate screen brings the first one back`() {
        let both = screen("shell\u{1B}[?1049h\u{1B}[Hgallery")
        #expect(both.text(row: 0) == "galler")
        #expect(both.modes.contains(1049))

        #expect(screen("shell\u{1B}[?1049h\u{1B}[Hgal\u{1B}[?1049l").text(row: 0) == "shell")
    }

    @Test func `sequences and characters may be cut anywhere`() {
        var screen = VirtualScreen(size: ScreenSize(columns: 6, rows: 1))
        for byte in "\u{1B}[31m日\u{1B}]0;title\u{7}é".utf8 { screen.write([byte]) }

        #expect(screen.text(row: 0) == "日é")
    }

    @Test func `a sequence that the model does not know is reported`() {
        #expect(screen("\u{1B}[5y").unknownSequences == ["CSI y"])
    }
}
