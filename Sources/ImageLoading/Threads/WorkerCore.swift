/// A piece of work in the queue.
///
/// It leaves the queue once, and exactly one of the two is called then; so a continuation inside is
/// resumed exactly once.
struct WorkItem: Sendable {
    let perform: @Sendable () -> Void
    /// Called instead of `perform` on cancelling and shut-down; nil if it must be performed.
    let refuse: (@Sendable () -> Void)?
}

/// What the threads of a pool share.
///
/// The threads own it together with the pool, so that releasing the pool can end them.
final class WorkerCore: Sendable {
    private struct State {
        var queue: WorkQueue<WorkItem>
        var isOpen = true
        /// Known once all threads were asked for; a thread may already have worked before that.
        var threadCount = 0
        /// Threads that are at work, and how many of them may be.
        var workingCount = 0
        var width = Int.max
    }

    private enum Step {
        case perform(WorkItem)
        case end
    }

    private let state: Monitor<State>

    init(order: WorkOrder) {
        state = Monitor(State(queue: WorkQueue(order: order)))
    }

    var waitingCount: Int { state.withLock { $0.queue.count } }

    var threadCount: Int { state.withLock { $0.threadCount } }

    /// Without a single thread nothing would ever be run, so the pool counts as shut down.
    func beginService(threadCount: Int) {
        state.withLock {
            $0.threadCount += threadCount
            $0.isOpen = threadCount > 0
        }
    }

    /// Work that was begun goes on.
    func setWidth(_ width: Int) {
        state.withLock(waking: .all) { $0.width = max(1, width) }
    }

    func makeID() -> WorkQueue<WorkItem>.ID {
        state.withLock { $0.queue.makeID() }
    }

    /// Adds work unless it was cancelled before; `cancel` sets the flag before it takes the lock,
    /// so one of the two sees the other.
    func add(
        _ item: WorkItem,
        id: WorkQueue<WorkItem>.ID,
        priority: LoadPriority,
        flag: CancellationFlag
    ) {
        let isAdded = state.withLock(waking: .one) { state in
            guard state.isOpen, !flag.isCancelled else { return false }
            state.queue.insert(item, id: id, priority: priority)
            return true
        }
        if !isAdded { item.refuse?() }
    }

    /// Reads the handle inside the lock, so that of two changes at once the later one stands.
    ///
    /// Locks are taken in this order only: a handle never calls in while it holds its own.
    func applyPriority(of handle: WorkHandle, to id: WorkQueue<WorkItem>.ID) {
        state.withLock { $0.queue.setPriority(handle.priority, of: id) }
    }

    func submit(_ item: WorkItem, priority: LoadPriority) {
        let isAdded = state.withLock(waking: .one) { state in
            guard state.isOpen else { return false }
            state.queue.insert(item, id: state.queue.makeID(), priority: priority)
            return true
        }
        if !isAdded { item.perform() }
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

    /// The life of one thread.
    func runThread() {
        while case .perform(let item) = nextStep() {
            item.perform()
            // Nobody needs to be woken: this thread looks for work next, and takes it.
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
