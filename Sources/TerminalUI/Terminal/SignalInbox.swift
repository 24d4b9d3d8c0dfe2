import CLinux
import Glibc

/// The signals handled by the UI thread, which reads them from a descriptor instead of using signal
/// handlers.
///
/// Create the inbox before the program starts its first thread, because threads inherit the signal
/// mask. If a signal reached a thread without the mask, it would kill the process.
package final class SignalInbox {
    /// A signalfd that is readable while signals are waiting.
    ///
    /// The inbox owns the descriptor.
    package let descriptor: Int32
    private var previousMask = sigset_t()

    /// The signals that are blocked and read here.
    package static let signals = [SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT]

    package init() throws(TerminalError) {
        var set = Self.signalSet(Self.signals)
        pthread_sigmask(SIG_BLOCK, &set, &previousMask)
        descriptor = clinux_signalfd(&set)
        guard descriptor >= 0 else {
            let code = errno
            pthread_sigmask(SIG_SETMASK, &previousMask, nil)
            throw .system(call: "signalfd", code: code)
        }
    }

    deinit {
        close(descriptor)
        pthread_sigmask(SIG_SETMASK, &previousMask, nil)
    }

    /// Removes all pending signals, and returns their numbers in the kernel's order.
    package func takeAll() -> [Int32] {
        var taken: [Int32] = []
        while true {
            let signal = clinux_signalfd_next(descriptor)
            guard signal != 0 else { return taken }
            taken.append(signal)
        }
    }

    /// Ends the process with `signal`.
    ///
    /// The shell then reports the same status as for a program that does not handle the signal: 130
    /// for Control-C and 143 for SIGTERM. Restore the terminal first.
    package static func die(by signal: Int32) -> Never {
        Glibc.signal(signal, SIG_DFL)
        unblock(signal)
        raise(signal)
        // This is reached only if the signal can't end the process, as for the init process of a
        // container.
        exit(128 + signal)
    }

    /// Stops the process as Control-Z does, and returns when the process is continued.
    package static func stop() {
        Glibc.signal(SIGTSTP, SIG_DFL)
        raise(SIGTSTP)
        unblock(SIGTSTP)
        // The process was continued. The SIGCONT signal that continued it must not become an event.
        var stopSignals = signalSet([SIGTSTP])
        pthread_sigmask(SIG_BLOCK, &stopSignals, nil)
        var continueSignal = signalSet([SIGCONT])
        var atOnce = timespec()
        while sigtimedwait(&continueSignal, nil, &atOnce) > 0 {}
    }

    private static func unblock(_ signal: Int32) {
        var set = signalSet([signal])
        pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    private static func signalSet(_ signals: [Int32]) -> sigset_t {
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        return set
    }
}

extension SignalEvent {
    /// Creates the event for a signal, or returns nil for SIGWINCH, which becomes `Event.resize`.
    init?(signal: Int32) {
        switch signal {
        case SIGINT: self = .interrupt
        case SIGTERM: self = .terminate
        case SIGHUP: self = .hangup
        case SIGQUIT: self = .quit
        case SIGTSTP: self = .suspend
        case SIGCONT: self = .resumed
        default: return nil
        }
    }

    /// The signal that must end the process because of this event.
    ///
    /// The value is nil for the two events that do not end the process.
    package var deadlySignal: Int32? {
        switch self {
        case .interrupt: SIGINT
        case .terminate: SIGTERM
        case .hangup: SIGHUP
        case .quit: SIGQUIT
        case .suspend, .resumed: nil
        }
    }
}
