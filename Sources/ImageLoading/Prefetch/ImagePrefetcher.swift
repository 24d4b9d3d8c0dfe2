/// Brings pictures into the cache before they are needed: SDWebImage's prefetcher.
///
/// Any number of lists side by side, each with a token. Its loads are ordinary loads of the manager
/// at low priority: one that the screen wants too is shared and runs at the screen's priority, and
/// cancelling a list takes away only the prefetcher's interest in it. Dropping the prefetcher
/// cancels its lists.
///
/// Callable on any thread; nothing blocks.
public final class ImagePrefetcher: Sendable {
    // A thin shell around `PrefetchPlan`, which decides everything. Decisions are carried out by one
    // thread at a time, in the order they were made, in a loop: a load that ends at once only adds
    // to the list of what is to be done, so any number of memory hits in a row needs no more stack
    // than one.

    private struct State {
        var plan: PrefetchPlan
        var listeners: [PrefetchListID: @Sendable (PrefetchEvent) -> Void] = [:]
        var operations: [PrefetchItem: LoadOperation] = [:]
        var pending = PendingActions<PrefetchPlan.Action>()
        var isPaused = false
        var lastID: UInt64 = 0
    }

    private let manager: ImageManager
    private let isAllowed: @Sendable () -> Bool
    private let state: Protected<State>

    /// Makes a prefetcher that loads through a manager, at most so many pictures at once.
    ///
    /// `isAllowed` is asked before each load, on any thread; if it says no, as it should while
    /// memory is short, everything that waits is skipped.
    public init(
        manager: ImageManager,
        maximumConcurrentLoads: Int = 3,
        isAllowed: @escaping @Sendable () -> Bool = { true }
    ) {
        self.manager = manager
        self.isAllowed = isAllowed
        state = Protected(State(plan: PrefetchPlan(width: maximumConcurrentLoads)))
    }

    deinit {
        cancelAll()
    }

    /// Loads a list in its order.
    ///
    /// `onEvent` hears one `outcome` for each request and then `completed`, one at a time: about an
    /// empty list and what is in memory usually before this returns, else on any thread that uses
    /// the prefetcher or on one of the engine. It must not block.
    @discardableResult
    public func prefetch(
        _ requests: [ImageRequest],
        options: PrefetchOptions = PrefetchOptions(),
        onEvent: @escaping @Sendable (PrefetchEvent) -> Void = { _ in }
    ) -> PrefetchToken {
        let id = state.withLock { state in
            state.lastID += 1
            return PrefetchListID(number: state.lastID)
        }
        decide { state in
            state.listeners[id] = onEvent
            return state.plan.add(id, requests, options)
        }
        return PrefetchToken(id, of: self)
    }

    func cancel(_ id: PrefetchListID) {
        decide { $0.plan.cancel(id) }
    }

    func setPriority(_ priority: LoadPriority, of id: PrefetchListID) {
        decide { $0.plan.setPriority(priority, of: id) }
    }

    func priority(of id: PrefetchListID) -> LoadPriority? {
        state.withLock { $0.plan.priority(of: id) }
    }

    /// Cancels all lists, as their tokens do.
    public func cancelAll() {
        decide { $0.plan.cancelAll() }
    }

    /// Whether the loads that wait are held back; those under way run to their end.
    public var isPaused: Bool {
        get { state.withLock { $0.isPaused } }
        set {
            decide { state in
                state.isPaused = newValue
                return state.plan.setPaused(newValue)
            }
        }
    }

    /// What has been done and is still to do, all figures of one moment.
    public var statistics: PrefetchStatistics { state.withLock { $0.plan.statistics } }

    // MARK: Deciding and acting

    private func decide(_ change: (inout State) -> [PrefetchPlan.Action]) {
        let isMine = state.withLock { state in
            let actions = change(&state)
            return state.pending.add(actions)
        }
        if isMine { act() }
    }

    private func act() {
        while let actions = state.withLock({ $0.pending.take() }) {
            for action in actions { perform(action) }
        }
    }

    private func perform(_ action: PrefetchPlan.Action) {
        switch action {
        case .start(let item, let request, let destination): start(item, request, to: destination)
        case .cancel(let item):
            state.withLock { $0.operations.removeValue(forKey: item) }?.cancel()
        case .setPriority(let item, let priority):
            state.withLock { $0.operations[item] }?.priority = priority
        case .tell(let id, let event): listener(of: id, for: event)?(event)
        }
    }

    private func listener(
        of id: PrefetchListID,
        for event: PrefetchEvent
    ) -> (@Sendable (PrefetchEvent) -> Void)? {
        state.withLock { state in
            guard case .completed = event else { return state.listeners[id] }
            return state.listeners.removeValue(forKey: id)
        }
    }

    // MARK: Loads

    private func start(
        _ item: PrefetchItem,
        _ request: ImageRequest,
        to destination: PrefetchOptions.Destination
    ) {
        guard isAllowed() else { return decide { $0.plan.refuse(item) } }
        let onEvent: @Sendable (LoadEvent) -> Void = { [weak self] in self?.take($0, of: item) }
        let operation =
            switch destination {
            case .memory: manager.prefetch(request, for: .image, onEvent: onEvent)
            case .disk: manager.prefetch(request, for: .disk, onEvent: onEvent)
            }
        // One that has ended is not kept: its end has been heard, or waits for this lock.
        state.withLock { state in
            if !operation.isFinished { state.operations[item] = operation }
        }
    }

    private func take(_ event: LoadEvent, of item: PrefetchItem) {
        switch event {
        case .progress(let progress):
            state.withLock { $0.plan.note(progress.received, of: item) }
        case .finished(let result):
            decide { state in
                state.operations[item] = nil
                if let byteCount = result.networkByteCount { state.plan.note(byteCount, of: item) }
                return state.plan.finish(item, PrefetchOutcome(result))
            }
        case .queued, .waiting, .image: break
        }
    }
}

extension PrefetchOutcome {
    fileprivate init(_ result: Result<ImageResponse, ImageLoadingError>) {
        switch result {
        case .success(let response): self = .loaded(response.source)
        case .failure(let error) where error.kind == .cancelled: self = .cancelled
        case .failure(let error): self = .failed(error)
        }
    }
}

extension Result<ImageResponse, ImageLoadingError> {
    /// The body's length if it came from the network; of a failed load the progress has told.
    fileprivate var networkByteCount: Int? {
        guard case .success(let response) = self, response.source == .network else { return nil }
        return response.byteCount
    }
}
