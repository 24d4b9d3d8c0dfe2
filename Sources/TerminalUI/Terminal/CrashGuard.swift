import CTerminalRestore
import Glibc
import SystemSupport

/// A namespace for restoring the terminal if the process crashes or calls `exit`.
///
/// The terminal is restored only while the gallery is open.
enum CrashGuard {
    /// Activates the crash handler.
    ///
    /// `text` contains the sequences that turn off everything that the program turned on. `modes`
    /// contains the terminal's original modes.
    ///
    /// While the handler is active, a crash ends the process immediately. Without the handler,
    /// Swift's own backtracer would wait 30 s for a key at the terminal. If `SWIFT_BACKTRACE` is
    /// set, the backtracer still runs.
    package static func arm(
        terminal: Int32,
        modes: termios,
        text: String,
        report: CrashReport,
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
            report.program,
            report.request
        )
        var bytes = Array(text.utf8CString)
        cterminalrestore_arm(&plan, &bytes, bytes.count - 1)
    }

    /// Deactivates the crash handler.
    ///
    /// Call this method after the terminal has been returned to the shell.
    static func disarm() {
        cterminalrestore_disarm()
    }
}

/// The messages to print after a crash.
package struct CrashReport: Sendable {
    /// The name and version of the program.
    package var program = ""
    /// The text that asks the user to report the crash, or an empty string to print nothing.
    package var request = ""

    package init(program: String = "", request: String = "") {
        self.program = program
        self.request = request
    }
}

/// Keeps standard error output off the screen and prints it later.
///
/// Output is not captured if standard error is not a terminal, for example because the user
/// redirected it to a file.
final class ErrorCapture {
    /// The descriptor of the file that stores the captured output.
    package let file: Int32
    /// A descriptor for the original standard error.
    package let real: Int32

    /// Starts capturing, or returns nil if standard error is not a terminal or the file cannot be
    /// created.
    init?() {
        guard isatty(STDERR_FILENO) == 1, let file = AnonymousFile.create() else { return nil }
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

    /// Restores standard error, and prints the captured output.
    package func finish() {
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

/// The sequences for terminal modes that ncurses does not handle.
struct TerminalSwitches {
    /// The sequence to write after ncurses has set up its screen.
    package let on: String
    /// The sequence to write before ncurses leaves its screen.
    package let off: String
    /// The sequence to write if the process crashes.
    ///
    /// It replaces both `off` and the exit sequences of ncurses.
    let emergency: String

    /// Creates the sequences for the session's terminfo entry.
    init(session: CursesSession, hasMouse: Bool) {
        // Mode 1000 reports clicks and the wheel, 1002 also reports motion with a button pressed
        // (if the terminal supports it), and 1006 reports numbers instead of bytes, for large
        // columns. Mode 2004 puts marks around pasted text to keep it from being read as keys.
        on = "\u{1B}[?2004h" + (hasMouse ? "\u{1B}[?1000h\u{1B}[?1002h\u{1B}[?1006h" : "")
        // On Control-C and Control-Z, the kernel drops all output that the terminal has not read,
        // and a crash can end a frame anywhere. This sequence ends a truncated sequence, ends
        // synchronized output and resets the scroll region.
        let endOfFrame = "\u{1B}\\\u{1B}[?2026l\u{1B}[r\u{1B}[?25h"
        off =
            endOfFrame + (hasMouse ? "\u{1B}[?1006l\u{1B}[?1002l\u{1B}[?1000l" : "")
            + "\u{1B}[?2004l\u{1B}[0m"
        emergency =
            off + session.capability("rmkx") + session.capability("cnorm")
            + session.capability("rmcup")
    }
}
