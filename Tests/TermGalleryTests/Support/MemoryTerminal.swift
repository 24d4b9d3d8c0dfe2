import GalleryCore
import Glibc
@testable import TermGallery
import VirtualTerminal

/// A terminal in memory: a pipe for keys (one byte each), a model for the screen.
final class MemoryTerminal: Terminal {
    /// What `refreshSize` finds; set by a test as a person changes a window.
    var windowSize: ScreenSize
    /// The content of the screen.
    private(set) var screen: VirtualScreen
    /// Calls of `suspend`, `resume` and `restore`, in order.
    private(set) var calls: [String] = []
    private(set) var size: ScreenSize
    /// Whether the next `paint` is to draw every cell.
    private(set) var isInvalid = false
    var capabilities = ScreenCapabilities(colorDepth: .trueColor, symbols: .halfBlocks)
    /// The capabilities that the terminal reports.
    var findings = TerminalFindings()
    /// The time after which to read without input, and the resulting events.
    var inputTimeout: Duration?
    var eventsAfterTimeout: [InputEvent] = []
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
        if count < 0 {
            inputTimeout = nil
            return InputBatch(events: eventsAfterTimeout)
        }
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
        isInvalid = false
    }

    /// What `flush` takes away: bytes that the terminal has not taken.
    var backlog: PaintBacklog = []
    /// Where the loop looks whether they can be written.
    var outputDescriptor: Int32 = -1

    func flush() {
        calls.append("flush")
        backlog.remove(.bytes)
    }

    func invalidate() {
        encoder.invalidate()
        isInvalid = true
    }

    func suspend() {
        calls.append("suspend")
        refreshSize()
    }

    /// The copied texts in order.
    private(set) var copied: [String] = []

    func copy(_ text: String) { copied.append(text) }

    func handOver(_ body: (_ input: Int32, _ output: Int32) -> Void) {
        calls.append("handOver")
        let nothing = open("/dev/null", O_RDWR | O_CLOEXEC)
        body(nothing, nothing)
        close(nothing)
    }

    func resume() {
        calls.append("resume")
        refreshSize()
    }

    func restore() {
        calls.append("restore")
    }
}

extension Frame {
    /// The frame with each cell replaced by one chosen form of all that look the same.
    var appearance: Frame {
        var frame = Frame(size: size)
        for row in 0..<size.rows {
            for column in 0..<size.columns { frame[row, column] = self[row, column].appearance }
        }
        return frame
    }

    /// Where two frames look different, in words; empty if nowhere.
    func differences(from other: Frame) -> [String] {
        guard size == other.size else { return ["\(size) is not \(other.size)"] }
        let (ours, theirs) = (appearance, other.appearance)
        return (0..<size.rows).flatMap { row in
            (0..<size.columns).compactMap { column in
                let (mine, its) = (ours[row, column], theirs[row, column])
                return mine == its ? nil : "(\(row), \(column)): \(mine) is not \(its)"
            }
        }
    }
}

extension FrameCell {
    var appearance: FrameCell {
        var cell = self
        if scalar >= GraphemeClusters.first {
            let scalars = scalars
            cell.scalar =
                scalars.count == 1 ? scalars[0] : GraphemeClusters.number(of: scalars) ?? 0xFFFD
            return cell
        }
        if scalar == 0x20, attributes.isDisjoint(with: [.reverse, .underline]) {
            return FrameCell(background: background)
        }
        guard attributes.isEmpty else { return cell }
        if foreground == background, foreground != .terminalDefault, scalar >= 0x2580 {
            if scalar <= 0x259F { return FrameCell(background: background) }
        }
        if scalar == 0x2584, foreground != .terminalDefault, background != .terminalDefault {
            cell.scalar = 0x2580
            swap(&cell.foreground, &cell.background)
        }
        return cell
    }
}
