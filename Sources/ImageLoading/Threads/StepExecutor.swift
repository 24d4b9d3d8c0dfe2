/// Runs the short steps of the engine's tasks, between a file read and a transfer, on one thread
/// of its own.
///
/// The default executor would do, but for two things: it has as many threads as cores, so that a
/// program that computes on it would hold up every load, and once it has run anything, libdispatch
/// wakes a monitor thread once a second for the rest of the process. An idle gallery shall wake
/// nobody.
public final class StepExecutor: TaskExecutor {
    /// The engine's; for `Task(executorPreference:)`.
    public static let shared = StepExecutor()

    private let thread = WorkerPool(name: "steps", threadCount: 1, order: .oldestFirst)

    private init() {}

    /// Called by Swift's runtime to run a step.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        thread.submit(priority: .high) {
            job.runSynchronously(on: self.asUnownedTaskExecutor())
        }
    }
}
