import CTerminalRestore
import Glibc

/// Restores the terminal when the process crashes or calls `exit` under the gallery.
enum CrashGuard {
    /// Arms the guard.
    ///
    /// `text` undoes what the program switched on; `modes` were the terminal's.
    ///
    /// A crash then ends the process at once: Swift's own backtracer would first wait 30 s for a
    /// key at the terminal. It still runs for who sets `SWIFT_BACKTRACE`.
    static func arm(
        terminal: Int32,
        modes: termios,
        text: String,
        errors: ErrorCapture?
    ) {
        var plan = cterminalrestore_plan(
            terminal: terminal,
            modes: modes,
            captured_errors: errors?.file ?? -1,
            real_errors: errors?.real ?? -1,
            keeps_previous_handlers: getenv("SWIFT_BACKTRACE") != nil
        )
        var bytes = Array(text.utf8CString)
        cterminalrestore_arm(&plan, &bytes, bytes.count - 1)
    }

    /// Disarms the guard: the terminal is back with the shell.
    static func disarm() {
        cterminalrestore_disarm()
    }
}
