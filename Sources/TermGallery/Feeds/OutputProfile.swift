import GalleryCore
import TerminalGraphics
import Glibc

/// What standard output can show, terminal or not.
struct OutputProfile {
    /// Columns to fill.
    let width: Int
    /// Colours, characters, pixels.
    let capabilities: ScreenCapabilities
    /// What writes pictures in pixels; nil where there are none.
    let pictures: PictureLines?

    /// Finds out from the environment; a pipe or a file gets 24-bit colour unless NO_COLOR is set.
    init(_ overrides: ScreenOverrides) {
        // Which characters there are is all that is asked; the other categories are a dozen files.
        let environment = TerminalEnvironment.adopted(LC_CTYPE)
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let profile = ScreenProfile(
            environment: environment,
            terminfoColors: isTerminal ? Self.colorCount(environment) : 1 << 24,
            overrides: overrides
        )
        width = Self.width()
        // A file or a pager takes pixels only if the person says so.
        guard isTerminal || ![.auto, .off].contains(overrides.pixels) else {
            (capabilities, pictures) = (profile.capabilities, nil)
            return
        }
        let findings = TerminalExamination.run(
            environment,
            profile: profile,
            pixels: overrides.pixels
        ).findings
        capabilities = profile.capabilities(with: findings)
        pictures = findings.protocols.first.map { graphics in
            PictureLines(
                graphics,
                budget: getenv("SSH_CONNECTION") == nil ? .local : .remote,
                passesThroughTmux: findings.passesThroughTmux
            )
        }
    }

    private static func colorCount(_ environment: TerminalEnvironment) -> Int {
        // An unknown terminal gets no colours.
        let entry = try? TerminfoChoice.entry(for: environment.term, load: TerminfoEntry.load)
        return entry?.colorCount ?? 0
    }

    private static func width() -> Int {
        var size = winsize()
        if ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
            return Int(size.ws_col)
        }
        let columns = getenv("COLUMNS").flatMap { Int(String(cString: $0)) } ?? 80
        return min(1000, max(8, columns))
    }
}

/// Where a command's result goes, until that fails once.
struct ResultOutput {
    let descriptor: Int32
    /// Of the first write that failed.
    private var errorNumber: Int32?

    init(_ descriptor: Int32 = STDOUT_FILENO) { self.descriptor = descriptor }

    /// Whether somebody still reads.
    var isOpen: Bool { errorNumber == nil }

    /// What a person should hear; a reader that has left, as `head` does, wants no words.
    var problem: String? {
        guard let errorNumber, errorNumber != EPIPE else { return nil }
        return "cannot write the output: \(String(cString: strerror(errorNumber)))"
    }

    /// Writes everything, unless an earlier write has failed.
    mutating func write(_ bytes: [UInt8]) {
        guard isOpen, !OutputBytes.write(bytes, to: descriptor) else { return }
        errorNumber = errno
    }

    /// Ends the program if something was left out.
    func check() throws(ProgramFailure) {
        if let problem { throw ProgramFailure(.systemFailure, problem) }
    }
}

/// Writes to a descriptor at once, without the C library's buffer: whoever reads a pipe sees each
/// line when it is made.
enum OutputBytes {
    /// Writes everything; false if the other end is gone.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if !isWorthAnotherTry(descriptor) {
                return false
            }
        }
        return true
    }

    /// After a failed write.
    ///
    /// A terminal or pipe that another program made non-blocking has to be waited for.
    private static func isWorthAnotherTry(_ descriptor: Int32) -> Bool {
        switch errno {
        case EINTR: return true
        case EAGAIN:
            var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            return poll(&writable, 1, -1) >= 0 || errno == EINTR
        default: return false
        }
    }
}
