/// The handle of one call of `ImageManager.load`.
///
/// Its listener hears any number of other events and then exactly one `finished`, cancelling
/// included, one at a time. Keep it to cancel or to change its priority; dropping it changes nothing.
public final class LoadOperation: Sendable {
    /// The request as it was given.
    public let request: ImageRequest

    let purpose: LoadKey.Purpose
    /// Whether nobody waits to see what comes of it, as with a prefetch.
    let isBackground: Bool

    private enum Phase {
        case running
        /// One end has been chosen, and nothing but it will be told.
        case claimed
        /// The end waits until the event that is being told has been told.
        case waiting(Result<ImageResponse, ImageLoadingError>)
        case ended
    }

    private struct State {
        var phase = Phase.running
        /// Some thread is in the listener with an intermediate event.
        var isTelling = false
        var waiting = WaitingEvents()
        /// Nil before the load begins and after it has ended.
        var owner: (any LoadOperationOwner)?
        var priority: LoadPriority
        var isCancelled = false
        var isReplaced = false
        /// What is loaded: the request, or with one of its alternatives in place of its URL.
        var current: ImageRequest
        var alternatives: ArraySlice<String>

        /// What is to be told next by the thread that tells; nil if that is nothing.
        mutating func next() -> LoadEvent? {
            switch phase {
            case .running:
                if let event = waiting.popFirst() { return event }
            case .waiting(let end):
                phase = .ended
                isTelling = false
                return .finished(end)
            case .claimed, .ended: break
            }
            isTelling = false
            return nil
        }
    }

    private let state: Protected<State>
    private let onEvent: @Sendable (LoadEvent) -> Void

    init(
        request: ImageRequest,
        purpose: LoadKey.Purpose = .image,
        isBackground: Bool = false,
        onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) {
        self.request = request
        self.purpose = purpose
        self.isBackground = isBackground
        self.onEvent = onEvent
        state = Protected(
            State(
                priority: request.effectivePriority,
                current: request,
                alternatives: request.alternatives[...]
            )
        )
    }

    /// Ties the operation to what does its work.
    func attach(to owner: any LoadOperationOwner) {
        state.withLock { $0.owner = owner }
    }

    /// Stops the load for this listener; others who share it keep it.
    ///
    /// The listener hears `finished(.failure(.cancelled))` before this returns, or, if it is just
    /// being told about progress, right after that. Does nothing after the end.
    public func cancel() {
        let owner = state.withLock { state in
            state.isCancelled = true
            return state.owner
        }
        owner?.cancel(self)
    }

    /// Cancels the load because its view wants the same image in another way.
    func cancelAsReplaced() {
        state.withLock { $0.isReplaced = true }
        cancel()
    }

    /// How urgent the load is for this listener; at first as its request says.
    ///
    /// Work that several loads share has the priority of the most urgent of them. Setting it moves
    /// what waits for a transfer or a decode; it has no effect on what runs, nor after the end.
    public var priority: LoadPriority {
        get { state.withLock { $0.priority } }
        set {
            let owner = state.withLock { state in
                state.priority = newValue
                return state.owner
            }
            owner?.setPriority(newValue, of: self)
        }
    }

    /// Whether the load has ended for this listener; it hears so in a moment, if it has not yet.
    public var isFinished: Bool {
        state.withLock { state in
            if case .running = state.phase { false } else { true }
        }
    }

    /// Tells the listener about an intermediate event, unless the load has ended for it.
    ///
    /// While another thread is in the listener the event waits; a newer one of its kind replaces it.
    /// With `isReplay` it tells what others heard before; it is dropped if this listener heard of its
    /// kind.
    func send(_ event: LoadEvent, isReplay: Bool = false) {
        let isMine = state.withLock { state in
            guard case .running = state.phase, state.waiting.add(event, isReplay: isReplay) else {
                return false
            }
            defer { state.isTelling = true }
            return !state.isTelling
        }
        guard isMine else { return }
        while let event = state.withLock({ $0.next() }) { onEvent(event) }
    }

    /// The request with the URL that is loaded at the moment.
    var current: ImageRequest { state.withLock { $0.current } }

    /// Whether `cancel` was called, perhaps while the operation had no owner.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Whether it was cancelled by `cancelAsReplaced`.
    var isReplaced: Bool { state.withLock { $0.isReplaced } }

    /// Moves on to the next alternative URL after a failure; false if there is none.
    func moveOn() -> Bool {
        state.withLock { state in
            guard case .running = state.phase, !state.isCancelled,
                let next = state.alternatives.popFirst()
            else { return false }
            state.owner = nil
            state.current.url = next
            return true
        }
    }

    /// Chooses the one end; the caller that gets true must `tell` it.
    func claimEnd() -> Bool {
        state.withLock { state in
            guard case .running = state.phase else { return false }
            state.phase = .claimed
            state.owner = nil
            return true
        }
    }

    /// Tells the listener the claimed end; never while it is still in an earlier event.
    func tell(_ end: Result<ImageResponse, ImageLoadingError>) {
        let isNow = state.withLock { state in
            state.phase = state.isTelling ? .waiting(end) : .ended
            return !state.isTelling
        }
        if isNow { onEvent(.finished(end)) }
    }
}

extension LoadOperation: Hashable {
    /// Operations are equal if they are the same one.
    public static func == (left: LoadOperation, right: LoadOperation) -> Bool {
        left === right
    }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// Whom an operation's `cancel` and `priority` reach: the `LoadTask` that works for it.
protocol LoadOperationOwner: AnyObject, Sendable {
    /// Takes the operation out and ends it with `.cancelled`.
    func cancel(_ operation: LoadOperation)
    func setPriority(_ priority: LoadPriority, of operation: LoadOperation)
}

/// Intermediate events that a listener has not heard yet, the newest of each kind: a listener that
/// is slow makes nobody wait, and no memory grow.
///
/// Pure.
struct WaitingEvents {
    private enum Kind {
        case transfer
        case image
    }

    private var events: [(kind: Kind, event: LoadEvent)] = []
    private var hadTransfer = false
    private var hadImage = false

    /// Adds an event; false if it is the end, or a replay of what was told before.
    mutating func add(_ event: LoadEvent, isReplay: Bool) -> Bool {
        guard let kind = Self.kind(of: event) else { return false }
        let isNew: Bool
        switch kind {
        case .transfer: (isNew, hadTransfer) = (!hadTransfer, true)
        case .image: (isNew, hadImage) = (!hadImage, true)
        }
        guard isNew || !isReplay else { return false }
        events.removeAll { $0.kind == kind }
        events.append((kind, event))
        return true
    }

    mutating func popFirst() -> LoadEvent? {
        events.isEmpty ? nil : events.removeFirst().event
    }

    private static func kind(of event: LoadEvent) -> Kind? {
        switch event {
        case .queued, .waiting, .progress: .transfer
        case .image: .image
        case .finished: nil
        }
    }
}
