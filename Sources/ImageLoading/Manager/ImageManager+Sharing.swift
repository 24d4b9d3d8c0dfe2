internal import Decoders

extension ImageManager {
    /// What is known about a request without leaving the caller's thread.
    enum MemoryLookup {
        case answered(Result<ImageResponse, ImageLoadingError>)
        /// With what memory has of a picture that is to be asked for all the same.
        case needsWork(LoadKey, known: ImageResponse?)
    }

    func opening(of request: ImageRequest) -> MemoryLookup {
        do throws(ImageLoadingError) {
            return opening(of: try resolver.key(for: request))
        } catch {
            return .answered(.failure(error))
        }
    }

    private func opening(of key: LoadKey) -> MemoryLookup {
        guard !key.isLoaderOnly, let image = cache.memory.image(for: key.image) else {
            return .needsWork(key, known: nil)
        }
        let response = ImageResponse(image: image, source: .memory, byteCount: 0, httpStatus: nil)
        tracer.record(.hit(.memory), url: key.url.absoluteString)
        return key.isRefresh
            ? .needsWork(key, known: response) : .answered(.success(response))
    }

    func makeOperation(
        _ request: ImageRequest,
        _ key: LoadKey? = nil,
        isBackground: Bool = false,
        onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> LoadOperation {
        counters.withLock { $0.countStart() }
        return LoadOperation(
            request: request,
            isBackground: isBackground,
            onEvent: onEvent
        ) { [weak self] operation in
            // Without a key it ended when it began.
            if let key { self?.cancel(operation, of: key) }
        }
    }

    /// What `begin` came to.
    enum StartResult {
        case answered(Result<ImageResponse, ImageLoadingError>)
        /// With a picture to show until the end comes.
        case running(LoadOperation, known: ImageResponse?)
    }

    /// As `load`, but what is known at once is returned instead of sent: a binding lives in a
    /// domain that `onEvent` can't enter.
    func begin(
        _ request: ImageRequest,
        onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> StartResult {
        switch opening(of: request) {
        case .answered(let result):
            finish(makeOperation(request, onEvent: { _ in }), with: result)
            return .answered(result)
        case .needsWork(let key, let known):
            let operation = makeOperation(request, key, onEvent: onEvent)
            joinOrStart(key, known: known, operation)
            return .running(operation, known: known)
        }
    }

    /// Joins the run for `key` or starts it, decided in one critical section (row F2).
    func joinOrStart(
        _ key: LoadKey,
        known: ImageResponse? = nil,
        _ operation: LoadOperation
    ) {
        let start = LoadTask.Start(key: key, begun: cache.generations, known: known)
        let priority = operation.request.effectivePriority
        let joined = runs.withLock { runs -> LoadTask? in
            if let joined = runs.join(key, as: operation, priority: priority) {
                joined.work.setPriority(joined.priority)
                joined.work.note(operation.request.options)
                return joined.work
            }
            runs.start(key, as: operation, priority: priority) { number in
                makeRun(start, operation.request, number: number)
            }
            return nil
        }
        guard let joined else { return }
        counters.withLock { $0.coalesced += 1 }
        tracer.record(.coalesced, url: operation.request.url)
        joined.catchUp(operation)
    }

    private func makeRun(
        _ start: LoadTask.Start,
        _ request: ImageRequest,
        number: UInt64
    ) -> LoadTask {
        let run = LoadTask(start, number: number, priority: request.effectivePriority)
        run.note(request.options)
        // The table keeps the run, and with it the task, until it ends or its last listener leaves.
        if !gathering.withLock({ $0.add(run) }) { run.begin { await self.carryOut(run) } }
        return run
    }

    private func cancel(_ operation: LoadOperation, of key: LoadKey) {
        switch leave(key, operation) {
        case .unknown: return
        case .othersRemain: break
        case .wasLast(let run):
            run.cancel()
            releaseQueuePosition(run)
        }
        finish(operation, with: .failure(.cancelled))
    }

    /// Priorities are set under the lock that decides them: of a join and a leave at once, the
    /// later one counts. (Locks are taken in one order: runs, handle, downloader.)
    private func leave(_ key: LoadKey, _ operation: LoadOperation) -> Runs.Left {
        runs.withLock { runs in
            let left = runs.leave(key, operation)
            if case .othersRemain(let run, let priority) = left { run.setPriority(priority) }
            return left
        }
    }

    /// State first, then the listener (open point a).
    func finish(
        _ operation: LoadOperation,
        with result: Result<ImageResponse, ImageLoadingError>
    ) {
        guard operation.claimEnd() else { return }
        counters.withLock { $0.countEnd(result, isBackground: operation.isBackground) }
        log.record(operation.request, result)
        trace(result, of: operation.request)
        operation.tell(result)
    }

    private func trace(
        _ result: Result<ImageResponse, ImageLoadingError>,
        of request: ImageRequest
    ) {
        switch result {
        case .success(let response): tracer.record(.succeeded(response.source), url: request.url)
        case .failure(let error): tracer.record(.failed(error), url: request.url)
        }
    }
}
