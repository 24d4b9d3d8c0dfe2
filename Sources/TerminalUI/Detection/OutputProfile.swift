import CLinux
import SystemSupport
import Glibc

/// The size and capabilities of standard output, which may be a terminal, a pipe or a file.
package struct OutputProfile {
    /// The number of columns that the output may use.
    package let width: Int
    /// The number of rows of the terminal, or of the variable LINES; nil if neither is known.
    package let height: Int?
    /// The supported colors, characters and graphics protocols.
    package let capabilities: ScreenCapabilities
    /// The writer that draws images as pixels; nil if images are drawn with characters.
    package let pictures: PictureLines?

    /// Detects the capabilities from the environment and the terminal's replies.
    ///
    /// A pipe or a file gets 24-bit color unless NO_COLOR is set.
    package init(_ overrides: ScreenOverrides) {
        // Only the character encoding is needed. Loading the other categories would read a dozen
        // files.
        let environment = TerminalEnvironment.adopted(LC_CTYPE)
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let profile = ScreenProfile(
            environment: environment,
            terminfoColors: isTerminal ? Self.colorCount(environment) : 1 << 24,
            overrides: overrides
        )
        let window = Self.windowSize()
        width = window.columns
        height = window.rows
        // A file or a pager receives pixels only if the user requests them.
        guard isTerminal || ![.auto, .off].contains(overrides.pixels) else {
            (capabilities, pictures) = (profile.capabilities, nil)
            return
        }
        let detected = DetectionResult.run(
            environment,
            profile: profile,
            pixels: overrides.pixels
        ).detected
        capabilities = profile.capabilities(with: detected)
        pictures = detected.protocols.first.map { graphics in
            PictureLines(
                graphics,
                budget: getenv("SSH_CONNECTION") == nil ? .local : .remote,
                passesThroughTmux: detected.passesThroughTmux
            )
        }
    }

    private static func colorCount(_ environment: TerminalEnvironment) -> Int {
        // An unknown terminal gets no colors.
        let entry = try? TerminfoChoice.entry(for: environment.term, load: TerminfoEntry.load)
        return entry?.colorCount ?? 0
    }

    private static func windowSize() -> (columns: Int, rows: Int?) {
        var size = winsize()
        // A failed call leaves the zeros, which also mean that the terminal reports no size.
        _ = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
        let columns = size.ws_col > 0 ? Int(size.ws_col) : nil
        let rows = size.ws_row > 0 ? Int(size.ws_row) : number(in: "LINES")
        return (
            columns ?? min(1000, max(8, number(in: "COLUMNS") ?? 80)),
            rows.flatMap { $0 > 0 ? $0 : nil }
        )
    }

    private static func number(in variable: String) -> Int? {
        getenv(variable).flatMap { Int(String(cString: $0)) }
    }
}
