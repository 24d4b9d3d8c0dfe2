import Glibc
import ImageLoading
import Testing

@testable import TermGallery

@Suite struct TerminalOutputTests {
    /// A pipe that nobody waits for; closed with its box.
    private final class Pipe {
        var ends: [Int32] = [-1, -1]

        init() {
            pipe(&ends)
            for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        }

        deinit {
            for end in ends where end >= 0 { close(end) }
        }
    }

    @Test func `a frame larger than the terminal takes at once arrives whole`() {
        let frame = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let terminal = Pipe()
        let readEnd = terminal.ends[0]
        let received = Protected<[UInt8]>([])
        let reader = OwnThread {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 5000)
            while bytes.count < 1_000_000 {
                var source = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
                guard poll(&source, 1, 20_000) == 1 else { break }
                let count = read(readEnd, &chunk, chunk.count)
                if count > 0 { bytes += chunk[..<count] }
            }
            received.withLock { [bytes] in $0 = bytes }
        }

        let isWhole = TerminalOutput(descriptor: terminal.ends[1]).write(frame[...])

        reader.join()
        #expect(isWhole)
        #expect(received.withLock { $0 } == frame)
    }

    @Test func `a signal ends the wait for a terminal that does not read`() throws {
        let terminal = Pipe()
        let interruption = Pipe()
        write(interruption.ends[1], [1], 1)
        let output = TerminalOutput(
            descriptor: terminal.ends[1],
            interruption: interruption.ends[0]
        )

        #expect(!output.write(ArraySlice(repeating: 0x20, count: 1_000_000)))
    }

    @Test func `a terminal that is gone is reported`() {
        let output = TerminalOutput(descriptor: -1)

        #expect(!output.write(ArraySlice(repeating: 0x20, count: 10)))
    }
}
