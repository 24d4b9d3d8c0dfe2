internal import Glibc

/// A value that is only touched under its lock.
///
/// A pthread mutex rather than `Synchronization.Mutex`: the latter's futex is invisible to
/// ThreadSanitizer on Linux, which then reports races that don't exist. And rather than `NSLock`,
/// which would link all of Foundation. Never hold it around an `await`, a callback or I/O.
public final class Protected<Value>: @unchecked Sendable {
    // Proof for @unchecked: `value` is private and only reached inside `withLock`; the mutex lies
    // on the heap, because its address must not change.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    /// Takes over `value`.
    public init(_ value: sending Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` alone with the value; returns what it returns.
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try body(&value)
    }
}
