/// The handle of one call of `ImageManager.load`.
///
/// Its listener hears any number of other events and then exactly one `finished`, cancelling
/// included (row F4), one at a time. Keep it to cancel; dropping it changes nothing.
public final class LoadOperation: Sendable {
    /// The request as it was given.
    public let request: ImageRequest

    /// Whether nobody waits to see what comes of it.
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

    private let state = Protected(State())
    private let onEvent: @Sendable (LoadEvent) -> Void
    private let leave: @Sendable (LoadOperation) -> Void

    /// `leave` takes the operation out of whatever it waits for and ends it; called by `cancel`.
    init(
        request: ImageRequest,
        isBackground: Bool = false,
        onEvent: @escaping @Sendable (LoadEvent) -> Void,
        leave: @escaping @Sendable (LoadOperation) -> Void
    ) {
        self.request = request
        self.isBackground = isBackground
        self.onEvent = onEvent
        self.leave = leave
    }

    /// Stops the load for this listener; others who share it go on (row F1).
    ///
    /// The listener hears `finished(.failure(.cancelled))` before this returns, or, if it is just
    /// being told about progress, right after that. Does nothing after the end.
    public func cancel() {
        leave(self)
    }

    /// Whether the load has ended for this listener; it hears so in a moment, if it has not yet.
    public var isFinished: Bool {
        state.withLock { state in
            if case .running = state.phase { false } else { true }
        }
    }

    /// Tells the listener about an intermediate event, unless the load has ended for it.
    ///
    /// While another thread is in the listener the event waits; a newer one of its kind replaces it
    /// (row M40). With `isReplay` it is news of old, dropped if the listener heard of its kind.
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

    /// Chooses the one end; the caller that gets true must `tell` it.
    func claimEnd() -> Bool {
        state.withLock { state in
            guard case .running = state.phase else { return false }
            state.phase = .claimed
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
