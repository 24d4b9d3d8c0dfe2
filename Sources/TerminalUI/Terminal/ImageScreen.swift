public import Decoders
internal import Glibc

/// The entire screen of a terminal, with one image above a line of text.
///
/// Use this class in programs that show images and react to keys.
///
///     let screen = try ImageScreen()
///     screen.show(pixels, caption: "cat.jpg")
///     let ending = screen.run { key in key == .character("q") ? .leave : .stay }
///     screen.close()
///
/// The image is drawn with the best method that the terminal supports: as pixels with the kitty,
/// iTerm2 or sixel protocol, or otherwise with block characters. The terminal is queried while it
/// is in use. If a reply or a new window size allows a better method, the image is drawn again.
///
/// Only one screen may exist in a process, and it must be used on a single thread. When the screen
/// is closed or released, and after a crash, the terminal's original state is restored.
public final class ImageScreen {
    /// The decision returned by the key handler.
    public enum Decision: Hashable, Sendable {
        /// Draws the screen, and waits for the next key.
        case stay
        /// Returns from `run`.
        case leave
    }

    /// The reason why `run` returned.
    public enum Ending: Hashable, Sendable {
        /// The handler returned `leave`.
        case left
        /// A signal such as SIGINT (Control-C) or SIGTERM requested that the program end.
        ///
        /// The value is the signal number.
        case signal(Int32)
        /// The terminal has hung up, or its input has ended.
        case closed
    }

    /// The content of the screen.
    private struct Content {
        var image: PixelBuffer?
        var caption = ""
    }

    private let terminal: CursesTerminal
    private let loop: EventLoop<PictureReady>
    private var content = Content()
    /// The image drawn with characters, with the box and capabilities for which it was drawn.
    private var rendered: (image: CellImage, box: FrameRect, capabilities: ScreenCapabilities)?

    /// The painter's message that encoded images are ready to be sent.
    private struct PictureReady: Sendable {}

    /// Takes over the terminal of the process.
    ///
    /// If standard input or output is redirected, `/dev/tty` is used instead. Create the screen
    /// before the program starts any threads, because the screen blocks signals and threads inherit
    /// the signal mask. Throws an error, without having changed the terminal, if there is no
    /// terminal or the terminal cannot move its cursor.
    public convenience init() throws(ImageScreenError) {
        do throws(TerminalError) {
            try self.init(descriptors: TerminalDescriptors())
        } catch {
            throw ImageScreenError(error)
        }
    }

    /// Takes over the terminal of `descriptors`.
    init(descriptors: TerminalDescriptors) throws(TerminalError) {
        let mailbox = try Mailbox<PictureReady>()
        let signals = try SignalInbox()
        terminal = try CursesTerminal(
            descriptors: descriptors,
            onPictureReady: { mailbox.post(PictureReady()) }
        )
        loop = try EventLoop(terminal: terminal, signals: signals, mailbox: mailbox)
    }

    /// The number of columns of the screen.
    public var columns: Int { terminal.size.columns }
    /// The number of rows of the screen, including the line of text.
    public var rows: Int { terminal.size.rows }

    /// Sets the image and the text in the last row.
    ///
    /// The image is fitted into all rows except the last. It keeps its aspect ratio and is enlarged
    /// to at most four times its size. Control characters in the caption are replaced. The screen
    /// is drawn by `run`: immediately when `run` is called, and after each key.
    public func show(_ image: PixelBuffer?, caption: String = "") {
        content = Content(image: image, caption: caption)
        rendered = nil
    }

    /// Draws the screen, and waits for keys until the handler returns `leave` or the program must
    /// end.
    ///
    /// The handler runs on the caller's thread and may call `show`. Control-C and Control-\ are
    /// signals that end `run`. Control-Z suspends the program as usual. Mouse events and pasted
    /// text are ignored.
    public func run(_ onKey: (Key) -> Decision) -> Ending {
        var ending = Ending.left
        draw()
        loop.run(
            handle: { event in
                switch event {
                case .input(.key(let key)): return onKey(key) == .leave ? .leave : .proceed
                case .signal(.suspend): terminal.suspend()
                case .signal(.resumed): terminal.resume()
                case .signal(let signal):
                    ending = .signal(signal.deadlySignal ?? SIGTERM)
                    return .leave
                case .inputClosed:
                    ending = .closed
                    return .leave
                case .input, .resize, .detectionChanged, .mail, .tick: break
                }
                return .proceed
            },
            draw: draw
        )
        return ending
    }

    /// Restores the terminal's original state; further calls have no effect.
    ///
    /// Control-C and the other signals remain blocked until the screen is released.
    public func close() {
        terminal.restore()
    }

    private func draw() {
        let (size, capabilities) = (terminal.size, terminal.capabilities)
        var frame = Frame(size: size)
        frame.graphics = capabilities.graphics
        let box = FrameRect(row: 0, column: 0, rows: max(1, size.rows - 1), columns: size.columns)
        if let image = image(in: box, for: capabilities) {
            frame.draw(FrameImage(image, centeredIn: box))
        }
        if size.rows > 1 {
            let text = FrameText(content.caption, limit: size.columns, on: capabilities)
            frame.draw(text, row: size.rows - 1, column: 0, style: .plain)
        }
        terminal.paint(frame)
        // Images that are waiting for a pause are painted at the next tick.
        let waits = !terminal.backlog.isDisjoint(with: [.pictures, .rest])
        loop.tickInterval = waits ? .milliseconds(50) : nil
    }

    private func image(in box: FrameRect, for capabilities: ScreenCapabilities) -> CellImage? {
        guard let pixels = content.image else { return nil }
        if let rendered, rendered.box == box, rendered.capabilities == capabilities {
            return rendered.image
        }
        let image = CellImage(
            pixels,
            box: ScreenSize(columns: box.columns, rows: box.rows),
            capabilities: capabilities
        )
        rendered = (image, box, capabilities)
        return image
    }
}

/// The reason why a program cannot use the terminal.
public struct ImageScreenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason as one line of text.
    public let description: String

    init(_ error: TerminalError) {
        description = error.reason
    }
}
