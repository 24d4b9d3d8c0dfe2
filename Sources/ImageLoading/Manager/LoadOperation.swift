/// The handle of one call of `ImageManager.load`.
///
/// Its listener hears any number of progress events and then exactly one `finished`, cancelling
/// included (row F4). Keep it to cancel; dropping it changes nothing.
public final class LoadOperation: Sendable {
    /// The request as it was given.
    public let request: ImageRequest

    private enum State {
        case running(onEvent: @Sendable (LoadEvent) -> Void)
        case finished
    }

    private let state: Protected<State>
    private let leave: @Sendable (LoadOperation) -> Void

    /// `leave` takes the operation out of whatever it waits for; called at most once, by `cancel`.
    init(
        request: ImageRequest,
        onEvent: @escaping @Sendable (LoadEvent) -> Void,
        leave: @escaping @Sendable (LoadOperation) -> Void
    ) {
        self.request = request
        self.state = Protected(.running(onEvent: onEvent))
        self.leave = leave
    }

    /// Stops the load for this listener; others who share it go on (row F1).
    ///
    /// The listener hears `finished(.failure(.cancelled))` before this returns. Does nothing after
    /// the end.
    public func cancel() {
        leave(self)
    }

    /// Whether the `finished` event has been sent or is being sent.
    public var isFinished: Bool {
        state.withLock { state in
            if case .finished = state { true } else { false }
        }
    }

    /// Tells the listener about an intermediate event, unless the load has ended for it.
    func send(_ event: LoadEvent) {
        let onEvent = state.withLock { state -> (@Sendable (LoadEvent) -> Void)? in
            guard case .running(let onEvent) = state else { return nil }
            return onEvent
        }
        onEvent?(event)
    }

    /// Claims the one ending; the winner gets the listener and must tell it.
    func takeListener() -> (@Sendable (LoadEvent) -> Void)? {
        state.withLock { state in
            guard case .running(let onEvent) = state else { return nil }
            state = .finished
            return onEvent
        }
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
