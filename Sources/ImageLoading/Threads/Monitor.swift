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
        pthread_cond_init(condition, nil)
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

    enum Waking {
        case nobody, one, all
    }
}
