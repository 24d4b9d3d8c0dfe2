/// Texts that switch on and off what ncurses doesn't.
struct TerminalSwitches {
    /// After ncurses has set up its screen.
    let on: String
    /// Before ncurses leaves its screen.
    let off: String
    /// Instead of both `off` and ncurses' own leaving, when the process crashes.
    let emergency: String

    /// Reads what is needed from the session's entry.
    init(session: CursesSession, hasMouse: Bool) {
        // Clicks and the wheel (1000), numbers instead of bytes for large columns (1006).
        on = hasMouse ? "\u{1B}[?1000h\u{1B}[?1006h" : ""
        off = (hasMouse ? "\u{1B}[?1006l\u{1B}[?1000l" : "") + "\u{1B}[0m"
        // A crash in the middle of a frame leaves the frame held back and a scroll region set;
        // the string terminator ends a sequence that was cut short.
        emergency =
            "\u{1B}\\\u{1B}[?2026l" + off + "\u{1B}[r" + session.capability("rmkx")
            + session.capability("cnorm") + session.capability("rmcup")
    }
}
