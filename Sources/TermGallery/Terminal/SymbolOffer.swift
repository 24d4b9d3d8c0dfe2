import GalleryCore

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
            reason = "ascii alone: the locale isn't UTF-8"
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
        if environment.term == "linux" { return (fine, "; the Linux console's font has no more") }
        if environment.hasUnicode16 { return ([], "") }
        if environment.isInsideTmux || environment.term.hasPrefix("tmux") {
            return ([.octants], "; tmux drops what the C library doesn't know")
        }
        if !isDirect {
            return ([.octants], "; ncurses drops what the C library doesn't know")
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
            return "; sextants and octants need a font or a terminal that has them"
        }
        return "; \(term) draws sextants itself, octants if it is new"
    }
}
