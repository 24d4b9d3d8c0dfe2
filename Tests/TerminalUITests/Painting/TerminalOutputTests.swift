import Glibc
import Testing

@testable import TerminalUI

@Suite struct TerminalOutputTests {
    /// A pipe without a reader, which is closed when it is released.
    private final class Pipe {
        var ends: [Int32] = [-1, -1]

        init() {
            pipe(&ends)
            for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        }

        deinit {
            for end in ends where end >= 0 { close(end) }
        }

        /// Everything that can be read.
        func takeAll() -> [UInt8] {
            var bytes: [UInt8] = []
            var chunk = [UInt8](repeating: 0, count: 5000)
            while true {
                let count = read(ends[0], &chunk, chunk.count)
                guard count > 0 else { return bytes }
                bytes += chunk[..<count]
            }
        }
    }

    @Test func `bytes that the terminal does not accept immediately arrive later and in order`() {
        let frame = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let terminal = Pipe()
        let output = TerminalOutput(descriptor: terminal.ends[1])

        #expect(output.write(frame[...]))
        #expect(!output.isIdle)
        #expect(output.write([1, 2, 3]))
        var received: [UInt8] = []
        while !output.isIdle {
            received += terminal.takeAll()
            #expect(output.flush())
        }
        received += terminal.takeAll()

        #expect(received == frame + [1, 2, 3])
    }

    @Test func `waiting bytes can be discarded`() {
        let terminal = Pipe()
        let output = TerminalOutput(descriptor: terminal.ends[1])
        #expect(output.write(ArraySlice(repeating: 0x20, count: 1_000_000)))

        output.discard()

        #expect(output.isIdle)
        #expect(terminal.takeAll().count < 1_000_000)
    }

    @Test func `a closed terminal is reported`() {
        let output = TerminalOutput(descriptor: -1)

        #expect(!output.write(ArraySlice(repeating: 0x20, count: 10)))
    }
}
