import Glibc
package import TerminalUI

/// A terminal in memory: a pipe for keys (one byte each), a model for the screen.
package final class MemoryTerminal: Terminal {
    /// What `refreshSize` finds; set by a test as a person changes a window.
    package var windowSize: ScreenSize
    /// The content of the screen.
    package private(set) var screen: VirtualScreen
    /// Calls of `suspend`, `resume` and `restore`, in order.
    package private(set) var calls: [String] = []
    package private(set) var size: ScreenSize
    /// Whether the next `paint` is to draw every cell.
    package private(set) var isInvalid = false
    package var capabilities = ScreenCapabilities(colorDepth: .trueColor, symbols: .halfBlocks)
    /// The capabilities that the terminal reports.
    package var detected = TerminalCapabilities()
    /// The time after which to read without input, and the resulting events.
    package var inputTimeout: Duration?
    package var eventsAfterTimeout: [InputEvent] = []
    package var inputDescriptor: Int32 { pipe[0] }
    package var hasBufferedInput: Bool { false }

    private var pipe: [Int32] = [-1, -1]
    private var encoder = FrameEncoder()

    package init(size: ScreenSize = ScreenSize(columns: 80, rows: 24)) {
        (windowSize, self.size, screen) = (size, size, VirtualScreen(size: size))
        Glibc.pipe(&pipe)
        _ = fcntl(pipe[0], F_SETFL, O_NONBLOCK)
    }

    deinit {
        hangUp()
        close(pipe[0])
    }

    package func type(_ text: String) {
        write(pipe[1], Array(text.utf8), text.utf8.count)
    }

    package func hangUp() {
        if pipe[1] >= 0 { close(pipe[1]) }
        pipe[1] = -1
    }

    package func readInput() -> InputBatch {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(pipe[0], &bytes, bytes.count)
        if count == 0 { return InputBatch(isClosed: true) }
        if count < 0 {
            inputTimeout = nil
            return InputBatch(events: eventsAfterTimeout)
        }
        let keys = bytes.prefix(max(0, count)).map { byte in
            InputEvent.key(.character(Character(Unicode.Scalar(byte))))
        }
        return InputBatch(events: keys)
    }

    package func refreshSize() {
        size = windowSize
    }

    package func paint(_ frame: Frame) {
        if screen.size != frame.size { screen.resize(to: frame.size) }
        screen.write(encoder.encode(frame))
        isInvalid = false
    }

    /// What `flush` takes away: bytes that the terminal has not taken.
    package var backlog: PaintBacklog = []
    /// Where the loop looks whether they can be written.
    package var outputDescriptor: Int32 = -1

    package func flush() {
        calls.append("flush")
        backlog.remove(.bytes)
    }

    package func invalidate() {
        encoder.invalidate()
        isInvalid = true
    }

    package func dropInput() {
        var bytes = [UInt8](repeating: 0, count: 256)
        while read(pipe[0], &bytes, bytes.count) > 0 {}
    }

    package func suspend() {
        calls.append("suspend")
        refreshSize()
    }

    /// The copied texts in order.
    package private(set) var copied: [String] = []

    package func copy(_ text: String) { copied.append(text) }

    package func handOver(_ body: (_ input: Int32, _ output: Int32) -> Void) {
        calls.append("handOver")
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        body(nothing, nothing)
        close(nothing)
    }

    package func resume() {
        calls.append("resume")
        refreshSize()
    }

    package func restore() {
        calls.append("restore")
    }
}
