import CLinux
import SystemSupport
import Glibc

/// The size and capabilities of standard output, which may be a terminal, a pipe or a file.
package struct OutputProfile {
    /// The number of columns available for the output.
    package let width: Int
    /// The number of rows of the terminal or in the LINES variable, or nil if neither is known.
    package let height: Int?
    /// The supported colors, characters and graphics protocols.
    package let capabilities: ScreenCapabilities
    /// The writer that outputs images as pixels, or nil if images are drawn with characters.
    package let pictures: PictureLines?
    /// The replies of the terminal, or nil if it was not queried.
    package let replies: TerminalReplies?

    /// Detects the capabilities from the environment and the terminal's replies.
    ///
    /// A pipe or a file gets 24-bit color unless NO_COLOR is set.
    package init(_ overrides: ScreenOverrides) {
        // Only the character encoding is needed, and loading the other categories would read a
        // dozen files.
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
            (capabilities, pictures, replies) = (profile.capabilities, nil, nil)
            return
        }
        let result = DetectionResult.run(environment, profile: profile, pixels: overrides.pixels)
        capabilities = profile.capabilities(with: result.detected)
        pictures = PictureLines(result.detected)
        replies = result.replies
    }

    /// Derives the capabilities from known replies, without querying the terminal.
    ///
    /// If the replies are from tmux, tmux is queried for the outer terminal, which may change at
    /// any time. Only the graphics protocols in `protocols` are used.
    package init(
        _ overrides: ScreenOverrides,
        known replies: TerminalReplies,
        of terminal: TerminalIdentity?,
        protocols: [GraphicsProtocol]
    ) {
        let environment = TerminalEnvironment.adopted(LC_CTYPE)
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let profile = ScreenProfile(
            environment: environment,
            terminfoColors: isTerminal ? Self.colorCount(environment) : 1 << 24,
            overrides: overrides
        )
        var surroundings = TerminalSurroundings(profile: profile, pixels: overrides.pixels)
        surroundings.screen = terminal?.screen ?? surroundings.screen
        surroundings.windowPixels = terminal?.windowPixels
        // The window may have been resized after the terminal reported the size of the text area.
        surroundings.isAskedScreen = false
        if overrides.pixels != .off, protocols.contains(.kittyPlaceholders),
            replies.name?.is("tmux") == true
        {
            surroundings.tmux = TmuxQuery.ask()
        }
        var detected = TerminalCapabilities(replies, surroundings)
        // Without the size of a cell, a sixel image could cover more cells than intended.
        let isMeasured = detected.cellPixels != nil
        detected.protocols.removeAll { !protocols.contains($0) || ($0 == .sixel && !isMeasured) }
        capabilities = profile.capabilities(with: detected)
        pictures = PictureLines(detected)
        let window = Self.windowSize()
        (width, height) = (window.columns, window.rows)
        self.replies = nil
    }

    private static func colorCount(_ environment: TerminalEnvironment) -> Int {
        // An unknown terminal gets no colors.
        let entry = try? TerminfoChoice.entry(for: environment.term, load: TerminfoEntry.load)
        return entry?.colorCount ?? 0
    }

    private static func windowSize() -> (columns: Int, rows: Int?) {
        var size = winsize()
        // If the call fails, the values remain zero, which also means that the terminal reports no
        // size.
        _ = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size)
        let columns = size.ws_col > 0 ? Int(size.ws_col) : nil
        let rows = size.ws_row > 0 ? Int(size.ws_row) : number(in: ["FZF_PREVIEW_LINES", "LINES"])
        let width = number(in: ["FZF_PREVIEW_COLUMNS", "COLUMNS"]) ?? 80
        return (columns ?? min(1000, max(8, width)), rows.flatMap { $0 > 0 ? $0 : nil })
    }

    /// Returns the number in the first variable that contains a number.
    private static func number(in variables: [String]) -> Int? {
        variables.lazy.compactMap { Int(TerminalEnvironment.variable($0)) }.first
    }
}

extension PictureLines {
    /// Creates a writer for the best protocol, or returns nil if the terminal can't display pixels.
    fileprivate init?(_ detected: TerminalCapabilities) {
        guard let graphics = detected.protocols.first else { return nil }
        self.init(
            graphics,
            budget: getenv("SSH_CONNECTION") == nil ? .local : .remote,
            passesThroughTmux: detected.passesThroughTmux
        )
    }
}
