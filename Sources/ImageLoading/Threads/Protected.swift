internal import Glibc

/// A value that is only touched under its lock.
///
/// A pthread mutex rather than `Synchronization.Mutex`: the latter's futex is invisible to
/// ThreadSanitizer on Linux, which then reports races that don't exist. And rather than `NSLock`,
/// which would link all of Foundation. Never hold it around an `await`, a callback or I/O.
package final class Protected<Value>: @unchecked Sendable {
    // Proof for @unchecked: `value` is private and only reached inside `withLock`; the mutex lies
    // on the heap, because its address must not change.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    /// Takes over `value`.
    package init(_ value: sending Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` alone with the value; returns what it returns.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}

/// A value under a lock that threads can wait on; `Protected` with a condition.
///
/// On POSIX threads for the same reasons as `Protected`: `NSCondition` would link all of
/// Foundation, which costs every start of the program.
final class Monitor<Value>: @unchecked Sendable {
    // Proof for @unchecked: `value` is private and only reached while `mutex` is locked; mutex and
    // condition lie on the heap, because their addresses must not change.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private var value: Value

    init(_ value: sending Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
        // The monotonic clock for waits that end by themselves: nobody can set it back.
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        defer { pthread_condattr_destroy(&attributes) }
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
    }

    deinit {
        // No thread waits any more: one that waits holds a reference.
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` alone with the value, then wakes one waiting thread, or all.
    ///
    /// The lock is free by then: a thread that is woken takes it first of all, and else would go to
    /// sleep once more, and be woken once more.
    func withLock<Result>(
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

    /// Blocks the calling thread until `body` has a result; it is asked again after each wake-up.
    func wait<Result>(for body: (inout Value) -> sending Result?) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        while true {
            if let result = body(&value) { return result }
            pthread_cond_wait(condition, mutex)
        }
    }

    /// As above, but `body` may also ask to be asked again after a time, without a wake-up.
    func wait<Result>(for body: (inout Value) -> sending Attempt<Result>) -> sending Result {
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
        // A day is as good as for ever here, and no sum can overflow.
        let wait = min(max(time, .zero), .seconds(24 * 3600)).components
        let nanoseconds = now.tv_nsec + Int(wait.attoseconds / 1_000_000_000)
        return timespec(
            tv_sec: now.tv_sec + Int(wait.seconds) + nanoseconds / 1_000_000_000,
            tv_nsec: nanoseconds % 1_000_000_000
        )
    }

    enum Waking {
        case nobody, one, all
    }

    /// What a look at the value came to.
    enum Attempt<Result> {
        case over(Result)
        /// Look again when woken, or after so long a time at the latest; nil: only when woken.
        case again(within: Duration?)
    }
}

/// What was decided and not yet done, in order, and whether a thread is at it.
///
/// Several threads may decide at the same time, and what follows has to happen in the order of the
/// decisions and outside of their lock. So actions are added under that lock, and one thread at a
/// time does them all: the one that finds no other at it. An action that calls back in only adds to the
/// list, so any number of them in a row needs no more stack than one.
///
/// Pure; kept beside the state that the decisions change, under the same lock.
struct PendingActions<Action: Sendable>: Sendable {
    private var actions: [Action] = []
    private var isTaken = false

    /// Adds actions; whether the caller is the one to do what is there, with `take`.
    mutating func add(_ more: [Action]) -> Bool {
        actions += more
        guard !isTaken, !actions.isEmpty else { return false }
        isTaken = true
        return true
    }

    /// The next actions for the thread that does them; nil if all are done, and then no thread does.
    mutating func take() -> [Action]? {
        guard !actions.isEmpty else {
            isTaken = false
            return nil
        }
        defer { actions = [] }
        return actions
    }
}
