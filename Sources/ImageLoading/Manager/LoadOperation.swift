import SystemSupport

/// The handle for one call to `ImageManager.load`.
///
/// Its listener receives any number of intermediate events and then exactly one `finished`, even
/// after cancellation. The listener never receives two events at the same time. Keep the handle to
/// cancel the load or to change its priority. Releasing the handle has no effect.
public final class LoadOperation: Sendable {
    /// The original request.
    public let request: ImageRequest

    let purpose: LoadKey.Purpose
    /// Whether the load is a background load, such as a prefetch.
    ///
    /// Failures of background loads are counted separately.
    let isBackground: Bool

    private enum Phase {
        case running
        /// The result is known, and no more intermediate events are sent.
        case claimed
        /// The result is sent after the current event has been delivered.
        case waiting(Result<ImageResponse, ImageLoadingError>)
        case ended
    }

    private struct State {
        var phase = Phase.running
        /// Whether a thread is delivering an intermediate event to the listener.
        var isTelling = false
        var waiting = WaitingEvents()
        /// The task that performs the work; nil before the load begins and after it has ended.
        var owner: (any LoadOperationOwner)?
        var priority: LoadPriority
        var isCancelled = false
        var isReplaced = false
        /// The current request: the original request, or a copy with an alternative URL.
        var current: ImageRequest
        /// The position of the current URL: 0 for the original URL, 1 for the first alternative.
        var position = 0
        /// The failure of the original URL; nil until the operation continues with an alternative
        /// URL.
        var firstError: ImageLoadingError?

        /// Returns the next event to deliver, or nil if no event is waiting.
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
                current: request
            )
        )
    }

    /// Sets the task that performs the work of the operation.
    func attach(to owner: any LoadOperationOwner) {
        state.withLock { $0.owner = owner }
    }

    /// Cancels the load for this listener; other listeners of the same work are not affected.
    ///
    /// The listener receives `finished(.failure(.cancelled))` before this method returns. If the
    /// listener is receiving another event at that time, it receives `finished` immediately after
    /// that event. If the load has ended, the method has no effect.
    public func cancel() {
        let owner = state.withLock { state in
            state.isCancelled = true
            return state.owner
        }
        owner?.cancel(self)
    }

    /// Cancels the load because its view now requests the same image in a different form, such as a
    /// larger size.
    func cancelAsReplaced() {
        state.withLock { $0.isReplaced = true }
        cancel()
    }

    /// The priority of the load for this listener; initially the priority of its request.
    ///
    /// If several loads share the work, the work has the highest of their priorities. Changing the
    /// priority affects waiting transfers and decodes but not running ones. After the load has
    /// ended, it has no effect.
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

    /// Whether the load has ended for this listener.
    ///
    /// The listener may not have received `finished` yet.
    public var isFinished: Bool {
        state.withLock { state in
            if case .running = state.phase { false } else { true }
        }
    }

    /// Sends an intermediate event to the listener, unless the load has ended for this listener.
    ///
    /// If another thread is delivering an event, this event waits, and a newer event of the same
    /// kind (transfer or preview) replaces it. `isReplay` marks an event that other listeners have
    /// received earlier. If this listener has already received an event of the same kind, the
    /// replayed event is dropped.
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

    /// The request with the URL that is currently being loaded.
    var current: ImageRequest { state.withLock { $0.current } }

    /// Whether `cancel` was called, even if no task was performing the work at that time.
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Whether the operation was cancelled by `cancelAsReplaced`.
    var isReplaced: Bool { state.withLock { $0.isReplaced } }

    /// Switches to the next alternative URL after a failure.
    ///
    /// Returns false if no alternative URL remains, or if the operation was cancelled or has ended.
    func moveOn(after error: ImageLoadingError) -> Bool {
        state.withLock { state in
            guard case .running = state.phase, !state.isCancelled,
                let next = request.position(after: state.position, error: error)
            else { return false }
            state.owner = nil
            state.firstError = state.firstError ?? error
            state.position = next
            state.current.url = request.alternatives[next - 1]
            return true
        }
    }

    /// Returns the failure to report if the last URL has failed with `error`.
    ///
    /// In a group, the alternatives are guesses. If no URL has an image, the failure of the
    /// original URL is reported, because it is more useful to the user.
    func reported(_ error: ImageLoadingError) -> ImageLoadingError {
        guard request.alternativeGroup != nil, error.meansNoImage else { return error }
        return state.withLock { $0.firstError } ?? error
    }

    /// Records which URL has loaded, for the other requests of the group.
    func noteSuccess() {
        guard request.alternativeGroup != nil else { return }
        request.noteWorking(state.withLock { $0.position })
    }

    /// Marks the operation as ended; returns false if it has already ended.
    ///
    /// If the result is true, the caller must call `tell`.
    func claimEnd() -> Bool {
        state.withLock { state in
            guard case .running = state.phase else { return false }
            state.phase = .claimed
            state.owner = nil
            return true
        }
    }

    /// Sends the result of the load to the listener, after any event that is being delivered.
    func tell(_ end: Result<ImageResponse, ImageLoadingError>) {
        let isNow = state.withLock { state in
            state.phase = state.isTelling ? .waiting(end) : .ended
            return !state.isTelling
        }
        if isNow { onEvent(.finished(end)) }
    }
}

extension LoadOperation: Hashable {
    /// Returns whether both operations are the same object.
    public static func == (left: LoadOperation, right: LoadOperation) -> Bool {
        left === right
    }

    /// Hashes the object's identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}

/// The object that performs the work of an operation: a `LoadTask`.
///
/// It also handles the operation's cancellation and priority changes.
protocol LoadOperationOwner: AnyObject, Sendable {
    /// Removes the operation from this object and ends it with `.cancelled`.
    func cancel(_ operation: LoadOperation)
    func setPriority(_ priority: LoadPriority, of operation: LoadOperation)
}

/// The intermediate events that a listener has not received yet: the newest event of each kind.
///
/// Older events are dropped, so a slow listener does not block the sender and memory usage is
/// limited. This type has no side effects.
struct WaitingEvents {
    private enum Kind {
        case transfer
        case preview
    }

    private var events: [(kind: Kind, event: LoadEvent)] = []
    private var hadTransfer = false
    private var hadPreview = false

    /// Adds an event, replacing an older event of the same kind.
    ///
    /// Returns false if the event is `finished`, or if it is a replay and an event of the same kind
    /// has already been added.
    mutating func add(_ event: LoadEvent, isReplay: Bool) -> Bool {
        guard let kind = Self.kind(of: event) else { return false }
        let isNew: Bool
        switch kind {
        case .transfer: (isNew, hadTransfer) = (!hadTransfer, true)
        case .preview: (isNew, hadPreview) = (!hadPreview, true)
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
        case .preview: .preview
        case .finished: nil
        }
    }
}
