import GalleryCore
import SystemSupport
import TerminalGraphics
import Glibc

/// The capabilities of standard output, whether it is a terminal or not.
struct OutputProfile {
    /// The number of columns to fill.
    let width: Int
    /// The supported colors, characters and pixels.
    let capabilities: ScreenCapabilities
    /// The writer for images as pixels, or nil if pixels are not supported.
    let pictures: PictureLines?

    /// Detects the capabilities from the environment.
    ///
    /// A pipe or a file gets 24-bit color unless NO_COLOR is set.
    init(_ overrides: ScreenOverrides) {
        // Only the character encoding is needed. Loading the other categories would read a dozen
        // files.
        let environment = TerminalEnvironment.adopted(LC_CTYPE)
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let profile = ScreenProfile(
            environment: environment,
            terminfoColors: isTerminal ? Self.colorCount(environment) : 1 << 24,
            overrides: overrides
        )
        width = Self.width()
        // A file or a pager receives pixels only if the user requests them.
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
        // An unknown terminal gets no colors.
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

/// The output for a command's result; after a failed write, nothing more is written.
struct ResultOutput {
    let descriptor: Int32
    /// The error number of the first failed write.
    private var errorNumber: Int32?

    init(_ descriptor: Int32 = STDOUT_FILENO) { self.descriptor = descriptor }

    /// Whether the output still accepts data.
    var isOpen: Bool { errorNumber == nil }

    /// The error message for the user.
    ///
    /// It is nil if the reader has closed the pipe, as `head` does, because that needs no message.
    var problem: String? {
        guard let errorNumber, errorNumber != EPIPE else { return nil }
        return "cannot write the output: \(String(cString: strerror(errorNumber)))"
    }

    /// Writes all bytes unless an earlier write has failed.
    mutating func write(_ bytes: [UInt8]) {
        guard isOpen, !OutputBytes.write(bytes, to: descriptor) else { return }
        errorNumber = errno
    }

    /// Throws an error that ends the program if output was lost.
    func check() throws(ProgramFailure) {
        if let problem { throw ProgramFailure(.systemFailure, problem) }
    }
}
