import CLinux
import CTerminalRestore
package import Decoders
package import Glibc

/// The descriptors of the terminal.
///
/// If standard input or output is not a terminal, `/dev/tty` is used instead. For example, a feed
/// may be read from standard input, and picked URLs may be written to standard output. The session
/// owns this object, which closes the descriptors that it has opened.
package final class TerminalDescriptors {
    package let input: Int32
    package let output: Int32
    /// A separate, non-blocking open file description for large writes.
    ///
    /// If `output` itself were non-blocking, the shell would also be affected. If the terminal
    /// cannot be opened again, the value is the same as `output`.
    let frameOutput: Int32
    private let opened: [Int32]

    package init(input: Int32 = STDIN_FILENO, output: Int32 = STDOUT_FILENO) throws(TerminalError) {
        var opened: [Int32] = []
        func terminal(_ descriptor: Int32) -> Int32? {
            if isatty(descriptor) == 1 { return descriptor }
            let tty = open("/dev/tty", O_RDWR | O_CLOEXEC)
            if tty >= 0 { opened.append(tty) }
            return tty >= 0 ? tty : nil
        }
        guard let terminalInput = terminal(input), let terminalOutput = terminal(output) else {
            opened.forEach { close($0) }
            throw .notATerminal
        }
        let own = open(
            "/proc/self/fd/\(terminalOutput)",
            O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        )
        if own >= 0 { opened.append(own) }
        self.input = terminalInput
        self.output = terminalOutput
        frameOutput = own >= 0 ? own : terminalOutput
        self.opened = opened
    }

    deinit {
        opened.forEach { close($0) }
    }

    /// The terminal's current modes, or nil if they cannot be read.
    package var modes: termios? {
        var modes = termios()
        return tcgetattr(input, &modes) == 0 ? modes : nil
    }

    func setModes(_ modes: termios) {
        var modes = modes
        tcsetattr(input, TCSANOW, &modes)
    }

    /// Sets the modes that the program needs in addition to those of ncurses.
    ///
    /// Turns off flow control because Control-S would freeze the program in the middle of a frame;
    /// Control-S is then an ordinary key. Sets `NOFLSH` to keep the kernel from dropping input and
    /// output on Control-Z, Control-C and Control-\. Without `NOFLSH`, a key can be dropped between
    /// `poll` and `read`, and the program waits in `read` for another key. The program can even
    /// wait forever in `write`: when Linux drops the output to a pseudo-terminal, it does not wake
    /// the writer.
    func setOwnModes() {
        guard var modes else { return }
        modes.c_iflag &= ~tcflag_t(IXON)
        modes.c_lflag |= tcflag_t(NOFLSH)
        setModes(modes)
    }

    /// The number of columns and rows, or nil if the terminal does not report them.
    ///
    /// A serial line reports a size of 0 by 0.
    package var windowSize: (columns: Int, rows: Int)? {
        var size = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return nil
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// The size of the window in pixels, or nil if the terminal does not report it.
    package var windowPixels: PixelSize? {
        var size = winsize()
        guard ioctl(output, UInt(TIOCGWINSZ), &size) == 0, size.ws_xpixel > 0, size.ws_ypixel > 0
        else { return nil }
        return PixelSize(width: Int(size.ws_xpixel), height: Int(size.ws_ypixel))
    }

    /// The state of the terminal's input.
    enum InputState: Equatable {
        /// No input is available.
        case idle
        /// Bytes are available.
        case ready
        /// The terminal has hung up or its input has ended.
        case closed
    }

    /// The state of the input.
    ///
    /// After a terminal has hung up, `poll` reports it as readable forever, and ncurses cannot
    /// distinguish "no input yet" from "end of input". If the terminal is readable but has no
    /// bytes, its input has ended.
    var inputState: InputState {
        var source = pollfd(fd: input, events: Int16(POLLIN), revents: 0)
        guard poll(&source, 1, 0) > 0 else { return .idle }
        var count: Int32 = 0
        let isKnown = ioctl(input, UInt(FIONREAD), &count) == 0
        return isKnown && count > 0 ? .ready : .closed
    }
}
