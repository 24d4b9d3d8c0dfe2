import Glibc
import ImageLoading

/// The exit codes of the program; the man page lists them.
enum ExitStatus: Int32 {
    case success = 0
    /// Some images failed (`print`, `fetch`), or none was picked (`--pick`, `--print-marked`).
    case someFailed = 1
    /// The command line makes no sense.
    case usage = 2
    /// The feed can't be read; `EX_NOINPUT` of sysexits.h.
    case feedUnreadable = 66
    /// No terminal to draw on; `EX_UNAVAILABLE`.
    case terminalUnavailable = 69
    /// Something the program needs is missing or broken, such as a port; `EX_OSERR`.
    case systemFailure = 71
}

/// Ends the program with a code and, if there is one, a line on standard error.
struct ProgramFailure: Error, Equatable {
    let status: ExitStatus
    /// One line without the program's name, or nil if everything has been said.
    let message: String?

    init(_ status: ExitStatus, _ message: String? = nil) {
        self.status = status
        self.message = message
    }
}

/// Thrown to end the process by a signal, once everyone on the way has tidied up.
struct SignalEnding: Error, Equatable {
    let signal: Int32
}

/// What is to be done before the process ends, however it ends but by a crash: by returning, by a
/// failure, or by a signal that the program answers.
///
/// For files that must be complete. Callable on any thread; each handler runs once.
enum ExitHandlers {
    private static let handlers = Protected<[@Sendable () -> Void]>([])

    static func add(_ handler: @escaping @Sendable () -> Void) {
        handlers.withLock { $0.append(handler) }
    }

    /// The newest first.
    static func run() {
        let all = handlers.withLock { handlers in
            defer { handlers = [] }
            return handlers
        }
        for handler in all.reversed() { handler() }
    }
}
