import CNCurses
import Glibc
import Testing
import VirtualTerminal

@testable import TerminalUI

/// A terminal on a pseudo-terminal. It belongs to the same suite, because a process has only one
/// ncurses.
extension CursesTests {
    @Test func `keys arrive from a terminal whatever its entry calls them`() throws {
        var master: Int32 = -1
        var slave: Int32 = -1
        try #require(openpty(&master, &slave, nil, nil, nil) == 0)
        defer {
            close(slave)
            close(master)
        }
        setenv("TERM", "tmux-256color", 1)
        let descriptors = try TerminalDescriptors(input: slave, output: slave)
        let before = try #require(descriptors.modes)
        let terminal = try CursesTerminal(descriptors: descriptors)

        let keys: [(String, [InputEvent])] = [
            ("\u{1B}[A\u{1B}OB", [.key(.up), .key(.down)]),
            (
                "\u{1B}[1~\u{1B}[4~\u{1B}[H\u{1B}OF",
                [.key(.home), .key(.end), .key(.home), .key(.end)]
            ),
            (
                "\u{1B}[5~\u{1B}[6~\u{1B}OM\r",
                [.key(.pageUp), .key(.pageDown), .key(.enter), .key(.enter)]
            ),
            ("é日q", [.key(.character("é")), .key(.character("日")), .key(.character("q"))]),
            ("\u{1B}", [.key(.escape)]),
            ("\u{13}", [.key(.control("s"))]),
            ("\u{1B}[<0;250;7M", [.mouse(.press(row: 6, column: 249))]),
            ("\u{1B}[<65;1;1M", [.mouse(.wheelDown)]),
            ("\u{1B}[200~x\u{1B}[A\u{1B}[201~q", [.paste("x"), .key(.character("q"))]),
        ]
        for (typed, events) in keys {
            write(master, Array(typed.utf8), typed.utf8.count)
            // The kernel hands it over on a thread of its own.
            var source = pollfd(fd: slave, events: Int16(POLLIN), revents: 0)
            try #require(poll(&source, 1, 20_000) == 1)
            #expect(terminal.readInput() == InputBatch(events: events), "\(typed.debugDescription)")
        }
        #expect(terminal.readInput() == InputBatch())

        terminal.restore()
        terminal.restore()
        let after = try #require(descriptors.modes)
        #expect(after.c_lflag == before.c_lflag && after.c_iflag == before.c_iflag)
    }

    @Test(arguments: KnownTerminal.all.indices)
    func `a terminal's responses are found between keys, wherever they are cut`(
        index: Int
    ) throws {
        var master: Int32 = -1
        var slave: Int32 = -1
        try #require(openpty(&master, &slave, nil, nil, nil) == 0)
        defer {
            close(slave)
            close(master)
        }
        setenv("TERM", "xterm-256color", 1)
        let descriptors = try TerminalDescriptors(input: slave, output: slave)
        let terminal = try CursesTerminal(descriptors: descriptors)
        defer { terminal.restore() }
        let known = KnownTerminal.all[index]
        var events: [InputEvent] = []
        func send(_ bytes: some Collection<UInt8>) throws {
            write(master, Array(bytes), bytes.count)
            var source = pollfd(fd: slave, events: Int16(POLLIN), revents: 0)
            try #require(poll(&source, 1, 20_000) == 1)
            events += terminal.readInput().events
        }

        terminal.paint(Frame(size: terminal.size))
        for (number, reply) in known.replies.enumerated() {
            let bytes = Array("j\(reply)\u{1B}[Bl".utf8)
            let cut = number * 5 % bytes.count
            if cut > 0 { try send(bytes[..<cut]) }
            try send(bytes[cut...])
        }

        let keys: [InputEvent] = [.key(.character("j")), .key(.down), .key(.character("l"))]
        #expect(events == known.replies.flatMap { _ in keys })
        #expect(terminal.detector.rounds.collected == known.answers)
    }

    @Test func `grapheme clusters are switched on if they are off, and off again`() throws {
        var master: Int32 = -1
        var slave: Int32 = -1
        try #require(openpty(&master, &slave, nil, nil, nil) == 0)
        defer {
            close(slave)
            close(master)
        }
        setenv("TERM", "foot", 1)
        let terminal = try CursesTerminal(
            descriptors: TerminalDescriptors(input: slave, output: slave)
        )
        // The kernel hands it over in pieces.
        var written = ""
        func isWritten(_ text: String) -> Bool {
            var source = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
            while !written.contains(text), poll(&source, 1, 20_000) == 1 {
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = read(master, &bytes, bytes.count)
                written += String(decoding: bytes[..<max(0, count)], as: UTF8.self)
            }
            return written.contains(text)
        }

        terminal.paint(Frame(size: terminal.size))
        let reply = "\u{1B}[?2027;2$y\u{1B}[?62c"
        write(master, Array(reply.utf8), reply.utf8.count)
        var source = pollfd(fd: slave, events: Int16(POLLIN), revents: 0)
        try #require(poll(&source, 1, 20_000) == 1)
        #expect(terminal.readInput() == InputBatch())

        #expect(terminal.detected.showsGraphemeClusters)
        #expect(isWritten("\u{1B}[?2027h"))
        terminal.restore()
        #expect(isWritten("\u{1B}[?2027l"))
    }

    @Test func `a terminal that hung up is reported`() throws {
        var master: Int32 = -1
        var slave: Int32 = -1
        try #require(openpty(&master, &slave, nil, nil, nil) == 0)
        defer { close(slave) }
        setenv("TERM", "xterm-256color", 1)
        let terminal = try CursesTerminal(
            descriptors: TerminalDescriptors(input: slave, output: slave)
        )
        #expect(terminal.readInput() == InputBatch())

        close(master)

        #expect(terminal.readInput() == InputBatch(isClosed: true))
        terminal.restore()
    }

    /// The kernel dropped a key between `poll` and `read`, which then waited for the next one.
    ///
    /// Or it dropped the pending output without waking the program, which waited in `write` forever.
    @Test func `Ctrl-C and Ctrl-Z drop nothing while the terminal is taken over`() throws {
        var master: Int32 = -1
        var slave: Int32 = -1
        try #require(openpty(&master, &slave, nil, nil, nil) == 0)
        defer {
            close(slave)
            close(master)
        }
        var (before, during, after) = (termios(), termios(), termios())
        #expect(tcgetattr(slave, &before) == 0)
        setenv("TERM", "xterm-256color", 1)
        let terminal = try CursesTerminal(
            descriptors: TerminalDescriptors(input: slave, output: slave)
        )
        #expect(tcgetattr(slave, &during) == 0)
        terminal.restore()
        #expect(tcgetattr(slave, &after) == 0)

        #expect(before.c_lflag & tcflag_t(NOFLSH) == 0)
        #expect(during.c_lflag & tcflag_t(NOFLSH) != 0)
        #expect(after.c_lflag == before.c_lflag && after.c_iflag == before.c_iflag)
    }
}
