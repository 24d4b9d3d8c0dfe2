import SystemSupport

extension ImageDownloader {
    // MARK: Listeners

    func newListener() -> ListenerID {
        state.withLock { state in
            state.lastListener += 1
            return ListenerID(rawValue: state.lastListener)
        }
    }

    /// Adds a listener, unless its task is already cancelled.
    ///
    /// If the task is cancelled during this call, its cancellation handler may run before the
    /// listener is in the queue. The method therefore checks for cancellation again at the end. A
    /// second `leave` has no effect.
    func join(
        _ id: ListenerID,
        _ listener: DownloadListener,
        _ request: DownloadRequest,
        _ handle: DownloadHandle
    ) {
        guard !Task.isCancelled else {
            listener.continuation.resume(returning: .failure(.cancelled))
            return
        }
        // The handle is bound first, so a priority set from now on is either read below or applied
        // afterward.
        handle.bind(to: id, of: self)
        decide { state in
            state.listeners[id] = listener
            var request = request
            if handle.waitsForHost { request.waitsForHost = true }
            return state.queue.enqueue(id, request, priority: handle.priority)
        }
        if Task.isCancelled { leave(id) }
    }

    func leave(_ id: ListenerID) {
        decide { $0.queue.leave(id) }
    }

    /// Ends a listener's download with the received bytes; returns whether the download has ended.
    func finishEarly(_ id: ListenerID) -> Bool {
        var hasEnded = false
        decide { state in
            guard let actions = state.queue.finishEarly(id) else { return [] }
            hasEnded = true
            return actions
        }
        return hasEnded
    }

    /// Applies the priority of a handle to its listener.
    ///
    /// The handle is read while the downloader's lock is held, so the later of two simultaneous
    /// changes takes effect. The downloader's lock is always taken before a handle's lock: a handle
    /// never calls the downloader while it holds its own lock.
    func applyPriority(of handle: DownloadHandle, to listener: ListenerID) {
        state.withLock { $0.queue.setPriority(handle.priority, of: listener) }
    }

    func waitForHost(_ listener: ListenerID) {
        state.withLock { $0.queue.setWaitsForHost(of: listener) }
    }

    // MARK: Actions

    /// Waits until all previous actions have been carried out.
    ///
    /// For example, another thread may still be storing the partial body of a cancelled download.
    func settle() async {
        let id = newListener()
        _ = await withHandOver { continuation in
            decide { state in
                state.listeners[id] = DownloadListener(
                    onEvent: { _ in },
                    continuation: continuation
                )
                return [.finish(id, .failure(.cancelled))]
            }
        }
    }

    /// Changes the state in one step and carries out the resulting actions.
    ///
    /// The clock may run the caller's code, so it is read before the lock is taken.
    func decide(_ change: (inout DownloaderState) -> [DownloadAction]) {
        let moment = Moment(uptime: clock.uptime(), wallTime: clock.wallTime())
        let isMine = state.withLock { state in
            var actions = state.queue.advance(to: moment)
            actions += change(&state)
            return state.pending.add(actions)
        }
        if isMine { act() }
    }

    private func act() {
        while let actions = state.withLock({ $0.pending.take() }) {
            for action in actions { perform(action) }
        }
    }

    private func perform(_ action: DownloadAction) {
        switch action {
        case .start(let request):
            transport.startBatching(request) { events in
                self.decide { $0.queue.receive(events, of: request.id) }
            }
        case .cancel(let id):
            transport.cancel(id)
        case .notify(let id, let event):
            state.withLock { $0.listeners[id] }?.onEvent(event)
        case .finish(let id, let result):
            let listener = state.withLock { $0.listeners.removeValue(forKey: id) }
            listener?.continuation.resume(returning: result)
        case .askForPause(let id, let attempt):
            let pause = retryPause?(attempt)
            decide { $0.queue.settleRetry(id, after: pause) }
        case .wake(let time):
            // A weak reference is enough, because the callers waiting for the attempt retain the
            // downloader.
            clock.notify(at: time) { [weak self] in self?.decide { $0.queue.wakeUp() } }
        case .keepPartial(let request, let partial):
            detachedDownloads.keepPartial(request, partial)
        case .keepBody(let request, let body):
            detachedDownloads.keepBody(request, body)
        case .tell(let notice):
            onNotice?(notice)
        case .trace(let kind, let subject):
            tracer.record(kind, url: subject)
        }
    }
}

/// The state of an `ImageDownloader`, protected by its lock.
struct DownloaderState {
    var queue: DownloadQueue
    var listeners: [ListenerID: DownloadListener] = [:]
    var pending = PendingActions<DownloadAction>()
    var isSuspended = false
    var width: Int
    var lastListener: UInt64 = 0

    init(queue: DownloadQueue) {
        self.queue = queue
        width = queue.width
    }
}

/// A call to `ImageDownloader.body` that is waiting for its result.
struct DownloadListener: Sendable {
    let onEvent: @Sendable (DownloadEvent) -> Void
    let continuation: HandOver<Result<DownloadedBody, ImageLoadingError>>
}
