import CNCurses
import Glibc

/// What the environment says about the terminal.
struct TerminalEnvironment: Equatable, Sendable {
    /// `TERM`.
    var term = ""
    /// `COLORTERM`.
    var colorTerm = ""
    /// `TERM_PROGRAM`.
    var termProgram = ""
    /// `TMUX` is set.
    var isInsideTmux = false
    /// `NO_COLOR` is set and not empty (no-color.org).
    var refusesColor = false
    /// The locale's character encoding.
    var codeset = "UTF-8"
    /// The locale that is asked for and not installed; empty if it is.
    var missingLocale = ""
    /// The C library knows the characters of Unicode 16 (octants), whose width ncurses and tmux
    /// ask it for.
    var hasUnicode16 = true

    /// The locale writes characters as UTF-8.
    var isUTF8: Bool { WishedLocale.isUTF8(codeset) }

    /// The process's own; has the C library take on the locale, in one category or all.
    static func adopted(_ category: Int32) -> TerminalEnvironment {
        let locale = WishedLocale(variable)
        let isInstalled = locale.adopt(category)
        return TerminalEnvironment(
            term: variable("TERM"),
            colorTerm: variable("COLORTERM"),
            termProgram: variable("TERM_PROGRAM"),
            isInsideTmux: !variable("TMUX").isEmpty,
            refusesColor: !variable("NO_COLOR").isEmpty,
            codeset: nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } ?? "",
            missingLocale: isInstalled ? "" : locale.name,
            hasUnicode16: cncurses_knows(0x1CD00)
        )
    }

    private static func variable(_ name: String) -> String {
        getenv(name).map { String(cString: $0) } ?? ""
    }
}
