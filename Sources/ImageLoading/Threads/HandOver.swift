/// The right to wake a task that waits in `withHandOver`, with the value it waits for.
struct HandOver<Value: Sendable>: Sendable {
    fileprivate let value: Protected<Value?>
    fileprivate let continuation: CheckedContinuation<Void, Never>

    /// Wakes the task; to be called once, on any thread.
    ///
    /// This thread has let go of the value by then: the task may be the last to hold it.
    func resume(returning value: consuming Value) {
        put(consume value)
        continuation.resume()
    }

    private func put(_ value: consuming Value) {
        self.value.withLock { [value] in $0 = value }
    }
}

/// Suspends the task until what it gives to `body` is resumed.
///
/// `withCheckedContinuation` with the value going through a lock. A continuation that is resumed
/// while its task is about to suspend hands the value over by an atomic of the standard library
/// alone, which ThreadSanitizer does not see: it then reports every object that the other thread
/// made, once in some ten thousand hand-overs.
func withHandOver<Value: Sendable>(
    isolation: isolated (any Actor)? = #isolation,
    _ body: (HandOver<Value>) -> Void
) async -> Value {
    let slot = Protected<Value?>(nil)
    await withCheckedContinuation(isolation: isolation) { continuation in
        body(HandOver(value: slot, continuation: continuation))
    }
    guard let value = slot.withLock({ $0.take() }) else {
        preconditionFailure("a continuation was resumed without its value")
    }
    return value
}
