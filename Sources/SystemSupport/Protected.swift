package import Glibc

/// A value that can be accessed only while its lock is held.
///
/// The lock is a pthread mutex. `Synchronization.Mutex` uses a futex, which ThreadSanitizer does
/// not see on Linux, so it would report races that do not exist. `NSLock` would link all of
/// Foundation. Never hold the lock across an `await`, a callback or I/O.
package final class Protected<Value>: @unchecked Sendable {
    // Proof for @unchecked: `value` is accessed only inside `withLock`. The mutex is on the heap
    // because its address must not change. Both are internal so that other modules can inline the
    // lock.
    @usableFromInline let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    @usableFromInline var value: Value

    package init(_ value: sending Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the value and returns its result.
    @inlinable
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}

/// A value with a lock that lets a thread wait until another thread has changed the value.
///
/// The class is `Sendable`, because its value is used only while the lock is held. It uses a POSIX
/// mutex and condition for the same reasons as `Protected`: `NSCondition` would link all of
/// Foundation, which would slow down every program launch.
package final class Monitor<Value>: @unchecked Sendable {
    // Proof for @unchecked: `value` is private and accessed only while `mutex` is locked. The mutex
    // and the condition are on the heap because their addresses must not change.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
        // Timed waits use the monotonic clock, because it cannot be set back.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        defer { pthread_condattr_destroy(&attributes) }
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
    }

    deinit {
        // No thread is waiting, because a waiting thread holds a reference.
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the value, then wakes none, one or all of the waiting
    /// threads.
    ///
    /// The lock is released before the threads are woken, because a woken thread first takes the
    /// lock. If the lock were still held, the thread would have to sleep and be woken again.
    package func withLock<Result>(
        waking: Waking = .nobody,
        _ body: (inout Value) -> sending Result
    ) -> sending Result {
        defer { wake(waking) }
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value)
    }

    private func wake(_ waking: Waking) {
        switch waking {
        case .nobody: break
        case .one: pthread_cond_signal(condition)
        case .all: pthread_cond_broadcast(condition)
        }
    }

    /// Blocks the calling thread until `body` returns a result.
    ///
    /// `body` is called immediately and again after each wakeup.
    package func wait<Result>(for body: (inout Value) -> sending Result?) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }

    /// Blocks the calling thread until `body` returns a result.
    ///
    /// `body` is called immediately and again after each wakeup. It can also specify a time after
    /// which it is called without a wakeup.
    package func wait<Result>(for body: (inout Value) -> sending Attempt<Result>) -> sending Result
    {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            switch body(&value) {
            case .over(let result):
                return result
            case .again(within: nil):
                pthread_cond_wait(condition, mutex)
            case .again(within: let time?):
                var end = Self.monotonicTime(after: time)
                pthread_cond_timedwait(condition, mutex, &end)
            }
        }
    }

    private static func monotonicTime(after time: Duration) -> timespec {
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &now)
        // A day is practically unlimited here, and it prevents overflow.
        let wait = min(max(time, .zero), .seconds(24 * 3600)).components
        let nanoseconds = now.tv_nsec + Int(wait.attoseconds / 1_000_000_000)
        return timespec(
            tv_sec: now.tv_sec + Int(wait.seconds) + nanoseconds / 1_000_000_000,
            tv_nsec: nanoseconds % 1_000_000_000
        )
    }

    package enum Waking {
        case nobody, one, all
    }

    /// The result of a call to the closure passed to `wait`.
    package enum Attempt<Result> {
        case over(Result)
        /// Call the closure again after a wakeup, or after this time at the latest; nil means only
        /// after a wakeup.
        case again(within: Duration?)
    }
}

/// A list of actions to perform in order, and whether a thread is performing them.
///
/// Several threads may decide on actions at the same time. The actions must run in the order of the
/// decisions, without the lock. Each thread therefore adds its actions while it holds the lock. If
/// no other thread is performing actions, it then performs all of them. If an action leads to more
/// actions, they are only added to the list, so any number of consecutive actions needs no more
/// stack than a single action.
///
/// This type takes no lock itself. Store it together with the state that the decisions change,
/// under the same lock.
package struct PendingActions<Action: Sendable>: Sendable {
    private var actions: [Action] = []
    private var isTaken = false

    package init() {}

    /// Adds actions; returns true if the caller must perform the actions that `take` returns.
    package mutating func add(_ more: [Action]) -> Bool {
        actions += more
        guard !isTaken, !actions.isEmpty else { return false }
        isTaken = true
        return true
    }

    /// Returns the next actions for the thread that performs them, or nil if the thread can stop
    /// because no actions are waiting.
    package mutating func take() -> [Action]? {
        guard !actions.isEmpty else {
            isTaken = false
            return nil
        }
        defer { actions = [] }
        return actions
    }
}
