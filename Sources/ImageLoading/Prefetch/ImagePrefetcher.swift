import SystemSupport

/// Loads images into the cache before they are needed, like SDWebImage's prefetcher.
///
/// A prefetcher loads any number of lists, each with a token. Its loads are ordinary loads of the
/// manager, with low priority. If the screen needs the same image, both share the load, which then
/// runs at the screen's priority. Cancelling a list does not cancel loads that the screen needs.
/// Releasing the prefetcher cancels its lists.
///
/// All methods may be called on any thread and never block.
public final class ImagePrefetcher: Sendable {
    // A thin shell around `PrefetchPlan`, which makes all decisions. One thread at a time carries
    // them out in a loop, in the order they were made. A load that ends immediately only appends to
    // the list of actions, so any number of consecutive memory hits needs no more stack than one.

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

    /// Creates a prefetcher that loads through a manager.
    ///
    /// At most `maximumConcurrentLoads` loads run at the same time. `isAllowed` is called before
    /// each load, on any thread. If it returns false, as it should while memory is short, all
    /// waiting requests are skipped.
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

    /// Loads a list of images in order.
    ///
    /// `onEvent` receives one `outcome` per request and then `completed`, one event at a time. It
    /// must not block. For images in memory and for an empty list, it is usually called before this
    /// method returns. Otherwise, it is called on a thread that uses the prefetcher, or on an
    /// engine thread.
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

    /// Cancels all lists (see `PrefetchToken.cancel`).
    public func cancelAll() {
        decide { $0.plan.cancelAll() }
    }

    /// Whether waiting loads are suspended.
    ///
    /// Running loads are not affected and run to completion.
    public var isPaused: Bool {
        get { state.withLock { $0.isPaused } }
        set {
            decide { state in
                state.isPaused = newValue
                return state.plan.setPaused(newValue)
            }
        }
    }

    /// A snapshot of the prefetcher's completed and remaining work across all its lists.
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
        // A finished load is not stored: its end has been delivered, or the delivery is waiting for
        // this lock.
        state.withLock { state in
            if !operation.isFinished { state.operations[item] = operation }
        }
    }

    private func take(_ event: LoadEvent, of item: PrefetchItem) {
        switch event {
        case .progress(let progress):
            state.withLock { $0.plan.note(progress, of: item) }
        case .finished(let result):
            decide { state in
                state.operations[item] = nil
                if let byteCount = result.networkByteCount {
                    let progress = LoadProgress(received: byteCount, expected: byteCount)
                    state.plan.note(progress, of: item)
                }
                return state.plan.finish(item, PrefetchOutcome(result))
            }
        case .queued, .waiting, .preview: break
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
    /// The length of the body in bytes if it was received from the network, or nil otherwise.
    ///
    /// Nil for a failed load, because its progress events have already reported the number of
    /// bytes.
    fileprivate var networkByteCount: Int? {
        guard case .success(let response) = self, response.source == .network else { return nil }
        return response.byteCount
    }
}
