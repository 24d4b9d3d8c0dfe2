import CNCurses
import Glibc

/// Information about the terminal from the process's environment.
package struct TerminalEnvironment: Equatable, Sendable {
    /// The value of `TERM`.
    package var term = ""
    /// The value of `COLORTERM`.
    var colorTerm = ""
    /// The value of `TERM_PROGRAM`.
    var termProgram = ""
    /// Whether `TMUX` is set.
    var isInsideTmux = false
    /// Whether the program runs inside a multiplexer: tmux, GNU screen or zellij.
    var isInsideMultiplexer = false
    /// Whether `NO_COLOR` is set and not empty (no-color.org).
    var refusesColor = false
    /// The locale's character encoding.
    var codeset = "UTF-8"
    /// The name of the requested locale if it is not installed, or an empty string otherwise.
    var missingLocale = ""
    /// Whether the C library knows the characters of Unicode 16, such as octants.
    ///
    /// ncurses and tmux use the C library to determine the widths of characters.
    var hasUnicode16 = true
    /// The characters in the Linux console's font.
    ///
    /// The value is nil for other terminals, and for a console on another machine.
    var consoleFont: Set<UInt32>?

    package init(
        term: String = "",
        colorTerm: String = "",
        termProgram: String = "",
        isInsideTmux: Bool = false,
        isInsideMultiplexer: Bool = false,
        refusesColor: Bool = false,
        codeset: String = "UTF-8",
        missingLocale: String = "",
        hasUnicode16: Bool = true,
        consoleFont: Set<UInt32>? = nil
    ) {
        self.term = term
        self.colorTerm = colorTerm
        self.termProgram = termProgram
        self.isInsideTmux = isInsideTmux
        self.isInsideMultiplexer = isInsideMultiplexer
        self.refusesColor = refusesColor
        self.codeset = codeset
        self.missingLocale = missingLocale
        self.hasUnicode16 = hasUnicode16
        self.consoleFont = consoleFont
    }

    /// Whether the terminal is the Linux console.
    var isConsole: Bool { term == "linux" }

    /// Whether the locale's encoding is UTF-8.
    package var isUTF8: Bool { RequestedLocale.isUTF8(codeset) }

    /// Sets the C library's locale, and returns the environment of the process.
    ///
    /// The locale is set for `category`, which is a single category or all categories (`LC_ALL`).
    package static func adopted(_ category: Int32) -> TerminalEnvironment {
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

    /// Returns the value of a variable, or an empty string if it is not set.
    package static func variable(_ name: String) -> String {
        getenv(name).map { String(cString: $0) } ?? ""
    }
}

/// The locale requested by the environment.
///
/// ssh passes on the name of the user's locale, which is often not installed on this machine. The C
/// library then supports only ASCII although the terminal shows UTF-8.
struct RequestedLocale: Equatable {
    /// The name, such as "de_DE.UTF-8", or an empty string if no locale is requested.
    package let name: String

    /// Reads the name from the first variable that is not empty (POSIX, 8.2 Internationalization
    /// Variables).
    init(_ variable: (String) -> String) {
        name = ["LC_ALL", "LC_CTYPE", "LANG"].map(variable).first { !$0.isEmpty } ?? ""
    }

    /// Whether the locale's encoding is UTF-8 according to its name.
    ///
    /// The encoding is the part of the name after the dot, or the whole name if there is no dot; a
    /// modifier such as "@euro" is ignored. On macOS, the name may be just "UTF-8".
    package var isUTF8: Bool {
        let codeset = name.split(separator: ".").last.map { $0.prefix { $0 != "@" } } ?? ""
        return Self.isUTF8(codeset)
    }

    /// Returns whether this is a name of the UTF-8 encoding.
    package static func isUTF8(_ codeset: some StringProtocol) -> Bool {
        ["UTF-8", "UTF8"].contains(codeset.uppercased())
    }

    /// Sets the C library's locale, and returns false if the locale is not installed.
    ///
    /// The locale is set for `category`, which is a single category or all categories (`LC_ALL`).
    /// If it is not installed but its name contains UTF-8, the character encoding of `C.UTF-8` is
    /// used.
    package func adopt(_ category: Int32) -> Bool {
        if setlocale(category, "") != nil { return true }
        // Setting all categories with `setlocale` fails if any category fails, but only the
        // character encoding matters here.
        if setlocale(LC_CTYPE, "") != nil { return true }
        if isUTF8 { setlocale(LC_CTYPE, "C.UTF-8") }
        return false
    }
}
