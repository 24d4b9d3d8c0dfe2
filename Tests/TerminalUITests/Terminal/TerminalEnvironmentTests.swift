@testable import TerminalUI
import Testing

@Suite struct TerminfoChoiceTests {
    /// Loads an entry of Debian's ncurses-base.
    private func load(_ name: String) -> TerminfoEntry? {
        let known = [
            "xterm-256color", "xterm", "tmux-256color", "screen", "linux", "vt100", "dumb",
        ]
        guard known.contains(name) else { return nil }
        return TerminfoEntry(
            name: name,
            colorCount: 8,
            canMoveCursor: name != "dumb",
            isDirectColor: false,
            hasMouse: true
        )
    }

    @Test(arguments: [
        ("xterm", "xterm"), ("xterm-direct", "xterm-256color"), ("xterm-kitty", "xterm-256color"),
        ("alacritty", "xterm-256color"), ("foot-direct", "xterm-256color"),
        ("tmux-direct", "tmux-256color"), ("screen.xterm-256color", "screen"),
        ("linux-16color", "linux"), ("vt320", "vt100"), ("strange-256color", "xterm-256color"),
    ])
    func `a type without an entry gets its relative's entry`(term: String, entry: String) throws {
        #expect(try TerminfoChoice.entry(for: term, load: load).name == entry)
    }

    @Test(arguments: [
        ("", TerminalError.typeNotSet), ("unheard-of", .unknownType("unheard-of")),
        ("dumb", .cannotMoveCursor("dumb")),
    ])
    func `a terminal that can't be drawn on is refused with a hint`(
        term: String,
        error: TerminalError
    ) {
        #expect(throws: error) { try TerminfoChoice.entry(for: term, load: load) }
        #expect(error.description.contains("termgallery print"))
        #expect(!error.description.contains("\n"))
    }

    @Test func `an error names no control character of TERM`() {
        let error = TerminalError.unknownType("x\u{1B}[31m\n")

        #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 })
    }
}

@Suite struct RequestedLocaleTests {
    @Test(
        arguments: [
            (["LANG": "de_DE.UTF-8"], "de_DE.UTF-8"),
            (["LANG": "de_DE.UTF-8", "LC_CTYPE": "C"], "C"),
            (["LANG": "de_DE.UTF-8", "LC_CTYPE": "C", "LC_ALL": "POSIX"], "POSIX"),
            (["LANG": "de_DE.UTF-8", "LC_ALL": ""], "de_DE.UTF-8"), ([:], ""),
        ]
    )
    func `the first variable with a value counts`(
        variables: [String: String],
        name: String
    ) {
        #expect(RequestedLocale { variables[$0] ?? "" }.name == name)
    }

    @Test(arguments: ["de_DE.UTF-8", "en_US.utf8", "C.UTF-8", "ca_ES.UTF-8@valencia", "UTF-8"])
    func `a name contains UTF-8 after its dot, or alone`(name: String) {
        #expect(RequestedLocale { _ in name }.isUTF8)
    }

    @Test(arguments: ["de_DE", "de_DE@euro", "de_DE.ISO-8859-1", "ja_JP.eucJP", "C", "POSIX", ""])
    func `other names are not UTF-8`(name: String) {
        #expect(!RequestedLocale { _ in name }.isUTF8)
    }
}
