internal import Glibc

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
        // Nobody waits any more: who waits holds a reference.
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` alone with the value, then wakes one waiting thread, or all.
    func withLock<Result>(
        waking: Waking = .nobody,
        _ body: (inout Value) -> sending Result
    ) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        let result = body(&value)
        switch waking {
        case .nobody: break
        case .one: pthread_cond_signal(condition)
        case .all: pthread_cond_broadcast(condition)
        }
        return result
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
