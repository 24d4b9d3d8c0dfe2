import GalleryCore

/// What was asked for on the command line; nil is "find out".
struct ScreenOverrides: Equatable, Sendable {
    /// `--colors`.
    var colorDepth: ColorDepth?
    /// `--symbols`.
    var symbols: SymbolSet?
    /// `--dither`.
    var dithering: Dithering?
    /// `--pixels`.
    var pixels = PixelChoice.auto
    /// `--theme`.
    var theme = ThemeChoice.auto
}

/// What the terminal can show, how it will be painted, and why.
///
/// Pure.
struct ScreenProfile: Equatable, Sendable {
    /// Who brings frames to the screen.
    enum PainterKind: String, Equatable, Sendable {
        /// `DirectPainter`.
        case direct
        /// `CursesPainter`.
        case curses
    }

    /// For the gallery.
    var capabilities: ScreenCapabilities
    /// For the terminal.
    var painter: PainterKind
    /// One line per decision, for people: "24bit: COLORTERM=truecolor".
    var reasons: [String]
    /// The terminfo entry alone spoke for so few colours, and many terminals that it is used for
    /// have more.
    var mayHaveMoreColors: Bool
    /// Why it has so many colours.
    var depthReason: String
    /// The person said how many colours there are; nobody else is asked.
    var isColorSettled: Bool
    /// The person said which symbols to use, or the locale has no others.
    var areSymbolsSettled: Bool

    /// How many colours it has.
    var depth: ColorDepth { capabilities.colorDepth }

    /// Decides from the environment and the number of colours in the terminfo entry (which is
    /// negative if the entry says nothing; above 256 for direct-colour entries).
    init(
        environment: TerminalEnvironment,
        terminfoColors: Int,
        overrides: ScreenOverrides = ScreenOverrides()
    ) {
        let (depth, depthReason) = Self.depth(environment, terminfoColors, overrides.colorDepth)
        let (symbols, symbolsReason) = Self.symbols(environment, depth, overrides.symbols)
        // ncurses drops characters that the C library has no width for.
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
        _ terminfoColors: Int,
        _ override: ColorDepth?
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

    /// Whether entries of this name speak for fewer colours than the terminals have that use it:
    /// sixteen are a chequerboard where the others show the picture.
    private static func isUnderstated(_ term: String) -> Bool {
        understatedTerms.contains { term == $0 || term == $0 + "-color" }
    }

    private static let understatedTerms = [
        "gnome", "iterm", "iterm2", "konsole", "kterm", "mintty", "mlterm", "putty", "rxvt-unicode",
        "st", "tmux", "vte", "xterm", "xterm-new", "xterm-xfree86",
    ]

    /// Why the terminal has 24-bit colour, if it says so.
    private static func trueColorReason(_ environment: TerminalEnvironment) -> String? {
        let term = environment.term
        // tmux takes 24-bit always and reduces it for a terminal that hasn't; it sets neither
        // COLORTERM nor a flag in its terminfo entry.
        if environment.isInsideTmux || term.hasPrefix("tmux") {
            return "tmux supports 24-bit color"
        }
        // GNU screen passes on COLORTERM of the terminal outside, but not its colours.
        if term.hasPrefix("screen") { return nil }
        if ["truecolor", "24bit"].contains(environment.colorTerm.lowercased()) {
            return "COLORTERM=\(environment.colorTerm)"
        }
        if term.hasSuffix("-direct") { return "TERM=\(term)" }
        // ssh and sudo drop COLORTERM, but keep TERM.
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
        _ depth: ColorDepth,
        _ override: SymbolSet?
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

/// The symbols that can be changed to while the gallery runs, and why not all of them.
///
/// Pure.
///
/// Nothing tells which characters a terminal's font has, so that all are offered that come through:
/// ncurses and tmux drop what the C library has no width for (of tmux, that it was built with; here
/// it is taken for ours), which shifts the rest of the row.
struct SymbolOffer: Equatable {
    let symbols: [SymbolSet]
    let reason: String

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
        // Said too of what was asked for all the same.
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

    /// Terminals that draw the blocks themselves, whatever their font has.
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
