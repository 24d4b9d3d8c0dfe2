/// Fetches bytes: at most so many transfers at once, one transfer for equal wishes, stopped as soon
/// as nobody waits for it any more.
///
/// A thin shell around `DownloadQueue`, which decides everything: take the lock, ask, leave the
/// lock, act. Callable on any thread; nothing here blocks.
///
/// **Order of actions.** Two threads may get actions at the same time, and a transfer's `cancel`
/// must not reach the transport before its `start`, nor an older progress event its listener after
/// a newer one. So actions go into one list under the lock that also orders the decisions, and one
/// thread at a time empties it: whoever finds nobody at it. A callback that calls back in only adds
/// to the list. The price is that a callback may run on any thread that uses the downloader, which
/// is why callbacks must be short.
public final class ImageDownloader: Sendable {
    private struct State {
        var queue: DownloadQueue
        var listeners: [ListenerID: DownloadListener] = [:]
        var pending: [DownloadAction] = []
        var isActing = false
        var isSuspended = false
        var width: Int
        var lastListener: UInt64 = 0
    }

    private let transport: any Transport
    private let state: Protected<State>

    /// Makes a downloader that moves its bytes over a transport.
    public init(
        configuration: DownloaderConfiguration = DownloaderConfiguration(),
        transport: any Transport
    ) {
        self.transport = transport
        let width = max(1, configuration.maximumConcurrentTransfers)
        state = Protected(State(queue: DownloadQueue(configuration: configuration), width: width))
    }

    // MARK: Downloading

    /// The bytes behind a URL; waits for a free transfer, joins one for the same bytes.
    ///
    /// Cancelling the task takes only this caller out and throws `.cancelled` at once; the transfer
    /// stops when its last caller has left. `onEvent` is called on any thread, one event at a time,
    /// never after the end; it must be short and may call the downloader. A `handle` allows changing
    /// the priority later, and its priority stands in for the request's.
    public func body(
        for request: DownloadRequest,
        handle: DownloadHandle? = nil,
        onEvent: @escaping @Sendable (DownloadEvent) -> Void = { _ in }
    ) async throws(ImageLoadingError) -> DownloadedBody {
        let handle = handle ?? DownloadHandle(priority: request.priority)
        let id = newListener()
        defer { handle.unbind() }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let listener = DownloadListener(onEvent: onEvent, continuation: continuation)
                join(id, listener, request, handle)
            }
        } onCancel: {
            leave(id)
        }
        return try result.get()
    }

    /// Ends all downloads, running and waiting, with `.cancelled` (row D22).
    public func cancelAll() {
        decide { $0.queue.cancelAll() }
    }

    // MARK: Settings

    /// Whether waiting transfers are held back; running ones go on (row D22).
    public var isSuspended: Bool {
        get { state.withLock { $0.isSuspended } }
        set {
            decide { state in
                state.isSuspended = newValue
                return state.queue.setSuspended(newValue)
            }
        }
    }

    /// How many transfers run at once; at least 1 (row D21).
    ///
    /// Lowering it stops none.
    public var maximumConcurrentTransfers: Int {
        get { state.withLock { $0.width } }
        set {
            decide { state in
                state.width = max(1, newValue)
                return state.queue.setWidth(newValue)
            }
        }
    }

    /// What has been done so far, all figures of one moment.
    public var statistics: DownloaderStatistics {
        state.withLock { $0.queue.statistics }
    }

    // MARK: Listeners

    private func newListener() -> ListenerID {
        state.withLock { state in
            state.lastListener += 1
            return ListenerID(rawValue: state.lastListener)
        }
    }

    /// A task that is cancelled already sends no request (row O1).
    ///
    /// One that is cancelled from here on has run its handler perhaps before the queue knew the
    /// listener, so look once more afterwards; a second `leave` does no harm.
    private func join(
        _ id: ListenerID,
        _ listener: DownloadListener,
        _ request: DownloadRequest,
        _ handle: DownloadHandle
    ) {
        guard !Task.isCancelled else {
            listener.continuation.resume(returning: .failure(.cancelled))
            return
        }
        decide { state in
            state.listeners[id] = listener
            return state.queue.enqueue(id, request, priority: handle.priority)
        }
        handle.bind(to: id, of: self)
        applyPriority(of: handle, to: id)
        if Task.isCancelled { leave(id) }
    }

    private func leave(_ id: ListenerID) {
        decide { $0.queue.leave(id) }
    }

    /// Reads the handle inside the lock, so that of two changes at once the later one stands.
    ///
    /// Locks are taken in this order only: a handle never calls in while it holds its own.
    func applyPriority(of handle: DownloadHandle, to listener: ListenerID) {
        state.withLock { $0.queue.setPriority(handle.priority, of: listener) }
    }

    // MARK: Deciding and acting

    private func decide(_ change: (inout State) -> [DownloadAction]) {
        let isMine = state.withLock { state in
            state.pending += change(&state)
            guard !state.isActing, !state.pending.isEmpty else { return false }
            state.isActing = true
            return true
        }
        if isMine { act() }
    }

    private func act() {
        while let actions = takePending() {
            for action in actions { perform(action) }
        }
    }

    private func takePending() -> [DownloadAction]? {
        state.withLock { state in
            guard !state.pending.isEmpty else {
                state.isActing = false
                return nil
            }
            defer { state.pending = [] }
            return state.pending
        }
    }

    private func perform(_ action: DownloadAction) {
        switch action {
        case .start(let request):
            transport.start(request) { event in
                self.decide { $0.queue.receive(event, of: request.id) }
            }
        case .cancel(let id):
            transport.cancel(id)
        case .notify(let id, let event):
            state.withLock { $0.listeners[id] }?.onEvent(event)
        case .finish(let id, let result):
            let listener = state.withLock { $0.listeners.removeValue(forKey: id) }
            listener?.continuation.resume(returning: result)
        }
    }
}
