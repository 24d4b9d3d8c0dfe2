import CTerminalRestore
import Glibc
import ImageLoading

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
            ExitDuties.perform()
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
