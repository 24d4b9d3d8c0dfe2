import Decoders
import Testing
import VirtualTerminal

@testable import TerminalUI

@Suite struct PictureBoxTests {
    private static let screen = ScreenSize(columns: 30, rows: 10)

    /// Returns a frame with an image of 6×3 cells at row 0, column 2, and text below it.
    private func frame(graphics: GraphicsProtocol?) -> Frame {
        var capabilities = ScreenCapabilities(colorDepth: .trueColor, symbols: .halfBlocks)
        capabilities.graphics = graphics
        let size = PixelSize(width: 60, height: 60)
        let bytes = (0..<size.pixelCount).flatMap { index -> [UInt8] in
            [UInt8(index % 256), 80, 160, 255]
        }
        let pixels = PixelBuffer(size: size, bytes: bytes, hasAlpha: false)
        let box = ScreenSize(columns: 6, rows: 3)
        let cells = CellImage(pixels, box: box, capabilities: capabilities)
        var frame = Frame(size: ScreenSize(columns: 10, rows: 4))
        frame.draw(
            FrameImage(cells, centeredIn: FrameRect(row: 0, column: 2, rows: 3, columns: 6))
        )
        frame.draw(FrameText("name", symbols: .halfBlocks), row: 3, column: 0, style: .plain)
        return frame
    }

    private func box(_ graphics: GraphicsProtocol?) -> PictureBox {
        PictureBox(
            pictures: graphics.map { PictureLines($0, budget: .local) },
            firstID: 0x01_0203
        )
    }

    /// Returns a screen full of letters, with the cursor at row 9, column 7.
    private func fullScreen() -> VirtualScreen {
        var screen = VirtualScreen(size: Self.screen)
        for row in 1...Self.screen.rows {
            screen.write("\u{1B}[\(row)H".utf8)
            screen.write(String(repeating: "x", count: Self.screen.columns).utf8)
        }
        screen.write("\u{1B}[10;8H\u{1B}[1m".utf8)
        return screen
    }

    /// Returns the rows of a screen with the cells of a box replaced by `#`.
    private func outside(_ rect: FrameRect, _ screen: VirtualScreen) -> [String] {
        (0..<screen.size.rows).map { row in
            (0..<screen.size.columns).map { column in
                rect.contains(row: row, column: column)
                    ? "#" : screen[row, column] == FrameCell("x") ? "x" : "?"
            }.joined()
        }
    }

    @Test(arguments: [nil] + GraphicsProtocol.allCases.map(Optional.some))
    func `only cells of the box change, and the cursor returns to its place`(
        graphics: GraphicsProtocol?
    ) {
        let rect = FrameRect(row: 5, column: 20, rows: 5, columns: 10)
        var screen = fullScreen()
        let before = outside(rect, screen)

        screen.write(box(graphics).bytes(of: frame(graphics: graphics), in: rect))

        #expect(outside(rect, screen) == before)
        #expect(before.joined().contains("?") == false)
        #expect(screen.row == 9 && screen.column == 7)
        #expect(screen.unknownSequences.isEmpty)
        #expect(screen.text(row: 8).hasSuffix("xname"))
        #expect(screen.text(row: 9) == String(repeating: "x", count: 20))
    }

    @Test func `a second image leaves nothing of the first one`() {
        let rect = FrameRect(row: 2, column: 4, rows: 6, columns: 10)
        var both = fullScreen()
        var second = fullScreen()
        var words = Frame(size: ScreenSize(columns: 10, rows: 1))
        words.draw(FrameText("b.png: bad", symbols: .halfBlocks), row: 0, column: 0, style: .plain)

        both.write(box(nil).bytes(of: frame(graphics: nil), in: rect))
        both.write(box(nil).bytes(of: words, in: rect))
        second.write(box(nil).bytes(of: words, in: rect))

        #expect(both.frame == second.frame)
    }

    @Test func `a frame larger than its box is cut off`() {
        let rect = FrameRect(row: 8, column: 27, rows: 2, columns: 3)
        var screen = fullScreen()

        screen.write(box(nil).bytes(of: frame(graphics: nil), in: rect))

        #expect(outside(rect, screen).joined().contains("?") == false)
    }

    @Test(arguments: [nil] + GraphicsProtocol.allCases.map(Optional.some))
    func `lines have no cursor movement and no final line end`(graphics: GraphicsProtocol?) {
        let bytes = box(graphics).lines(of: frame(graphics: graphics))
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)

        // fzf makes room for the three rows of an image without placeholders.
        let hasRows = graphics == nil || graphics == .kittyPlaceholders
        #expect(lines.count == (hasRows ? 4 : 1) && bytes.last != UInt8(ascii: "\n"))
        let text = String(decoding: bytes, as: UTF8.self)
        let sequences = text.split(separator: "\u{1B}[").dropFirst().compactMap { part in
            part.first { $0.isLetter }
        }
        #expect(Set(sequences).isSubset(of: ["m"]), "\(sequences)")
    }

    @Test(arguments: GraphicsProtocol.allCases)
    func `an image as pixels is sent once, at its first cell`(graphics: GraphicsProtocol) {
        let rect = FrameRect(row: 2, column: 4, rows: 6, columns: 10)
        let text = String(
            decoding: box(graphics).bytes(of: frame(graphics: graphics), in: rect),
            as: UTF8.self
        )

        switch graphics {
        case .kittyPlaceholders: #expect(text.contains("a=T,U=1,c=6,r=3,i=66051,"))
        case .kitty:
            #expect(text.contains("a=t,i=66051,") && text.contains("a=d,d=I,i=66051,"))
            #expect(text.contains("\u{1B}[3;7H\u{1B}_Ga=t,"))
        case .iterm: #expect(text.contains("\u{1B}[3;7H\u{1B}]1337;File="))
        case .sixel: #expect(text.contains("\u{1B}[3;7H\u{1B}P"))
        }
    }

    @Test(arguments: [nil, .iterm, .sixel] as [GraphicsProtocol?])
    func `clearing erases the box`(graphics: GraphicsProtocol?) {
        let rect = FrameRect(row: 2, column: 4, rows: 6, columns: 10)
        var screen = fullScreen()

        screen.write(box(graphics).clearing(rect))

        #expect(outside(rect, screen).joined().contains("?") == false)
        let blanks = String(repeating: " ", count: 10)
        #expect(screen.text(row: 2) == "xxxx\(blanks)" + String(repeating: "x", count: 16))
    }

    @Test(arguments: [.kitty, .kittyPlaceholders] as [GraphicsProtocol])
    func `clearing kitty images keeps text that another program has drawn since`(
        graphics: GraphicsProtocol
    ) {
        var screen = fullScreen()

        let bytes = box(graphics).clearing(FrameRect(row: 2, column: 4, rows: 6, columns: 10))
        screen.write(bytes)

        #expect(String(decoding: bytes, as: UTF8.self).contains("a=d,d=I,i=66051,"))
        #expect(screen.frame == fullScreen().frame)
    }

    @Test func `a preview after a killed one ends its incomplete command`() {
        let rect = FrameRect(row: 2, column: 4, rows: 6, columns: 10)
        let bytes = box(.kitty).bytes(of: frame(graphics: .kitty), in: rect)
        var whole = fullScreen()
        whole.write(bytes)
        let start = bytes.firstRange(of: "a=t".utf8)?.lowerBound ?? 0

        for cut in [start, start + 9, bytes.count / 2] {
            var screen = fullScreen()
            screen.write(bytes[..<cut])
            screen.write(bytes)
            #expect(screen.frame == whole.frame, "\(cut)")
        }
    }

    @Test func `a link surrounds its columns and has no control characters`() throws {
        var frame = frame(graphics: nil)
        let url = "https://example.org/a b\u{1B}\\ü"
        frame.links = [try #require(FrameLink(row: 3, columns: 0..<4, url: url))]

        let text = String(decoding: FrameLines.bytes(of: frame), as: UTF8.self)

        #expect(
            text.contains(
                "\u{1B}]8;;https://example.org/a%20b%1B\\%C3%BC\u{1B}\\name\u{1B}]8;;\u{1B}\\"
            )
        )
    }
}
