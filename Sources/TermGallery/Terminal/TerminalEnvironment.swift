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
    /// Something stands between the program and the terminal that `TERM` was set by: tmux, GNU
    /// screen or zellij.
    var isInsideMultiplexer = false
    /// `NO_COLOR` is set and not empty (no-color.org).
    var refusesColor = false
    /// The locale's character encoding.
    var codeset = "UTF-8"
    /// The locale that is asked for and not installed; empty if it is.
    var missingLocale = ""
    /// The C library knows the characters of Unicode 16 (octants), whose width ncurses and tmux
    /// ask it for.
    var hasUnicode16 = true
    /// The characters of the Linux console's font; nil if that is another terminal, or at the other
    /// end of a connection.
    var consoleFont: Set<UInt32>?

    /// The terminal is the Linux console.
    var isConsole: Bool { term == "linux" }

    /// The locale writes characters as UTF-8.
    var isUTF8: Bool { RequestedLocale.isUTF8(codeset) }

    /// The process's own; has the C library take on the locale, in one category or all.
    static func adopted(_ category: Int32) -> TerminalEnvironment {
        let locale = RequestedLocale(variable)
        let isInstalled = locale.adopt(category)
        return TerminalEnvironment(
            term: variable("TERM"),
            colorTerm: variable("COLORTERM"),
            termProgram: variable("TERM_PROGRAM"),
            isInsideTmux: !variable("TMUX").isEmpty,
            isInsideMultiplexer: ["TMUX", "STY", "ZELLIJ"].contains { !variable($0).isEmpty },
            refusesColor: !variable("NO_COLOR").isEmpty,
            codeset: nl_langinfo(nl_item(CODESET)).map { String(cString: $0) } ?? "",
            missingLocale: isInstalled ? "" : locale.name,
            hasUnicode16: cncurses_knows(0x1CD00),
            consoleFont: variable("TERM") == "linux" ? ConsoleFont.characters() : nil
        )
    }

    private static func variable(_ name: String) -> String {
        getenv(name).map { String(cString: $0) } ?? ""
    }
}

/// The locale that the environment asks for.
///
/// ssh passes on the name of the locale at the person's own end, which this machine often doesn't
/// have. The C library then knows ASCII alone; the terminal shows UTF-8 all the same.
struct RequestedLocale: Equatable {
    /// Such as "de_DE.UTF-8"; empty if nothing is asked for.
    let name: String

    /// The first of the variables that says something (POSIX, 8.2 Internationalization Variables).
    init(_ variable: (String) -> String) {
        name = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable).first { !$0.isEmpty } ?? ""
    }

    /// Whether characters are to be written as UTF-8, by what stands behind the dot; macOS asks for
    /// "UTF-8" and no more.
    var isUTF8: Bool {
        let codeset = name.split(separator: ".").last.map { $0.prefix { $0 != "@" } } ?? ""
        return Self.isUTF8(codeset)
    }

    /// Whether a character encoding of this name is UTF-8.
    static func isUTF8(_ codeset: some StringProtocol) -> Bool {
        ["UTF-8", "UTF8"].contains(codeset.uppercased())
    }

    /// Has the C library take it on, in one category or all; false if it isn't installed.
    ///
    /// Then it knows the characters of UTF-8 at least, if those are asked for.
    func adopt(_ category: Int32) -> Bool {
        if setlocale(category, "") != nil { return true }
        // All categories fail together, and only the characters matter.
        if setlocale(LC_CTYPE, "") != nil { return true }
        if isUTF8 { setlocale(LC_CTYPE, "C.UTF-8") }
        return false
    }
}
