import CLinux
import Glibc
import ImageLoading

/// Where other threads leave messages for the UI thread.
///
/// `post` may be called anywhere; `descriptor` becomes readable when the box stops being empty,
/// so that one `poll` can wait for mail and keys together. Only the loop's thread takes.
final class Mailbox<Mail: Sendable>: Sendable {
    /// An eventfd; readable while mail waits.
    ///
    /// Owned by the box.
    let descriptor: Int32
    private let queue = Protected<[Mail]>([])

    init() throws(TerminalError) {
        descriptor = clinux_eventfd()
        guard descriptor >= 0 else { throw .system(call: "eventfd", code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Adds one message; wakes the loop if it may be asleep.
    func post(_ mail: Mail) {
        let wasEmpty = queue.withLock { waiting in
            waiting.append(mail)
            return waiting.count == 1
        }
        if wasEmpty { clinux_eventfd_signal(descriptor) }
    }

    /// Everything that waits, in the order of posting.
    func takeAll() -> [Mail] {
        // Cleared before the queue is emptied: the other way round, the wake-up of a message
        // that arrives in between would be cleared without the message being taken.
        _ = clinux_take(descriptor)
        return queue.withLock { waiting in
            let mail = waiting
            waiting.removeAll()
            return mail
        }
    }
}

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
