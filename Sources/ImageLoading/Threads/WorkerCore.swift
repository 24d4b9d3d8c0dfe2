import SystemSupport

/// A piece of work in the queue.
///
/// It leaves the queue once, and exactly one of the two closures is called then. A continuation
/// that both closures capture is therefore resumed exactly once.
struct WorkItem: Sendable {
    let perform: @Sendable () -> Void
    /// The closure called instead of `perform` on cancellation and shutdown; nil if the work must
    /// be performed.
    let refuse: (@Sendable () -> Void)?
}

/// The state that the threads of a pool share.
///
/// The threads own it together with the pool, so that releasing the pool can end them.
final class WorkerCore: Sendable {
    private struct State {
        var queue: WorkQueue<WorkItem>
        var isOpen = true
        /// The number of threads that run or are being started.
        var threadCount = 0
        /// The number of threads that are working; `width` is its maximum.
        var workingCount = 0
        var width = Int.max
    }

    private enum Step {
        case perform(WorkItem)
        case end
    }

    /// The step that the caller must take after work was added.
    private enum Arrival {
        case refused, taken
        /// The caller must start a thread with this number.
        case needsThread(Int)
    }

    /// A closure that starts a thread with the given number, which calls `runThread`; it returns
    /// false if the system has no thread left.
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

    /// Sets the maximum number of working threads; work that has begun runs to completion.
    func setWidth(_ width: Int) {
        state.withLock(waking: .all) { $0.width = max(1, width) }
    }

    func makeID() -> WorkQueue<WorkItem>.ID {
        state.withLock { $0.queue.makeID() }
    }

    /// Adds work unless it has already been cancelled.
    ///
    /// `cancel` sets the flag before it takes the lock, so either this method sees the flag or
    /// `cancel` finds the work.
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

    /// Applies the priority of a handle to waiting work.
    ///
    /// The priority is read inside the core's lock, so that the later of two simultaneous changes
    /// wins. The two locks are always taken in the same order: a handle never calls this method
    /// while it holds its own lock.
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

    /// Returns whether work that was just added needs a new thread.
    ///
    /// If a thread is free, it takes the work. Threads that were woken but are not running yet
    /// count as free, and the work that they will take still counts as waiting.
    private func outcome(in state: inout State) -> Arrival {
        let free = state.threadCount - state.workingCount
        guard state.queue.count > free, state.threadCount < threadLimit else { return .taken }
        defer { state.threadCount += 1 }
        return .needsThread(state.threadCount)
    }

    /// Starts a thread with the given number.
    ///
    /// If no thread can be started and none exists, the waiting work would never run, so it is
    /// refused or performed here. The next submission tries to start a thread again.
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

    /// Performs work until the pool is shut down; the main loop of one thread.
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
