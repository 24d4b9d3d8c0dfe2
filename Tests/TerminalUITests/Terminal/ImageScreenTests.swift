import Decoders
import Glibc
import Testing

@testable import TerminalUI

/// The public screen on a pseudo-terminal. It belongs to the same suite, because a process has only
/// one ncurses.
extension CursesTests {
    private static func pixels() -> PixelBuffer {
        PixelBuffer(
            size: PixelSize(width: 8, height: 8),
            bytes: (0..<64).flatMap { _ in [200, 30, 30, 255] as [UInt8] },
            hasAlpha: false
        )
    }

    @Test func `a screen draws an image and its caption, and passes keys until the handler leaves`()
        throws
    {
        var master: Int32 = -1
        var slave: Int32 = -1
        try #require(openpty(&master, &slave, nil, nil, nil) == 0)
        defer {
            close(slave)
            close(master)
        }
        setenv("TERM", "xterm-256color", 1)
        let screen = try ImageScreen(
            descriptors: TerminalDescriptors(input: slave, output: slave)
        )
        screen.show(Self.pixels(), caption: "a red square")
        write(master, Array("xq".utf8), 2)

        var keys: [Key] = []
        let ending = screen.run { key in
            keys.append(key)
            return key == .character("q") ? .leave : .stay
        }
        screen.close()

        #expect(ending == .left)
        #expect(keys == [.character("x"), .character("q")])
        #expect(screen.columns == 80 && screen.rows == 24)
        #expect(try shown(on: master).contains("a red square"))
    }

    /// Returns all output that waits on a pseudo-terminal.
    private func shown(on master: Int32) throws -> String {
        var bytes: [UInt8] = []
        var source = pollfd(fd: master, events: Int16(POLLIN), revents: 0)
        while poll(&source, 1, 0) > 0 {
            var buffer = [UInt8](repeating: 0, count: 4096)
            let count = read(master, &buffer, buffer.count)
            try #require(count > 0)
            bytes += buffer.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
