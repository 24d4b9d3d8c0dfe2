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
        // Ctrl-C and Ctrl-Z make the kernel drop what the terminal has not read yet, and a crash
        // ends a frame anywhere: a sequence cut short, the frame held back, a scroll region set.
        let endOfFrame = "\u{1B}\\\u{1B}[?2026l\u{1B}[r"
        off = endOfFrame + (hasMouse ? "\u{1B}[?1006l\u{1B}[?1000l" : "") + "\u{1B}[0m"
        emergency =
            off + session.capability("rmkx") + session.capability("cnorm")
            + session.capability("rmcup")
    }
}
