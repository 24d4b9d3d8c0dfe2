import Glibc
import ImageLoading
import SystemSupport
import TerminalUI

/// A signal handler that cleans up the terminal for commands without a screen.
///
/// After an interrupt, it ensures that no incomplete progress bar remains and no color leaks into
/// the shell prompt. Call `start` before starting any other thread because it blocks the signals,
/// and threads inherit the signal mask.
enum InterruptGuard {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]
    /// The maximum time a command may take to end after a signal.
    private static let patience = timespec(tv_sec: 5, tv_nsec: 0)

    /// Starts a thread that restores the terminal and ends the process after SIGINT, SIGTERM or
    /// SIGHUP.
    ///
    /// The signal itself ends the process, so the shell reports 130 for Control-C. A command that
    /// must clean up handles the first signal with `interruption`. The second signal ends the
    /// process immediately.
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

    /// Whether a signal is ending the process.
    ///
    /// If so, nothing more may be written because the colors and the cursor of the terminal are
    /// being reset.
    static var isEnding: Bool { ending.withLock { $0 } }
    private static let ending = Protected(false)

    private static func end(by signal: Int32) -> Never {
        ending.withLock { $0 = true }
        QueryModes.restore(isEnding: true)
        // On Control-C, the kernel drops output that the terminal has not read, so an escape
        // sequence may be truncated. The string terminator ends it.
        tidy(STDOUT_FILENO, "\u{1B}\\\u{1B}[0m\u{1B}[?25h")
        tidy(STDERR_FILENO, "\r\u{1B}[K")
        ExitHandlers.run()
        SignalInbox.die(by: signal)
    }

    /// Returns whether the process ignores a signal, for example SIGHUP under `nohup`.
    ///
    /// An ignored signal must not be handled.
    private static func isIgnored(_ signal: Int32) -> Bool {
        var action = sigaction()
        guard sigaction(signal, nil, &action) == 0 else { return false }
        return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
            == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    private static func tidy(_ descriptor: Int32, _ sequence: String) {
        // A stopped or full terminal (Control-S) must not keep the process alive.
        var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard isatty(descriptor) == 1, poll(&writable, 1, 0) == 1 else { return }
        _ = OutputBytes.write(Array(sequence.utf8), to: descriptor)
    }
}

/// A request to end a command early and save its results.
///
/// This class is thread-safe.
final class Interruption: Sendable {
    private struct State {
        var signal: Int32?
        var onSignal: (@Sendable () -> Void)?
    }

    private let state = Protected(State())

    var signal: Int32? { state.withLock(\.signal) }

    /// Registers a closure that ends the command when a signal arrives.
    ///
    /// `onSignal` is called on the signal thread and must return quickly.
    func answer(with onSignal: @escaping @Sendable () -> Void) {
        state.withLock { $0.onSignal = onSignal }
    }

    /// Stores a signal, and calls the registered closure.
    ///
    /// Returns true if a closure is registered, in which case the command ends on its own.
    func handOver(_ signal: Int32) -> Bool {
        let onSignal = state.withLock { state in
            state.signal = signal
            return state.onSignal
        }
        onSignal?()
        return onSignal != nil
    }
}
