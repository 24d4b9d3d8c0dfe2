internal import Synchronization

/// Threads of our own for work that blocks or computes, with a queue ordered by priority.
///
/// Neither the cooperative pool nor a concurrent dispatch queue will do: both have as many threads
/// as there are cores, so that two decodes stop everything else for up to 0.2 s. Each is started by
/// the first work that finds none free: a program that needs a few of an engine's dozen threads
/// doesn't pay for the others. They end when the pool is released or shut down. Everything may be
/// called on any thread.
package final class WorkerPool: Sendable {
    private let core: WorkerCore
    /// The most threads at once.
    let threadLimit: Int

    /// Makes a pool of up to `threadCount` threads called `name`, at least one.
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
    /// If the waiting task is cancelled before the work was begun, the work is never run and
    /// `CancellationError` is thrown at once; it is also thrown once the pool is shut down. Work
    /// that has begun runs to its end, which is waited for; its flag says that it may stop.
    package func run<Value: Sendable>(
        priority: LoadPriority,
        _ work: @escaping @Sendable (CancellationFlag) -> Value
    ) async throws(CancellationError) -> Value {
        try await run(PriorityHandle(priority: priority), work)
    }

    /// Runs `work` like `run(priority:_:)`; the handle's priority may change while it waits.
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
                // It may have changed between the two, when there was nothing in the queue yet.
                core.applyPriority(of: handle, to: id)
            }
        } onCancel: {
            core.cancel(id, flag: flag)
        }
        return try result.get()
    }

    /// Runs `work` like `run`, but to its end whatever becomes of the waiting task or the pool.
    package func runToEnd<Value: Sendable>(
        priority: LoadPriority,
        _ work: @escaping @Sendable () -> Value
    ) async -> Value {
        await withHandOver { continuation in
            submit(priority: priority) { continuation.resume(returning: work()) }
        }
    }

    /// Has `work` run on one of the threads and returns at once.
    ///
    /// Work that was submitted is done even if the pool is shut down before its turn; afterwards it
    /// is done by the caller.
    package func submit(priority: LoadPriority, _ work: @escaping @Sendable () -> Void) {
        core.submit(WorkItem(perform: work, refuse: nil), priority: priority)
    }

    /// Has no more than so many threads work at once, at least one, from the next piece of work on.
    package func setWidth(_ width: Int) {
        core.setWidth(width)
    }

    /// Ends the threads once they have done what was submitted.
    ///
    /// Waiting `run`s are refused.
    package func shutdown() {
        core.shutdown()
    }

    /// Pieces of work that wait for a thread.
    package var waitingCount: Int { core.waitingCount }

    /// Whether nothing waits and nothing is at work.
    var isIdle: Bool { core.isIdle }

    /// Threads that were started and have not ended.
    package var threadCount: Int { core.threadCount }
}

/// Tells work on a thread of its own that its result is no longer wanted.
package final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    /// Makes a flag that is not set.
    package init() {}

    /// Whether it was set; costs a few nanoseconds, callable on any thread.
    package var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Sets it for ever.
    package func cancel() {
        flag.store(true, ordering: .relaxed)
    }
}
