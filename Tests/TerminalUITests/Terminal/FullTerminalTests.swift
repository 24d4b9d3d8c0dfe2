import Glibc
import Testing

@testable import TerminalUI

/// A terminal that accepts no output for a while. It belongs to the same suite, because a process
/// has only one ncurses.
extension CursesTests {
    /// Once the clipboard, or a query, was cut, nothing was painted any more until the next resize.
    @Test(arguments: ["truecolor", ""])
    func `a screen continues after output of other programs is cut off`(
        colors: String
    ) throws {
        var (master, slave): (Int32, Int32) = (-1, -1)
        try #require(openpty(&master, &slave, nil, nil, nil) == 0)
        defer {
            close(slave)
            close(master)
        }
        setenv("TERM", "xterm-256color", 1)
        setenv("COLORTERM", colors, 1)
        defer { unsetenv("COLORTERM") }
        let descriptors = try TerminalDescriptors(input: slave, output: slave)
        let terminal = try CursesTerminal(descriptors: descriptors)
        defer { terminal.restore() }
        terminal.paint(Frame(size: terminal.size))
        fill(terminal.outputDescriptor)

        terminal.copy("copied")
        #expect(terminal.backlog.contains(.bytes))
        terminal.paint(frame("lost", terminal.size))

        var shown: [UInt8] = []
        while terminal.backlog.contains(.bytes) {
            try read(from: master, to: &shown)
            terminal.flush()
        }
        terminal.paint(frame("found", terminal.size))
        while !String(decoding: shown, as: UTF8.self).contains("found") {
            try read(from: master, to: &shown)
        }

        let text = String(decoding: shown, as: UTF8.self)
        #expect(text.contains("x" + String(decoding: Clipboard.sequence("copied"), as: UTF8.self)))
        #expect(!text.contains("lost"))
    }

    /// Writes until no more bytes are accepted.
    ///
    /// The kernel has space again a moment later, because it processes input on its own thread.
    private func fill(_ descriptor: Int32) {
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 1024)
        var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        repeat {
            while write(descriptor, bytes, bytes.count) > 0 {}
            while write(descriptor, bytes, 1) > 0 {}
        } while poll(&room, 1, 500) > 0
    }

    /// Reads once, as a terminal does.
    private func read(from master: Int32, to bytes: inout [UInt8]) throws {
        var source = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        try #require(poll(&source, 1, 20_000) == 1)
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = Glibc.read(master, &chunk, chunk.count)
        try #require(count > 0)
        bytes += chunk[..<count]
    }

    private func frame(_ text: String, _ size: ScreenSize) -> Frame {
        var frame = Frame(size: size)
        frame.draw(FrameText(text, symbols: .ascii), row: 3, column: 3, style: CellStyle())
        return frame
    }
}
