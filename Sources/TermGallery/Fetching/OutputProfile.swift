import GalleryCore
import Glibc

/// What standard output can show, terminal or not.
struct OutputProfile {
    /// Columns to fill.
    let width: Int
    /// Colours and characters.
    let capabilities: ScreenCapabilities

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
        capabilities = profile.capabilities
        width = Self.width()
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
