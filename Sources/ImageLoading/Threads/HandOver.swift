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

/// Runs the short steps of the engine's tasks, between a file read and a transfer, on one thread
/// of its own.
///
/// The default executor would do, but for two things: it has as many threads as cores, so that a
/// program that computes on it would hold up every load, and once it has run anything, libdispatch
/// wakes a monitor thread once a second for the rest of the process. An idle gallery shall wake
/// nobody.
package final class StepExecutor: TaskExecutor {
    /// The engine's; for `Task(executorPreference:)`.
    package static let shared = StepExecutor()

    private let thread = WorkerPool(name: "steps", threadCount: 1, order: .oldestFirst)

    private init() {}

    /// Called by Swift's runtime to run a step.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        thread.submit(priority: .high) {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
