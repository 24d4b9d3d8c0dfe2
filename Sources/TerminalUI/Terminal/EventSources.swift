import CLinux
import Glibc
import SystemSupport

/// A queue of messages from other threads to the UI thread.
///
/// `post` may be called on any thread; `takeAll` may be called only on the loop's thread. When a
/// message arrives in the empty mailbox, `descriptor` becomes readable, so a single `poll` can wait
/// for both messages and keys.
package final class Mailbox<Mail: Sendable>: Sendable {
    /// An eventfd that is readable while messages are waiting.
    ///
    /// The mailbox owns the descriptor.
    package let descriptor: Int32
    private let queue = Protected<[Mail]>([])

    package init() throws(TerminalError) {
        descriptor = clinux_eventfd()
        guard descriptor >= 0 else { throw .system(call: "eventfd", code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Adds a message, and wakes the loop if the mailbox was empty.
    package func post(_ mail: Mail) {
        let wasEmpty = queue.withLock { waiting in
            waiting.append(mail)
            return waiting.count == 1
        }
        if wasEmpty { clinux_eventfd_signal(descriptor) }
    }

    /// Removes and returns all waiting messages, oldest first.
    package func takeAll() -> [Mail] {
        // The descriptor must be cleared before the queue is emptied. Otherwise, a message that
        // arrives between the two steps would lose its wake-up and remain in the queue.
        _ = clinux_take(descriptor)
        return queue.withLock { waiting in
            let mail = waiting
            waiting.removeAll()
            return mail
        }
    }
}

/// A timer that makes its descriptor readable at a fixed rate.
///
/// The timer uses a timerfd instead of the timeout of `poll`. Its ticks are not delayed by other
/// events, several missed ticks arrive as one, and a stopped timer causes no wake-ups.
final class FrameTimer {
    /// The timerfd, which is readable when a tick is due.
    ///
    /// The timer owns the descriptor.
    package let descriptor: Int32

    /// The time between ticks, or nil while the timer is stopped.
    ///
    /// Setting the same value again has no effect.
    package var interval: Duration? {
        didSet { if interval != oldValue { arm() } }
    }

    init() throws(TerminalError) {
        descriptor = clinux_timerfd()
        guard descriptor >= 0 else { throw .system(call: "timerfd_create", code: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Returns whether at least one tick has become due since the last call.
    func takeTick() -> Bool {
        clinux_take(descriptor)
    }

    private func arm() {
        let (seconds, attoseconds) = (interval ?? .zero).components
        let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
        clinux_timerfd_set(descriptor, nanoseconds)
    }
}
