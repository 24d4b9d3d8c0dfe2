package import SystemSupport

/// Dedicated threads for work that blocks or computes, with a queue ordered by priority.
///
/// The cooperative pool and concurrent dispatch queues are not suitable, because they have only as
/// many threads as there are cores. On them, two decodes would stop all other work for up to 0.2 s.
/// A thread is started when work is added and no thread is free. A program that needs only a few of
/// the engine's dozen threads therefore does not pay for the others. The threads end when the pool
/// is released or shut down. All methods can be called on any thread.
package final class WorkerPool: Sendable {
    private let core: WorkerCore
    let threadLimit: Int

    /// Creates a pool of up to `threadCount` threads, at least one, whose names start with `name`.
    package init(
        name: String,
        threadCount: Int,
        niceness: Int = 0,
        order: WorkOrder = .newestFirst
    ) {
        threadLimit = max(1, threadCount)
        core = WorkerCore(order: order, threadLimit: threadLimit) { core, number in
            POSIXThread.startDetached(name: "\(name)-\(number)", niceness: niceness) {
                core.runThread()
            }
        }
    }

    deinit {
        core.shutdown()
    }

    /// Runs `work` on one of the threads and returns its result.
    ///
    /// If the waiting task is cancelled or the pool is shut down before the work has begun, the
    /// work never runs, and `CancellationError` is thrown immediately. If the task is cancelled
    /// later, the flag is set so that the work can stop early, and the task waits until the work
    /// has ended.
    package func run<Value: Sendable>(
        priority: LoadPriority,
        _ work: @escaping @Sendable (CancellationFlag) -> Value
    ) async throws(CancellationError) -> Value {
        try await run(PriorityHandle(priority: priority), work)
    }

    /// Runs `work` like `run(priority:_:)`, but the priority can be changed while the work waits.
    func run<Value: Sendable>(
        _ handle: PriorityHandle,
        _ work: @escaping @Sendable (CancellationFlag) -> Value
    ) async throws(CancellationError) -> Value {
        let flag = CancellationFlag()
        let id = core.makeID()
        let binding = handle.bind { [core] in core.applyPriority(of: $0, to: id) }
        defer { handle.unbind(binding) }
        let result: Result<Value, CancellationError> = await withTaskCancellationHandler {
            await withHandOver { continuation in
                let item = WorkItem(
                    perform: {
                        continuation.resume(returning: .success(work(flag)))
                    },
                    refuse: { continuation.resume(returning: .failure(CancellationError())) }
                )
                core.add(item, id: id, priority: handle.priority, flag: flag)
                // The priority may have changed before the work was in the queue.
                core.applyPriority(of: handle, to: id)
            }
        } onCancel: {
            core.cancel(id, flag: flag)
        }
        return try result.get()
    }

    /// Runs `work` to completion and returns its result.
    ///
    /// The work runs even if the waiting task is cancelled or the pool is shut down.
    package func runToEnd<Value: Sendable>(
        priority: LoadPriority,
        _ work: @escaping @Sendable () -> Value
    ) async -> Value {
        await withHandOver { continuation in
            submit(priority: priority) { continuation.resume(returning: work()) }
        }
    }

    /// Submits `work` to the threads and returns immediately.
    ///
    /// If the pool is shut down while the work waits, the work is still performed. If the pool is
    /// already shut down, the work is performed on the caller's thread.
    package func submit(priority: LoadPriority, _ work: @escaping @Sendable () -> Void) {
        core.submit(WorkItem(perform: work, refuse: nil), priority: priority)
    }

    /// Sets the maximum number of threads that perform work at the same time; at least one.
    ///
    /// Work that has begun runs to completion.
    package func setWidth(_ width: Int) {
        core.setWidth(width)
    }

    /// Ends the threads after they have performed the submitted work.
    ///
    /// If work passed to `run` is still waiting, the call to `run` throws `CancellationError`.
    package func shutdown() {
        core.shutdown()
    }

    /// The number of work items that are waiting for a thread.
    package var waitingCount: Int { core.waitingCount }

    /// Whether no work is waiting or running.
    var isIdle: Bool { core.isIdle }

    /// The number of threads that were started and have not ended.
    package var threadCount: Int { core.threadCount }
}
