import Glibc
import ImageLoading
import SystemSupport

/// The exit codes of the program, as listed in the man page.
enum ExitStatus: Int32 {
    case success = 0
    /// Some images failed (`print`, `fetch`) or differ (`compare`), or no image was picked (`--pick`,
    /// `--print-marked`).
    case someFailed = 1
    /// The command line is invalid.
    case usage = 2
    /// The feed, or an argument of `compare`, can't be read (`EX_NOINPUT` in sysexits.h).
    case feedUnreadable = 66
    /// There is no usable terminal (`EX_UNAVAILABLE`).
    case terminalUnavailable = 69
    /// A required resource, such as a port, is missing or unusable (`EX_OSERR`).
    case systemFailure = 71
}

/// An error that ends the program with an exit code and an optional line on standard error.
struct ProgramFailure: Error, Equatable {
    let status: ExitStatus
    /// The message without the program name, or nil if everything has already been reported.
    let message: String?

    init(_ status: ExitStatus, _ message: String? = nil) {
        self.status = status
        self.message = message
    }
}

/// An error that ends the process with a signal.
///
/// The error propagates to `main`, so all callers can clean up first.
struct SignalEnding: Error, Equatable {
    let signal: Int32
}

/// Actions to perform before the process ends, unless it crashes.
///
/// The process may end by returning, with a failure, or with a signal that the program handles. Add
/// a handler for each file that must be completed. Handlers may be added on any thread, and each
/// handler runs once.
enum ExitHandlers {
    private static let handlers = Protected<[@Sendable () -> Void]>([])

    static func add(_ handler: @escaping @Sendable () -> Void) {
        handlers.withLock { $0.append(handler) }
    }

    /// Runs the handlers, newest first.
    static func run() {
        let all = handlers.withLock { handlers in
            defer { handlers = [] }
            return handlers
        }
        for handler in all.reversed() { handler() }
    }
}
