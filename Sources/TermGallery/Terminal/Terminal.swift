import GalleryCore
import Glibc

/// A terminal session: input, size, painting, and the way back to the shell.
///
/// Lives on the UI thread. `CursesTerminal` is the real one; tests have one in memory.
protocol Terminal: AnyObject {
    /// The screen's size as last seen.
    var size: ScreenSize { get }
    /// What the screen can show.
    var capabilities: ScreenCapabilities { get }
    /// What is known of the terminal so far; changes as it answers.
    var findings: TerminalFindings { get }
    /// Readable when `readInput` has something.
    var inputDescriptor: Int32 { get }
    /// Input that was read already and waits inside.
    var hasBufferedInput: Bool { get }
    /// Readable when somebody beside the terminal has answered, for `readInput` too; -1 if nobody
    /// is asked.
    var answerDescriptor: Int32 { get }
    /// How long to wait until `readInput` is called although nothing can be read; nil for ever.
    var inputTimeout: Duration? { get }
    /// Takes the input that waits, and gives up what has been waited for long enough.
    ///
    /// Never blocks for more than the time that tells Esc from the start of a key sequence (25 ms).
    func readInput() -> InputBatch
    /// Asks the terminal for its size, after SIGWINCH, and keeps it in `size`.
    func refreshSize()
    /// Shows a frame.
    func paint(_ frame: Frame)
    /// What was sent in pixels.
    var pictures: SentPictures { get }
    /// What `paint` has left to do. While bytes wait, painting does nothing.
    var backlog: PaintBacklog { get }
    /// Writable when `flush` can go on.
    var outputDescriptor: Int32 { get }
    /// Writes what the terminal has not taken yet, as far as it takes it now.
    func flush()
    /// The next `paint` draws every cell: something else may have written on the screen.
    func invalidate()
    /// Gives the terminal back, stops the process, and takes the terminal again when continued.
    /// The next `paint` draws everything; the size may have changed.
    func suspend()
    /// Gives the terminal back for as long as `body` runs, with the descriptors for keys and for the
    /// screen, and takes it again; else as `suspend`.
    func handOver(_ body: (_ input: Int32, _ output: Int32) -> Void)
    /// Puts text on the clipboard of whoever sits at the terminal.
    func copy(_ text: String)
    /// Takes the terminal again after a stop that came without `suspend` (SIGSTOP).
    func resume()
    /// Gives the terminal back as it was found. More calls do nothing.
    func restore()
}

/// A terminal that is asked nothing.
extension Terminal {
    var findings: TerminalFindings { TerminalFindings() }
    var answerDescriptor: Int32 { -1 }
    var inputTimeout: Duration? { nil }
    var pictures: SentPictures { SentPictures() }
}

/// What one reading of the terminal gave.
struct InputBatch: Equatable, Sendable {
    /// In the order in which they happened.
    var events: [InputEvent] = []
    /// The terminal is gone; nothing will come any more.
    var isClosed = false
}

/// Why there is no terminal to draw the gallery on.
///
/// `description` is one line for people.
enum TerminalError: Error, Equatable, CustomStringConvertible {
    /// Neither standard input and output nor `/dev/tty` is a terminal.
    case notATerminal
    /// `TERM` is not set.
    case typeNotSet
    /// No terminfo entry for this `TERM`, nor for a relative of it.
    case unknownType(String)
    /// The entry has no way to place the cursor.
    case cannotMoveCursor(String)
    /// A system call failed.
    case system(call: String, code: Int32)

    var description: String {
        switch self {
        case .notATerminal:
            "no terminal; use `termgallery print` to write images to standard output"
        case .typeNotSet:
            "TERM is not set; set it, or use `termgallery print`"
        case .unknownType(let name):
            "the terminal type “\(Self.printable(name))” is not in this machine's terminfo; "
                + "set TERM to one that is (xterm-256color), or use `termgallery print`"
        case .cannotMoveCursor(let name):
            "a terminal of type “\(Self.printable(name))” cannot move its cursor; use "
                + "`termgallery print`"
        case .system(let call, let code):
            "cannot use the terminal: \(call): \(String(cString: strerror(code))); "
                + "`termgallery print` works without one"
        }
    }

    /// What the environment says may hold anything.
    private static func printable(_ name: String) -> String {
        String(
            String.UnicodeScalarView(
                name.unicodeScalars.filter { (0x20..<0x7F).contains($0.value) }.prefix(64)
            )
        )
    }
}
