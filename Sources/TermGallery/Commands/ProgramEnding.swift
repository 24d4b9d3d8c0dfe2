import CTerminalRestore
import Glibc
import ImageLoading

/// The exit codes of the program; the man page lists them.
enum ExitStatus: Int32 {
    case success = 0
    /// Some images failed (`print`, `fetch`).
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

/// Has commands without a screen leave a clean terminal when they are interrupted: no half-drawn
/// progress bar, no colour that reaches the prompt.
///
/// Start it before anything starts a thread: the signals are blocked, and threads inherit that.
enum InterruptGuard {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// From here on the signals end the process after tidying, by the signal itself, so that the
    /// shell sees 130 for Ctrl-C.
    static func start() {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals where !isIgnored(signal) { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let waited = set
        WorkerPool(name: "interrupt", threadCount: 1).submit(priority: .high) {
            var set = waited
            var signal: Int32 = 0
            guard sigwait(&set, &signal) == 0 else { return }
            tidy(STDOUT_FILENO, "\u{1B}[0m")
            tidy(STDERR_FILENO, "\r\u{1B}[K")
            ExitHandlers.run()
            SignalInbox.die(by: signal)
        }
    }

    /// `nohup` ignores SIGHUP: then it isn't ours to answer.
    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static func tidy(_ descriptor: Int32, _ sequence: String) {
        // A terminal that is stopped or full (Ctrl-S) must not keep the process alive.
        var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard isatty(descriptor) == 1, poll(&writable, 1, 0) == 1 else { return }
        _ = OutputBytes.write(Array(sequence.utf8), to: descriptor)
    }
}
