import Glibc
import ImageLoadingTesting
import PropertyRuns
import Testing
import VirtualTerminal

@testable import TerminalUI

/// ncurses in this process, one session at a time: what it writes is read by the model.
@Suite(.serialized) final class CursesTests {
    private let file: Int32
    private let input: Int32
    private var offset: off_t = 0

    init() {
        setlocale(LC_ALL, "C.UTF-8")
        var template = Array("/tmp/termgallery-curses-XXXXXX".utf8CString)
        file = mkstemp(&template)
        unlink(template)
        input = open("/dev/null", O_RDONLY)
    }

    deinit {
        close(file)
        close(input)
    }

    /// Returns the output since the last call.
    private func written() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = max(0, pread(file, &bytes, bytes.count, offset))
        offset += off_t(count)
        return Array(bytes[..<count])
    }

    private func requireEntry(_ name: String) throws {
        try #require(
            TerminfoEntry.load(name) != nil,
            "no terminfo entry \(name); make setup installs ncurses-term"
        )
    }

    @Test(
        arguments: [
            (ColorDepth.palette256, "xterm-256color"), (.ansi16, "xterm-16color"),
            (.monochrome, "xterm-256color"),
        ],
        1...UInt64(PropertyRuns.count(4))
    )
    func `any sequence of frames arrives on the screen`(
        terminal: (depth: ColorDepth, entry: String),
        seed: UInt64
    ) throws {
        try requireEntry(terminal.entry)
        var frames = RandomFrames(generator: SeededGenerator(seed: seed), depth: terminal.depth)
        var frame = frames.full(size: ScreenSize(columns: 40, rows: 20))
        let session = try CursesSession(entry: terminal.entry, input: input, output: file)
        defer { session.end() }
        session.resize(to: frame.size)
        let painter = CursesPainter(
            session: session,
            usesColor: terminal.depth != .monochrome,
            isASCIIOnly: false
        )
        var screen = VirtualScreen(size: frame.size)

        for step in 0..<15 {
            if step > 0 { frame = frames.next(after: frame) }
            if step == 7 { painter.invalidate() }
            if screen.size != frame.size {
                screen.resize(to: frame.size)
                session.resize(to: frame.size)
            }
            painter.paint(frame)
            screen.write(written())

            let differences = screen.frame.differences(from: frame)
            #expect(differences.isEmpty, "seed \(seed), step \(step): \(differences.prefix(3))")
        }
        #expect(screen.unknownSequences.isEmpty)
    }

    @Test func `combining marks stay on their letters, and spacing signs next to them`() throws {
        var frame = Frame(size: ScreenSize(columns: 20, rows: 1))
        let session = try CursesSession(entry: "xterm-256color", input: input, output: file)
        defer { session.end() }
        session.resize(to: frame.size)
        let painter = CursesPainter(session: session, usesColor: true, isASCIIOnly: false)
        var screen = VirtualScreen(size: frame.size)
        for caption in ["हिन्दी क्षि x̂", "नदी दि x", "日\u{301}本 हिन्दी"] {
            frame.fill(FrameRect(row: 0, column: 0, rows: 1, columns: 20), style: .plain)
            frame.draw(FrameText(caption, symbols: .halfBlocks), row: 0, column: 2, style: .plain)
            painter.paint(frame); screen.write(written())
            #expect(screen.frame.differences(from: frame) == [])
        }
    }

    @Test func `more color pairs than the table holds are still drawn`() throws {
        let size = ScreenSize(columns: 200, rows: 60)
        let session = try CursesSession(entry: "xterm-256color", input: input, output: file)
        defer { session.end() }
        session.resize(to: size)
        let painter = CursesPainter(session: session, usesColor: true, isASCIIOnly: false)
        var screen = VirtualScreen(size: size)

        for step in 0..<5 {
            var frame = Frame(size: size)
            for row in 0..<size.rows {
                for column in 0..<size.columns {
                    let number = (step * size.rows + row) * size.columns + column
                    frame[row, column] = FrameCell(
                        "▀",
                        foreground: .palette(UInt8(number % 256)),
                        background: .palette(UInt8(number / 256 % 256))
                    )
                }
            }
            painter.paint(frame)
            screen.write(written())

            #expect(screen.frame.differences(from: frame).prefix(2) == [])
        }
    }

    @Test(arguments: [(16, "xterm-16color"), (8, "xterm")])
    func `a small table has room for every pair of colors and the default`(
        terminal: (colors: Int, entry: String)
    ) throws {
        try requireEntry(terminal.entry)
        let colors = [CellColor.terminalDefault] + (0..<terminal.colors).map { .palette(UInt8($0)) }
        let size = ScreenSize(columns: colors.count, rows: colors.count)
        let session = try CursesSession(entry: terminal.entry, input: input, output: file)
        defer { session.end() }
        session.resize(to: size)
        let painter = CursesPainter(session: session, usesColor: true, isASCIIOnly: false)
        var screen = VirtualScreen(size: size)

        // The second frame has the same pairs in another order, so all of them at once.
        for turn in 0..<2 {
            var frame = Frame(size: size)
            for row in 0..<size.rows {
                for column in 0..<size.columns {
                    frame[row, column] = FrameCell(
                        "▀",
                        foreground: colors[turn == 0 ? row : column],
                        background: colors[turn == 0 ? column : row]
                    )
                }
            }
            painter.paint(frame)
            screen.write(written())

            #expect(screen.frame.differences(from: frame).prefix(2) == [])
        }
        #expect(screen.unknownSequences.isEmpty)
    }

    /// The expectation follows xterm's manual and not our model: 30–37 and 90–97 are the sixteen
    /// foregrounds, 40–47 and 100–107 the backgrounds.
    @Test func `sixteen colors are written as xterm reads them`() throws {
        try requireEntry("xterm-16color")
        let session = try CursesSession(entry: "xterm-16color", input: input, output: file)
        defer { session.end() }
        let size = ScreenSize(columns: 10, rows: 5)
        session.resize(to: size)
        let painter = CursesPainter(session: session, usesColor: true, isASCIIOnly: false)
        painter.paint(Frame(size: size))
        _ = written()
        let cells: [(CellColor, CellColor, sequence: String)] = [
            (.palette(7), .palette(0), "\u{1B}[37m\u{1B}[40mx"),
            (.palette(1), .terminalDefault, "\u{1B}[31mx"),
            (.terminalDefault, .palette(12), "\u{1B}[104mx"),
            (.palette(15), .palette(8), "\u{1B}[97m\u{1B}[100mx"),
            (.palette(9), .palette(4), "\u{1B}[91m\u{1B}[44mx"),
        ]
        for (row, cell) in cells.enumerated() {
            var frame = Frame(size: size)
            frame[row, 4] = FrameCell("x", foreground: cell.0, background: cell.1)

            painter.paint(frame)

            let text = String(decoding: written(), as: UTF8.self)
            #expect(text.contains(cell.sequence), "\(text.debugDescription)")
        }
    }

    @Test func `an unchanged frame costs no byte`() throws {
        let session = try CursesSession(entry: "xterm-256color", input: input, output: file)
        defer { session.end() }
        let painter = CursesPainter(session: session, usesColor: true, isASCIIOnly: false)
        var frames = RandomFrames(generator: SeededGenerator(seed: 1), depth: .palette256)
        let frame = frames.full(size: ScreenSize(columns: 80, rows: 24))
        session.resize(to: frame.size)
        painter.paint(frame)
        _ = written()

        painter.paint(frame)

        #expect(written().isEmpty)
    }

    @Test func `eight colors show bright ones in bold`() throws {
        let session = try CursesSession(entry: "xterm", input: input, output: file)
        defer { session.end() }
        let size = ScreenSize(columns: 10, rows: 2)
        session.resize(to: size)
        let painter = CursesPainter(session: session, usesColor: true, isASCIIOnly: false)
        var frame = Frame(size: size)
        frame[0, 0] = FrameCell("x", foreground: .palette(9), background: .palette(4))
        var screen = VirtualScreen(size: size)

        painter.paint(frame)
        screen.write(written())

        #expect(
            screen[0, 0]
                == FrameCell(
                    "x",
                    foreground: .palette(1),
                    background: .palette(4),
                    attributes: .bold
                )
        )
    }

    @Test func `a locale without UTF-8 gets ASCII only`() throws {
        let session = try CursesSession(entry: "xterm-256color", input: input, output: file)
        defer { session.end() }
        let painter = CursesPainter(session: session, usesColor: true, isASCIIOnly: true)
        var frames = RandomFrames(generator: SeededGenerator(seed: 1), depth: .palette256)
        let frame = frames.full(size: ScreenSize(columns: 80, rows: 24))
        session.resize(to: frame.size)

        painter.paint(frame)

        #expect(written().allSatisfy { $0 < 0x7F })
    }
}
