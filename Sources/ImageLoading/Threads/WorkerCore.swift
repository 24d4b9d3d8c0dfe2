import SystemSupport

/// A work item in the queue.
///
/// When it leaves the queue, exactly one of the two closures is called. A continuation that both
/// closures capture is therefore resumed exactly once.
struct WorkItem: Sendable {
    let perform: @Sendable () -> Void
    /// The closure to call instead of `perform` if the work was cancelled or the pool was shut
    /// down.
    ///
    /// Nil if the work must always be performed.
    let refuse: (@Sendable () -> Void)?
}

/// The state shared by the threads of a pool.
///
/// The threads retain this object but not the pool. Releasing the pool therefore ends the threads.
final class WorkerCore: Sendable {
    private struct State {
        var queue: WorkQueue<WorkItem>
        var isOpen = true
        /// The number of threads that are running or being started.
        var threadCount = 0
        /// The number of threads that are performing work; at most `width`.
        var workingCount = 0
        var width = Int.max
    }

    private enum Step {
        case perform(WorkItem)
        case end
    }

    /// The step that the caller must take after adding work.
    private enum Arrival {
        case refused, taken
        /// The caller must start a thread with this number.
        case needsThread(Int)
    }

    /// A closure that starts a thread with a number; the new thread must call `runThread`.
    ///
    /// Returns false if the system cannot start a thread.
    typealias Starter = @Sendable (WorkerCore, Int) -> Bool

    private let state: Monitor<State>
    private let threadLimit: Int
    private let startThread: Starter

    init(order: WorkOrder, threadLimit: Int, startThread: @escaping Starter) {
        state = Monitor(State(queue: WorkQueue(order: order)))
        self.threadLimit = threadLimit
        self.startThread = startThread
    }

    var waitingCount: Int { state.withLock { $0.queue.count } }

    var isIdle: Bool { state.withLock { $0.queue.isEmpty && $0.workingCount == 0 } }

    var threadCount: Int { state.withLock { $0.threadCount } }

    /// Sets the maximum number of threads that perform work at the same time.
    ///
    /// Work that has begun runs to completion.
    func setWidth(_ width: Int) {
        state.withLock(waking: .all) { $0.width = max(1, width) }
    }

    func makeID() -> WorkQueue<WorkItem>.ID {
        state.withLock { $0.queue.makeID() }
    }

    /// Adds work, unless it has already been cancelled.
    ///
    /// `cancel` sets the flag before it takes the lock, so either this method sees the flag, or
    /// `cancel` finds the work in the queue.
    func add(
        _ item: WorkItem,
        id: WorkQueue<WorkItem>.ID,
        priority: LoadPriority,
        flag: CancellationFlag
    ) {
        let arrival = state.withLock(waking: .one) { state in
            guard state.isOpen, !flag.isCancelled else { return Arrival.refused }
            state.queue.insert(item, id: id, priority: priority)
            return outcome(in: &state)
        }
        switch arrival {
        case .refused: item.refuse?()
        case .taken: break
        case .needsThread(let number): start(number)
        }
    }

    /// Sets the priority of waiting work to the priority of a handle.
    ///
    /// The priority is read while the core's lock is held, so the later of two simultaneous changes
    /// takes effect. The two locks are always taken in the same order, because a handle never calls
    /// this method while it holds its own lock.
    func applyPriority(of handle: PriorityHandle, to id: WorkQueue<WorkItem>.ID) {
        state.withLock { $0.queue.setPriority(handle.priority, of: id) }
    }

    func submit(_ item: WorkItem, priority: LoadPriority) {
        let arrival = state.withLock(waking: .one) { state in
            guard state.isOpen else { return Arrival.refused }
            state.queue.insert(item, id: state.queue.makeID(), priority: priority)
            return outcome(in: &state)
        }
        switch arrival {
        case .refused: item.perform()
        case .taken: break
        case .needsThread(let number): start(number)
        }
    }

    /// Returns whether a new thread is needed for work that was just added.
    ///
    /// If a thread is free, it takes the work. A thread that has been woken but is not running yet
    /// counts as free, and the work that it will take still counts as waiting.
    private func outcome(in state: inout State) -> Arrival {
        let free = state.threadCount - state.workingCount
        guard state.queue.count > free, state.threadCount < threadLimit else { return .taken }
        defer { state.threadCount += 1 }
        return .needsThread(state.threadCount)
    }

    /// Starts a thread with a number.
    ///
    /// If no thread can be started and none exists, the waiting work would never run. It is
    /// therefore refused, or performed here if it cannot be refused. The next submission tries to
    /// start a thread again.
    private func start(_ number: Int) {
        guard !startThread(self, number) else { return }
        let stranded = state.withLock { state -> [WorkItem] in
            state.threadCount -= 1
            return state.threadCount == 0 ? state.queue.removeAll { _ in true } : []
        }
        for item in stranded { (item.refuse ?? item.perform)() }
    }

    func cancel(_ id: WorkQueue<WorkItem>.ID, flag: CancellationFlag) {
        flag.cancel()
        let item = state.withLock { $0.queue.remove(id) }
        item?.refuse?()
    }

    func shutdown() {
        let refused = state.withLock(waking: .all) { state in
            state.isOpen = false
            return state.queue.removeAll { $0.refuse != nil }
        }
        for item in refused { item.refuse?() }
    }

    /// Performs work until the pool is shut down; this is the main loop of each thread.
    func runThread() {
        while case .perform(let item) = nextStep() {
            item.perform()
            // No wakeup is needed, because this thread looks for work next and takes it.
            state.withLock { $0.workingCount -= 1 }
        }
    }

    private func nextStep() -> Step {
        state.wait { state in
            if state.workingCount < state.width, let item = state.queue.next() {
                state.workingCount += 1
                return .perform(item)
            }
            guard !state.isOpen else { return nil }
            state.threadCount -= 1
            return .end
        }
    }
}
