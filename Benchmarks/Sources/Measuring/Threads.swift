internal import Glibc

/// Starts a thread that runs `body` and ends when it returns.
///
/// libdispatch is not used, because it would wake a thread of its own every second from then on.
public func startThread(_ body: @escaping @Sendable () -> Void) {
    let start = Unmanaged.passRetained(ThreadStart(body: body))
    var thread = pthread_t()
    let status = pthread_create(
        &thread,
        nil,
        { argument in
            guard let argument else { return nil }
            Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue().body()
            return nil
        },
        start.toOpaque()
    )
    precondition(status == 0, "no thread left")
    pthread_detach(thread)
}

/// A closure that is passed through a C pointer.
private final class ThreadStart: Sendable {
    let body: @Sendable () -> Void

    init(body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}

/// A value protected by a POSIX mutex, the kind of lock that the engine uses.
public final class Locked<Value>: @unchecked Sendable {
    // Proof for @unchecked: `value` is private and only accessed inside `withLock`. The mutex is on
    // the heap, because its address must not change.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private var value: Value

    /// Creates a lock that protects `value`.
    public init(_ value: sending Value) {
        self.value = value
        pthread_mutex_init(mutex, nil)
    }

    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deallocate()
    }

    /// Runs `body` with exclusive access to the value, and returns its result.
    public func withLock<Result>(_ body: (inout Value) -> sending Result) -> sending Result {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return body(&value)
    }
}
