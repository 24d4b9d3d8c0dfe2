internal import Foundation

/// A value that is only touched under its lock.
///
/// `NSLock` rather than `Synchronization.Mutex`: the latter's futex is invisible to
/// ThreadSanitizer on Linux, which then reports races that don't exist.
/// Never hold it around an `await`, a callback or I/O.
public final class Protected<Value>: @unchecked Sendable {
    // Proof for @unchecked: `value` is private and only reached inside `withLock`.
    private let lock = NSLock()
    private var value: Value

    /// Takes over `value`.
    public init(_ value: sending Value) {
        self.value = value
    }

    /// Runs `body` alone with the value; returns what it returns.
    public func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
        lock.lock()
        defer { lock.unlock() }
        return try body(&value)
    }
}
