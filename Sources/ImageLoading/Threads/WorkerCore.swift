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
        /// Threads that run or are about to.
        var threadCount = 0
        /// Threads that are at work, and how many of them may be.
        var workingCount = 0
        var width = Int.max
    }

    private enum Step {
        case perform(WorkItem)
        case end
    }

    /// What to do after work came in.
    private enum Arrival {
        case refused, taken
        /// Start a thread of this number.
        case needsThread(Int)
    }

    /// Starts a thread of the given number, which calls `runThread`; false if there is none left.
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

    /// Work that has begun runs to its end.
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

    /// Reads the handle inside the lock, so that of two changes at once the later one stands.
    ///
    /// Locks are taken in this order only: a handle never calls in while it holds its own.
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

    /// A thread that is free takes the work; threads that have been woken but not yet come count as
    /// free, and so does the work that they will take.
    private func outcome(in state: inout State) -> Arrival {
        let free = state.threadCount - state.workingCount
        guard state.queue.count > free, state.threadCount < threadLimit else { return .taken }
        defer { state.threadCount += 1 }
        return .needsThread(state.threadCount)
    }

    /// Without a single thread nothing of what waits would ever be run; the next work tries again.
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
