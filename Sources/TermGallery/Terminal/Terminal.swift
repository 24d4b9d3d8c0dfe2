import GalleryCore

/// Something a person does at the terminal.
enum InputEvent: Hashable, Sendable {
    /// A key was pressed.
    case key(Key)
    /// The mouse did something.
    case mouse(Mouse)
}

/// What one reading of the terminal gave.
struct InputBatch: Equatable, Sendable {
    /// In the order in which they happened.
    var events: [InputEvent] = []
    /// The terminal is gone; nothing will come any more.
    var isClosed = false
}

/// A terminal session: input, size, painting, and the way back to the shell.
///
/// Lives on the UI thread. `CursesTerminal` is the real one; tests have one in memory.
protocol Terminal: AnyObject {
    /// The screen's size as last seen.
    var size: ScreenSize { get }
    /// What the screen can show.
    var capabilities: ScreenCapabilities { get }
    /// Readable when `readInput` has something.
    var inputDescriptor: Int32 { get }
    /// Input that was read already and waits inside.
    var hasBufferedInput: Bool { get }
    /// Takes the input that waits; never blocks for more than the time that tells Esc from the
    /// start of a key sequence (25 ms).
    func readInput() -> InputBatch
    /// Asks the terminal for its size, after SIGWINCH, and keeps it in `size`.
    func refreshSize()
    /// Shows a frame. The hint says that rows moved; it may be wrong and is then only slow.
    func paint(_ frame: Frame, scroll: ScrollHint?)
    /// The next `paint` draws every cell: something else may have written on the screen.
    func invalidate()
    /// Gives the terminal back, stops the process, and takes the terminal again when continued.
    /// The next `paint` draws everything; the size may have changed.
    func suspend()
    /// Takes the terminal again after a stop that came without `suspend` (SIGSTOP).
    func resume()
    /// Gives the terminal back as it was found. More calls do nothing.
    func restore()
}
