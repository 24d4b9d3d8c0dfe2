import Glibc
import ImageLoading

/// Has commands without a screen leave a clean terminal when they are interrupted: no half-drawn
/// progress bar, no colour that reaches the prompt.
///
/// Start it before anything starts a thread: the signals are blocked, and threads inherit that.
enum InterruptGuard {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]
    /// How long a command may take to end by itself.
    private static let patience = timespec(tv_sec: 5, tv_nsec: 0)

    /// From here on the signals end the process after tidying, by the signal itself, so that the
    /// shell sees 130 for Ctrl-C.
    ///
    /// A command that has something to put away takes the first signal by its `interruption`; the
    /// second ends it at once.
    static func start(_ interruption: Interruption? = nil) throws {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals where !isIgnored(signal) { sigaddset(&set, signal) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        let waited = set
        let isStarted = POSIXThread.startDetached(name: "interrupt") {
            var set = waited
            var signal: Int32 = 0
            guard sigwait(&set, &signal) == 0 else { return }
            if let interruption, interruption.handOver(signal) {
                var time = patience
                sigtimedwait(&set, nil, &time)
            }
            end(by: signal)
        }
        guard isStarted else { throw StartCheck.noThread }
    }

    private static func end(by signal: Int32) -> Never {
        tidy(STDOUT_FILENO, "\u{1B}[0m")
        tidy(STDERR_FILENO, "\r\u{1B}[K")
        ExitHandlers.run()
        SignalInbox.die(by: signal)
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

/// How a command learns that it is to end, so that it keeps what it has.
///
/// Thread-safe.
final class Interruption: Sendable {
    private struct State {
        var signal: Int32?
        var onSignal: (@Sendable () -> Void)?
    }

    private let state = Protected(State())

    /// The signal that came; nil if none did.
    var signal: Int32? { state.withLock(\.signal) }

    /// From here on the command ends by itself: `onSignal` is called on the thread of the signals,
    /// and must be quick.
    func answer(with onSignal: @escaping @Sendable () -> Void) {
        state.withLock { $0.onSignal = onSignal }
    }

    /// Whether the command ends by itself.
    func handOver(_ signal: Int32) -> Bool {
        let onSignal = state.withLock { state in
            state.signal = signal
            return state.onSignal
        }
        onSignal?()
        return onSignal != nil
    }
}
