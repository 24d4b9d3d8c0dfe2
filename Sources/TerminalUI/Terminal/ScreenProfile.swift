/// The screen options on the command line.
///
/// If an option is nil, its value is detected automatically.
package struct ScreenOverrides: Equatable, Sendable {
    /// The value of `--colors`.
    package var colorDepth: ColorDepth?
    /// The value of `--symbols`.
    package var symbols: SymbolSet?
    /// The value of `--dither`.
    package var dithering: Dithering?
    /// The value of `--pixels`.
    package var pixels = PixelChoice.auto
    /// The value of `--theme`.
    package var theme = ThemeChoice.auto

    package init(
        colorDepth: ColorDepth? = nil,
        symbols: SymbolSet? = nil,
        dithering: Dithering? = nil,
        pixels: PixelChoice = PixelChoice.auto,
        theme: ThemeChoice = ThemeChoice.auto
    ) {
        self.colorDepth = colorDepth
        self.symbols = symbols
        self.dithering = dithering
        self.pixels = pixels
        self.theme = theme
    }
}

/// The terminal's capabilities and the painter to use, and the reasons for both.
///
/// This type has no side effects.
package struct ScreenProfile: Equatable, Sendable {
    /// The kind of painter that draws the frames.
    enum PainterKind: String, Equatable, Sendable {
        /// `DirectPainter`.
        case direct
        /// `CursesPainter`.
        case curses
    }

    /// The capabilities that the gallery uses.
    package var capabilities: ScreenCapabilities
    /// The painter that draws on the terminal.
    var painter: PainterKind
    /// The reasons for the decisions, such as "24bit colors: COLORTERM=truecolor", as one line of
    /// text each.
    package var reasons: [String]
    /// Whether the terminal may have more colors than assumed.
    ///
    /// It may if the number of colors is known only from a terminfo entry that many terminals with
    /// more colors also use.
    package var mayHaveMoreColors: Bool
    /// The reason for the color depth.
    var depthReason: String
    /// Whether the user has chosen the color depth.
    ///
    /// If so, the terminal is not queried for it.
    var isColorSettled: Bool
    /// Whether the symbols must not be changed automatically.
    ///
    /// They must not be changed if the user has chosen them or only ASCII symbols are available.
    var areSymbolsSettled: Bool

    package var depth: ColorDepth { capabilities.colorDepth }

    /// Creates the profile from the environment and the number of colors in the terminfo entry.
    ///
    /// The number is negative if the entry does not contain it, and greater than 256 for
    /// direct-color entries.
    package init(
        environment: TerminalEnvironment,
        terminfoColors: Int,
        overrides: ScreenOverrides = ScreenOverrides()
    ) {
        let (depth, depthReason) = Self.depth(
            environment,
            terminfoColors: terminfoColors,
            override: overrides.colorDepth
        )
        let (symbols, symbolsReason) = Self.symbols(
            environment,
            depth: depth,
            override: overrides.symbols
        )
        // ncurses drops characters if the C library doesn't know their width.
        let isUnknown = symbols == .octants && !environment.hasUnicode16
        let (painter, painterReason) =
            isUnknown
            ? (.direct, "ncurses drops characters unknown to the C library")
            : Self.painter(depth, terminfoColors)
        let offer = SymbolOffer(environment, chosen: symbols, isDirect: painter == .direct)
        mayHaveMoreColors =
            depth == .palette256 && overrides.colorDepth == nil
            && !environment.term.hasPrefix("screen")
        capabilities = ScreenCapabilities(
            colorDepth: depth,
            symbols: symbols,
            dithering: overrides.dithering,
            offeredSymbols: offer.symbols
        )
        capabilities.theme = overrides.theme
        capabilities.keepsLetters = environment.isUTF8 && overrides.symbols == nil
        if environment.isConsole {
            capabilities.missingSigns = ConsoleFont.missingSigns(environment.consoleFont)
        }
        self.painter = painter
        self.depthReason = depthReason
        isColorSettled = overrides.colorDepth != nil || environment.refusesColor
        areSymbolsSettled = overrides.symbols != nil || symbols == .ascii
        reasons = [
            "\(depth.rawValue) colors: \(depthReason)",
            "\(symbols.rawValue) symbols: \(symbolsReason)",
            "symbols to choose from: \(offer.reason)",
            "\(painter.rawValue) painter: \(painterReason)",
        ]
    }

    private static func depth(
        _ environment: TerminalEnvironment,
        terminfoColors: Int,
        override: ColorDepth?
    ) -> (ColorDepth, String) {
        if let override { return (override, "set by --colors") }
        if environment.refusesColor { return (.monochrome, "NO_COLOR is set") }
        if let reason = trueColorReason(environment) { return (.trueColor, reason) }
        let reason = "terminfo lists \(max(0, terminfoColors)) colors for \(environment.term)"
        switch terminfoColors {
        case 8..<256 where isUnderstated(environment.term):
            return (.palette256, "\(reason), but terminals of this name have 256")
        case 257...: return (.trueColor, reason)
        case 256: return (.palette256, reason)
        case 8...: return (.ansi16, reason)
        default: return (.monochrome, reason)
        }
    }

    /// Returns whether terminals with this `TERM` often have more colors than their terminfo entry
    /// lists.
    ///
    /// With only 16 colors, images would look like a checkerboard.
    private static func isUnderstated(_ term: String) -> Bool {
        understatedTerms.contains { term == $0 || term == $0 + "-color" }
    }

    private static let understatedTerms = [
        "gnome", "iterm", "iterm2", "konsole", "kterm", "mintty", "mlterm", "putty", "rxvt-unicode",
        "st", "tmux", "vte", "xterm", "xterm-new", "xterm-xfree86",
    ]

    /// Returns the reason to assume 24-bit color, or nil if nothing in the environment indicates
    /// it.
    private static func trueColorReason(_ environment: TerminalEnvironment) -> String? {
        let term = environment.term
        // tmux always accepts 24-bit color, and reduces it for terminals that don't support it.
        // tmux sets neither COLORTERM nor a flag in its terminfo entry.
        if environment.isInsideTmux || term.hasPrefix("tmux") {
            return "tmux supports 24-bit color"
        }
        // GNU screen inherits COLORTERM from the outer terminal but doesn't support the terminal's
        // colors.
        if term.hasPrefix("screen") { return nil }
        if ["truecolor", "24bit"].contains(environment.colorTerm.lowercased()) {
            return "COLORTERM=\(environment.colorTerm)"
        }
        if term.hasSuffix("-direct") { return "TERM=\(term)" }
        // ssh and sudo drop COLORTERM but keep TERM.
        if trueColorTerms.contains(where: term.hasPrefix) { return "TERM=\(term)" }
        if trueColorPrograms.contains(environment.termProgram) {
            return "TERM_PROGRAM=\(environment.termProgram)"
        }
        return nil
    }

    private static let trueColorTerms = [
        "alacritty", "contour", "foot", "ghostty", "rio", "wezterm", "xterm-ghostty",
        "xterm-kitty",
    ]
    private static let trueColorPrograms = ["WezTerm", "ghostty", "iTerm.app", "vscode"]

    private static func symbols(
        _ environment: TerminalEnvironment,
        depth: ColorDepth,
        override: SymbolSet?
    ) -> (SymbolSet, String) {
        if let override { return (override, "set by --symbols") }
        let missing = environment.missingLocale
        guard environment.isUTF8 else {
            let cause =
                missing.isEmpty
                ? "the locale's encoding is \(environment.codeset), not UTF-8"
                : "the locale \(missing) is not installed, and its name does not contain UTF-8"
            return (.ascii, cause)
        }
        let addition = missing.isEmpty ? "" : "; the locale \(missing) is not installed"
        if environment.isConsole { return consoleSymbols(environment.consoleFont) }
        let symbols = SymbolSet.standard(for: depth)
        guard symbols == .halfBlocks else {
            return (symbols, "best detail without colors" + addition)
        }
        return (.halfBlocks, "the locale's encoding is UTF-8" + addition)
    }

    private static func consoleSymbols(_ font: Set<UInt32>?) -> (SymbolSet, String) {
        if ConsoleFont.hasHalfBlocks(font) { return (.halfBlocks, "available in the console font") }
        let reason = font == nil ? "missing in many console fonts:" : "missing in the console font:"
        return (.ascii, "\(reason) half blocks")
    }

    private static func painter(
        _ depth: ColorDepth,
        _ terminfoColors: Int
    ) -> (PainterKind, String) {
        let reaches =
            switch depth {
            case .trueColor: false
            case .palette256: terminfoColors == 256
            case .ansi16: (8...256).contains(terminfoColors)
            case .monochrome: true
            }
        if reaches { return (.curses, "supported by ncurses") }
        let isTrueColor = depth == .trueColor
        return (
            .direct,
            isTrueColor
                ? "ncurses is slow and leaks color pairs at 24-bit color"
                : "not in the terminfo entry"
        )
    }
}

/// The symbols that the user can select while the gallery is running.
///
/// This type has no side effects. `reason` explains the selection, for example why some symbols are
/// missing.
///
/// A program cannot determine which characters the terminal's font contains, so all symbols that
/// reach the terminal are offered. If the C library does not know the width of a character, ncurses
/// and tmux drop the character, which shifts the rest of the row. tmux uses the C library with
/// which it was built, which is assumed to be the same as this program's.
struct SymbolOffer: Equatable {
    package let symbols: [SymbolSet]
    package let reason: String

    init(_ environment: TerminalEnvironment, chosen: SymbolSet, isDirect: Bool) {
        guard environment.isUTF8 || chosen != .ascii else {
            symbols = [.ascii]
            reason = "ascii only: the locale is not UTF-8"
            return
        }
        let missing = Self.missing(environment, isDirect: isDirect)
        let symbols = SymbolSet.allCases.filter { $0 == chosen || !missing.symbols.contains($0) }
        self.symbols = symbols
        let names = symbols.map(\.rawValue).joined(separator: " ")
        // The reason is included even if the user has chosen symbols that don't reach the terminal.
        reason = names + (missing.symbols.isEmpty ? Self.advice(environment) : missing.reason)
    }

    private static func missing(
        _ environment: TerminalEnvironment,
        isDirect: Bool
    ) -> (symbols: Set<SymbolSet>, reason: String) {
        let fine: Set<SymbolSet> = [.quadrants, .sextants, .octants, .braille]
        if environment.isConsole {
            let lacksHalves =
                environment.consoleFont != nil
                && !ConsoleFont.hasHalfBlocks(environment.consoleFont)
            let missing = lacksHalves ? fine.union([.halfBlocks]) : fine
            return (missing, "; the console font has no more")
        }
        if environment.hasUnicode16 { return ([], "") }
        if environment.isInsideTmux || environment.term.hasPrefix("tmux") {
            return ([.octants], "; tmux drops characters unknown to the C library")
        }
        if !isDirect {
            return ([.octants], "; ncurses drops characters unknown to the C library")
        }
        return ([], "")
    }

    /// Returns a note about sextants and octants.
    ///
    /// It states whether the terminal draws them itself or needs a font with these characters.
    private static func advice(_ environment: TerminalEnvironment) -> String {
        let drawing = [
            "alacritty", "contour", "foot", "ghostty", "rio", "wezterm", "xterm-ghostty",
            "xterm-kitty",
        ]
        guard let term = drawing.first(where: environment.term.hasPrefix) else {
            return "; sextants and octants need a font or terminal that supports them"
        }
        return "; \(term) draws sextants itself, recent versions also octants"
    }
}
