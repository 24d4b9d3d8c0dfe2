import CTerminalRestore
import Glibc

/// Restores the terminal when the process crashes or calls `exit` under the gallery.
enum CrashGuard {
    /// Arms the guard.
    ///
    /// `text` undoes what the program switched on; `modes` were the terminal's.
    ///
    /// A crash then ends the process at once: Swift's own backtracer would first wait 30 s for a
    /// key at the terminal. It still runs for whoever sets `SWIFT_BACKTRACE`.
    static func arm(
        terminal: Int32,
        modes: termios,
        text: String,
        errors: ErrorCapture?
    ) {
        let zeros = cterminalrestore_plan()
        var plan = cterminalrestore_plan(
            terminal: terminal,
            modes: modes,
            captured_errors: errors?.file ?? -1,
            real_errors: errors?.real ?? -1,
            keeps_previous_handlers: getenv("SWIFT_BACKTRACE") != nil,
            program: zeros.program,
            report: zeros.report
        )
        cterminalrestore_set_report(
            &plan,
            "termgallery \(TermGalleryCommand.version)",
            "Please report this line and the steps that led to it (see CONTRIBUTING.md)."
        )
        var bytes = Array(text.utf8CString)
        cterminalrestore_arm(&plan, &bytes, bytes.count - 1)
    }

    /// Disarms the guard: the terminal is back with the shell.
    static func disarm() {
        cterminalrestore_disarm()
    }
}

/// Keeps what is written to standard error away from the screen, and prints it afterwards.
///
/// Only where standard error is a terminal: a file the person named keeps getting it directly.
final class ErrorCapture {
    /// Where the messages are kept: an unlinked temporary file.
    let file: Int32
    /// The standard error of before.
    let real: Int32

    /// Nil if there is nothing to keep away, or no place for it.
    init?() {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
        var template = TemporaryFolder.template
        let file = mkstemp(&template)
        guard file >= 0 else { return nil }
        unlink(template)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        _ = fcntl(file, F_SETFL, O_APPEND)
        let real = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
        guard real >= 0, dup2(file, STDERR_FILENO) >= 0 else {
            close(file)
            if real >= 0 { close(real) }
            return nil
        }
        (self.file, self.real) = (file, real)
    }

    deinit {
        close(file)
        close(real)
    }

    /// Gives standard error back and prints what came meanwhile.
    func finish() {
        dup2(real, STDERR_FILENO)
        var chunk = [UInt8](repeating: 0, count: 4096)
        var offset: off_t = 0
        while true {
            let count = pread(file, &chunk, chunk.count, offset)
            guard count > 0 else { return }
            write(real, chunk, count)
            offset += off_t(count)
        }
    }
}

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
        // Clicks and the wheel (1000), motion with a button down where there is such a mode (1002),
        // numbers instead of bytes for large columns (1006).
        // What is pasted comes between marks (2004): it must not be taken for keys.
        on = "\u{1B}[?2004h" + (hasMouse ? "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h" : "")
        // Ctrl-C and Ctrl-Z make the kernel drop what the terminal has not read yet, and a crash
        // ends a frame anywhere: a sequence cut short, the frame held back, a scroll region set. The
        // cursor is hidden without terminfo, whose entries for old terminals cannot show it again.
        let endOfFrame = "\u{1B}\\\u{1B}[?2026l\u{1B}[r\u{1B}[?25h"
        off =
            endOfFrame + (hasMouse ? "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l" : "")
            + "\u{1B}[?2004l\u{1B}[0m"
        emergency =
            off + session.capability("rmkx") + session.capability("cnorm")
            + session.capability("rmcup")
    }
}
