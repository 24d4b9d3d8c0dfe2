import CLinux
import Glibc

/// The signals that the UI thread answers, read from a descriptor instead of in handlers.
///
/// Make it before the program starts its first thread: the mask is inherited, and a thread
/// without it would be killed by a signal meant for the loop.
final class SignalInbox {
    /// A signalfd; readable while signals wait.
    ///
    /// Owned by the inbox.
    let descriptor: Int32
    private var previousMask = sigset_t()

    /// The signals that are blocked and read here.
    static let signals = [SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP, SIGCONT]

    init() throws(TerminalError) {
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

    /// Numbers of all signals that wait, in the kernel's order.
    func takeAll() -> [Int32] {
        var taken: [Int32] = []
        while true {
            let signal = clinux_signalfd_next(descriptor)
            guard signal != 0 else { return taken }
            taken.append(signal)
        }
    }

    /// Ends the process by `signal`, so that the shell sees what a program without a handler shows
    /// (130 for Ctrl-C, 143 for SIGTERM).
    ///
    /// Restore the terminal before.
    static func die(by signal: Int32) -> Never {
        Glibc.signal(signal, SIG_DFL)
        unblock(signal)
        raise(signal)
        // Only reached where the signal can't kill, as in an init process of a container.
        exit(128 + signal)
    }

    /// Stops the process as Ctrl-Z does; returns when it is continued.
    static func stop() {
        Glibc.signal(SIGTSTP, SIG_DFL)
        raise(SIGTSTP)
        unblock(SIGTSTP)
        // Continued. The SIGCONT that did it is no event for the loop.
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
    /// What the signal means; nil for SIGWINCH, which becomes `Event.resize`.
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

    /// The signal that ends the process for this event; nil for the two that don't end it.
    var deadlySignal: Int32? {
        switch self {
        case .interrupt: SIGINT
        case .terminate: SIGTERM
        case .hangup: SIGHUP
        case .quit: SIGQUIT
        case .suspend, .resumed: nil
        }
    }
}
