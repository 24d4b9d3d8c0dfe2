extension ImageDownloader {
    /// Changes the state in one step, and has what follows from it done.
    ///
    /// The clock is read outside of the lock: it may be somebody else's.
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
        case .wake(let time):
            // Weakly: who waits for the attempt holds the downloader.
            clock.notify(at: time) { [weak self] in self?.decide { $0.queue.wakeUp() } }
        case .keepPartial(let request, let partial):
            detachedDownloads.keepPartial(request, partial)
        case .keepBody(let request, let body):
            detachedDownloads.keepBody(request, body)
        case .trace(let kind, let subject):
            tracer.record(kind, url: subject)
        }
    }
}
