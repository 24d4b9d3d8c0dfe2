import SystemSupport

/// Passes a value to a task waiting in `withHandOver` and resumes the task.
struct HandOver<Value: Sendable>: Sendable {
    fileprivate let value: Protected<Value?>
    fileprivate let continuation: CheckedContinuation<Void, Never>

    /// Passes a value to the task and resumes it; call this method once, on any thread.
    ///
    /// The calling thread releases the value before the task continues, because the task may need
    /// to hold the last reference.
    func resume(returning value: consuming Value) {
        put(consume value)
        continuation.resume()
    }

    private func put(_ value: consuming Value) {
        self.value.withLock { [value] in $0 = value }
    }
}

/// Suspends the task until the `HandOver` passed to `body` is resumed.
///
/// This function works like `withCheckedContinuation`, but passes the value through a lock. If a
/// continuation is resumed while its task is about to suspend, the standard library synchronizes
/// the value only with an atomic operation, which ThreadSanitizer does not see. ThreadSanitizer
/// then reports every object that the other thread created, about once in ten thousand calls.
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

/// An executor that runs the short steps of the engine's tasks on one dedicated thread.
///
/// A short step is, for example, the code between a file read and a transfer. The default executor
/// has two disadvantages. First, it has as many threads as there are cores, so a program that
/// computes on it would delay every load. Second, after its first use, libdispatch wakes a monitor
/// thread every second until the process ends, but an idle gallery should cause no wakeups.
package final class StepExecutor: TaskExecutor {
    /// The executor of the engine, to be passed to `Task(executorPreference:)`.
    package static let shared = StepExecutor()

    private let thread = WorkerPool(name: "steps", threadCount: 1, order: .oldestFirst)

    private init() {}

    /// Schedules a job, which is one step of a task, to run on the thread.
    ///
    /// Swift's runtime calls this method.
    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        thread.submit(priority: .high) {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
