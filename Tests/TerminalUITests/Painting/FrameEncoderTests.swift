import ImageLoadingTesting
@testable import TerminalUI
import PropertyRuns
import Testing
import VirtualTerminal

@Suite struct FrameEncoderTests {
    @Test(arguments: 1...UInt64(PropertyRuns.count(40)))
    func `any sequence of frames arrives on the screen`(seed: UInt64) {
        var frames = RandomFrames(generator: SeededGenerator(seed: seed))
        var frame = frames.full(size: frames.size())
        var encoder = FrameEncoder()
        var screen = VirtualScreen(size: frame.size, erasesWithColor: seed.isMultiple(of: 2))

        for step in 0..<30 {
            if step > 0 { frame = frames.next(after: frame) }
            if step % 11 == 10 { encoder.invalidate() }
            if screen.size != frame.size { screen.resize(to: frame.size) }
            screen.write(encoder.encode(frame))

            let differences = screen.frame.differences(from: frame)
            #expect(differences.isEmpty, "seed \(seed), step \(step): \(differences.prefix(3))")
        }
        #expect(screen.unknownSequences.isEmpty)
    }

    @Test func `cells that another program overwrote are written again, and no others`() {
        var frames = RandomFrames(generator: SeededGenerator(seed: 2))
        let frame = frames.full(size: ScreenSize(columns: 80, rows: 24))
        var encoder = FrameEncoder()
        var screen = VirtualScreen(size: frame.size)
        screen.write(encoder.encode(frame))
        screen.write(Array("\u{1B}7\u{1B}[2;1H\u{B7}\u{2584}\u{1B}[6n\u{1B}8".utf8)[...])
        #expect(!screen.frame.differences(from: frame).isEmpty)

        encoder.invalidate(row: 1, columns: 0..<8)
        encoder.invalidate(row: 24, columns: 0..<8)
        let bytes = encoder.encode(frame)
        screen.write(bytes)

        #expect(screen.frame.differences(from: frame).isEmpty && bytes.count < 600)
        #expect(encoder.encode(frame).isEmpty)
    }

    // The glyph extends into the next column in DejaVu Sans Mono, where xterm leaves its last pixels.
    @Test func `the column after a removed edge of the selection frame is written again`() {
        let size = ScreenSize(columns: 20, rows: 2)
        var frame = Frame(size: size)
        for column in 3..<8 { frame[0, column].scalar = 0x2582 }
        var encoder = FrameEncoder()
        _ = encoder.encode(frame)

        let bytes = encoder.encode(Frame(size: size))

        #expect(bytes.count { $0 == UInt8(ascii: " ") } == 6)
    }

    // The terminal's own reset shows it.
    @Test func `a repaint of the whole screen hides the cursor again`() {
        let frame = Frame(size: ScreenSize(columns: 20, rows: 2))
        var encoder = FrameEncoder()
        _ = encoder.encode(frame)

        encoder.invalidate()

        let bytes = encoder.encode(frame)
        #expect(String(decoding: bytes, as: UTF8.self).contains("\u{1B}[?25l"))
    }

    @Test func `an unchanged frame costs no byte`() {
        var frames = RandomFrames(generator: SeededGenerator(seed: 1))
        let frame = frames.full(size: ScreenSize(columns: 200, rows: 60))
        var encoder = FrameEncoder()
        _ = encoder.encode(frame)

        #expect(encoder.encode(frame).isEmpty)
    }

    @Test func `one changed cell costs less than 64 bytes wherever it is`() {
        var frame = Frame(size: ScreenSize(columns: 1000, rows: 300))
        var encoder = FrameEncoder()
        _ = encoder.encode(frame)

        for (row, column) in [(0, 0), (299, 999), (150, 500), (299, 0), (0, 999)] {
            frame[row, column] = FrameCell(
                "▀",
                foreground: .rgb(200, 201, 202),
                background: .rgb(100, 101, UInt8(row % 200))
            )
            #expect(encoder.encode(frame).count < 64)
        }
    }

    @Test func `a scroll by one gallery row costs about as much as the new row`() {
        var frames = RandomFrames(generator: SeededGenerator(seed: 3))
        let tall = frames.full(size: ScreenSize(columns: 100, rows: 80))
        func window(_ top: Int) -> Frame {
            var frame = Frame(size: ScreenSize(columns: 100, rows: 50))
            for row in 0..<49 {
                for column in 0..<100 { frame[row, column] = tall[row + top, column] }
            }
            return frame
        }
        var encoder = FrameEncoder()
        let whole = encoder.encode(window(0)).count

        let down = encoder.encode(window(12)).count
        let furtherDown = encoder.encode(window(24)).count
        let back = encoder.encode(window(12)).count

        for count in [down, furtherDown, back] { #expect(count < whole / 3) }
    }

    @Test func `colors are written with semicolons and in one sequence`() {
        var frame = Frame(size: ScreenSize(columns: 3, rows: 1))
        var encoder = FrameEncoder()
        _ = encoder.encode(frame)
        frame[0, 1] = FrameCell(
            "x",
            foreground: .rgb(1, 20, 255),
            background: .palette(100),
            attributes: .bold
        )

        let bytes = encoder.encode(frame)

        #expect(
            String(decoding: bytes, as: UTF8.self) == "\u{1B}[C\u{1B}[1;38;2;1;20;255;48;5;100mx"
        )
    }

    @Test func `large frames are buffered until they are complete and small ones are not`() {
        var frames = RandomFrames(generator: SeededGenerator(seed: 5))
        var frame = frames.full(size: ScreenSize(columns: 80, rows: 24))
        var encoder = FrameEncoder()

        let large = String(decoding: encoder.encode(frame), as: UTF8.self)
        frame[3, 3] = FrameCell("Q")
        let small = String(decoding: encoder.encode(frame), as: UTF8.self)

        #expect(large.hasPrefix("\u{1B}[?2026h") && large.hasSuffix("\u{1B}[?2026l"))
        #expect(!small.contains("2026"))
    }

    @Test func `a locale without UTF-8 gets ASCII only`() {
        var frames = RandomFrames(generator: SeededGenerator(seed: 6))
        var encoder = FrameEncoder(options: .init(isASCIIOnly: true))

        let bytes = encoder.encode(frames.full(size: ScreenSize(columns: 80, rows: 24)))

        #expect(bytes.allSatisfy { $0 < 0x7F })
    }

    @Test func `control characters in a frame never reach the terminal`() {
        var frame = Frame(size: ScreenSize(columns: 4, rows: 1))
        frame[0, 0].scalar = 0x1B
        frame[0, 1].scalar = 0x9B
        frame[0, 2].scalar = 0xD800
        frame[0, 3].scalar = 0xFFFF_FFFF
        var screen = VirtualScreen(size: frame.size)
        var encoder = FrameEncoder()

        screen.write(encoder.encode(frame))

        #expect(screen.text(row: 0) == "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}")
    }
}

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

    @Test func `each line ends in the terminal's own colors`() {
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
