import Testing

@testable import TermGallery

@Suite struct TerminfoChoiceTests {
    /// What Debian's ncurses-base has.
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
    func `a type without an entry gets its relative's`(term: String, entry: String) throws {
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
