import GalleryCore
import Glibc
import VirtualTerminal

@testable import TermGallery

/// A terminal in memory: a pipe for keys (one byte each), a model for the screen.
final class MemoryTerminal: Terminal {
    /// What `refreshSize` finds; set by a test as a person changes a window.
    var windowSize: ScreenSize
    /// What is shown.
    private(set) var screen: VirtualScreen
    /// Calls of `suspend`, `resume` and `restore`, in order.
    private(set) var calls: [String] = []
    private(set) var size: ScreenSize
    var capabilities = ScreenCapabilities(colorDepth: .trueColor, symbols: .halfBlocks)
    var inputDescriptor: Int32 { pipe[0] }
    var hasBufferedInput: Bool { false }

    private var pipe: [Int32] = [-1, -1]
    private var encoder = FrameEncoder()

    init(size: ScreenSize = ScreenSize(columns: 80, rows: 24)) {
        (windowSize, self.size, screen) = (size, size, VirtualScreen(size: size))
        Glibc.pipe(&pipe)
        _ = fcntl(pipe[0], F_SETFL, O_NONBLOCK)
    }

    deinit {
        hangUp()
        close(pipe[0])
    }

    func type(_ text: String) {
        write(pipe[1], Array(text.utf8), text.utf8.count)
    }

    func hangUp() {
        if pipe[1] >= 0 { close(pipe[1]) }
        pipe[1] = -1
    }

    func readInput() -> InputBatch {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(pipe[0], &bytes, bytes.count)
        if count == 0 { return InputBatch(isClosed: true) }
        let keys = bytes.prefix(max(0, count)).map { byte in
            InputEvent.key(.character(Character(Unicode.Scalar(byte))))
        }
        return InputBatch(events: keys)
    }

    func refreshSize() {
        size = windowSize
    }

    func paint(_ frame: Frame) {
        if screen.size != frame.size { screen.resize(to: frame.size) }
        screen.write(encoder.encode(frame))
    }

    func invalidate() {
        encoder.invalidate()
    }

    func suspend() {
        calls.append("suspend")
        refreshSize()
    }

    func resume() {
        calls.append("resume")
        refreshSize()
    }

    func restore() {
        calls.append("restore")
    }
}
