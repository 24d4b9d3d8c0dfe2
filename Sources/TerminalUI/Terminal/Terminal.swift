import Glibc

/// A session with a terminal, which reads input, draws frames, and returns the terminal to the
/// shell.
///
/// Use sessions on the UI thread only. `CursesTerminal` is the real implementation; tests use an
/// in-memory implementation.
package protocol Terminal: AnyObject {
    /// The last known size of the screen.
    var size: ScreenSize { get }
    /// The capabilities of the screen.
    var capabilities: ScreenCapabilities { get }
    /// The detected capabilities of the terminal, which may change when it replies.
    var detected: TerminalCapabilities { get }
    /// A descriptor that is readable when `readInput` has input.
    var inputDescriptor: Int32 { get }
    /// Whether input has been read from the descriptor but has not been returned yet.
    var hasBufferedInput: Bool { get }
    /// A descriptor that is readable when another process, such as tmux, has replied, or -1 if no
    /// process was queried.
    ///
    /// `readInput` also handles these replies.
    var answerDescriptor: Int32 { get }
    /// The time after which `readInput` must be called even if there is no input, or nil for no
    /// limit.
    var inputTimeout: Duration? { get }
    /// Reads the available input, and abandons sequences and replies that are overdue.
    ///
    /// This method never blocks for longer than the 25 ms needed to distinguish Escape from the
    /// start of a key sequence.
    func readInput() -> InputBatch
    /// Updates `size`; call this method after SIGWINCH.
    func refreshSize()
    func paint(_ frame: Frame)
    /// The number of images in the terminal, and the number of bytes sent for them.
    var pictures: SentPictures { get }
    /// The work that `paint` has not completed yet.
    ///
    /// While bytes are pending, `paint` does nothing.
    var backlog: PaintBacklog { get }
    /// A descriptor that is writable when `flush` can continue.
    var outputDescriptor: Int32 { get }
    /// Writes as many of the pending bytes as the terminal accepts now.
    func flush()
    /// Makes the next `paint` draw every cell, because other output may have overwritten the
    /// screen.
    func invalidate()
    /// Discards keys that have not been read.
    func dropInput()
    /// Stops the process, and returns when it is continued.
    ///
    /// The terminal is released before the process is stopped, and taken over again afterward. The
    /// next `paint` draws everything. The size may have changed.
    func suspend()
    /// Runs `body` while the terminal is released.
    ///
    /// Afterward, the terminal is taken over again, as in `suspend`. `body` receives the
    /// descriptors for keys and for the screen.
    func handOver(_ body: (_ input: Int32, _ output: Int32) -> Void)
    /// Copies text to the clipboard of the terminal's user.
    func copy(_ text: String)
    /// Takes over the terminal again after the process was stopped without `suspend` (SIGSTOP).
    func resume()
    /// Restores the terminal's original state; further calls have no effect.
    func restore()
}

/// Defaults for a terminal that is not queried.
extension Terminal {
    package var detected: TerminalCapabilities { TerminalCapabilities() }
    package var answerDescriptor: Int32 { -1 }
    package var inputTimeout: Duration? { nil }
    package var pictures: SentPictures { SentPictures() }
}

/// The result of a single read from the terminal.
package struct InputBatch: Equatable, Sendable {
    /// The events in the order in which they occurred.
    package var events: [InputEvent] = []
    /// Whether the terminal has hung up or its input has ended, so no more input will arrive.
    package var isClosed = false

    package init(events: [InputEvent] = [], isClosed: Bool = false) {
        self.events = events
        self.isClosed = isClosed
    }
}

/// The reason why the gallery cannot be shown on a terminal.
///
/// `description` is one line of text for the user.
package enum TerminalError: Error, Equatable, CustomStringConvertible {
    /// Neither standard input and output nor `/dev/tty` is a terminal.
    case notATerminal
    /// `TERM` is not set.
    case typeNotSet
    /// There is no terminfo entry for this `TERM` or for a related terminal.
    case unknownType(String)
    /// The terminfo entry lacks the capability to move the cursor.
    case cannotMoveCursor(String)
    /// A system call failed.
    case system(call: String, code: Int32)

    package var description: String {
        switch self {
        case .notATerminal: "\(reason); use `termgallery print` to write images to standard output"
        case .typeNotSet: "\(reason); set it, or use `termgallery print`"
        case .unknownType:
            "\(reason); set TERM to one that is (xterm-256color), or use `termgallery print`"
        case .cannotMoveCursor: "\(reason); use `termgallery print`"
        case .system: "\(reason); `termgallery print` works without one"
        }
    }

    /// The reason as one line of text, without advice about this program's commands.
    var reason: String {
        switch self {
        case .notATerminal: "no terminal"
        case .typeNotSet: "TERM is not set"
        case .unknownType(let name):
            "the terminal type “\(Self.printable(name))” is not in this machine's terminfo"
        case .cannotMoveCursor(let name):
            "a terminal of type “\(Self.printable(name))” cannot move its cursor"
        case .system(let call, let code):
            "cannot use the terminal: \(call): \(String(cString: strerror(code)))"
        }
    }

    /// Returns up to 64 printable ASCII characters from the value of an environment variable.
    ///
    /// The value may contain arbitrary characters.
    private static func printable(_ name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.unicodeScalars.filter { (0x20..<0x7F).contains($0.value) }.prefix(64)
            )
        )
    }
}
