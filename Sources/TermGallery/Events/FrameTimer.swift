import CLinux
import Glibc

/// A timer that makes its descriptor readable at a fixed rate while it runs.
///
/// A timerfd rather than `poll`'s timeout: other events don't shift it, ticks that were missed
/// come as one, and stopped it costs no wake-up.
final class FrameTimer {
    /// Readable when a tick is due.
    ///
    /// Owned by the timer.
    let descriptor: Int32

    /// Time between ticks; nil while stopped.
    ///
    /// Setting the same value again changes nothing.
    var interval: Duration? {
        didSet { if interval != oldValue { arm() } }
    }

    init() throws(TerminalError) {
        descriptor = clinux_timerfd()
        guard descriptor >= 0 else { throw .system(call: "timerfd_create", code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// True if at least one tick was due since the last call.
    func takeTick() -> Bool {
        clinux_take(descriptor)
    }

    private func arm() {
        let (seconds, attoseconds) = (interval ?? .zero).components
        let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        clinux_timerfd_set(descriptor, nanoseconds)
    }
}
