extension ImageManager {
    /// What is known about a request without leaving the caller's thread.
    enum Opening {
        case answered(Result<ImageResponse, ImageLoadingError>)
        case needsWork(LoadKey)
    }

    func opening(of request: ImageRequest) -> Opening {
        do throws(ImageLoadingError) {
            let key = try LoadKey(request)
            guard !key.isRefresh, let image = cache.memory.image(for: key.image) else {
                return .needsWork(key)
            }
            return .answered(
                .success(
                    ImageResponse(image: image, source: .memory, byteCount: 0, httpStatus: nil)
                )
            )
        } catch {
            return .answered(.failure(error))
        }
    }

    func makeOperation(
        _ request: ImageRequest,
        onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> LoadOperation {
        counters.withLock { $0.countStart() }
        return LoadOperation(request: request, onEvent: onEvent) { [weak self] operation in
            self?.cancel(operation)
        }
    }

    /// Joins the run for `key` or starts it, decided in one critical section (row F2).
    func joinOrStart(_ key: LoadKey, _ operation: LoadOperation) {
        let priority = operation.request.priority
        let isJoined = runs.withLock { runs in
            if let joined = runs.join(key, as: operation, priority: priority) {
                joined.work.setPriority(joined.priority)
                return true
            }
            runs.start(key, as: operation, priority: priority) { number in
                makeRun(key, number: number, priority: priority)
            }
            return false
        }
        if isJoined { counters.withLock { $0.coalesced += 1 } }
    }

    private func makeRun(_ key: LoadKey, number: UInt64, priority: LoadPriority) -> LoadRun {
        let run = LoadRun(key: key, number: number, priority: priority)
        // The table keeps the run, and with it the task, until it ends or its last listener leaves.
        run.begin { await self.carryOut(run) }
        return run
    }

    private func cancel(_ operation: LoadOperation) {
        guard let key = try? LoadKey(operation.request) else { return }  // ended when it began
        switch leave(key, operation) {
        case .unknown: return
        case .othersRemain: break
        case .wasLast(let run): run.cancel()
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
        counters.withLock { $0.countEnd(result) }
        log.record(operation.request, result)
        operation.tell(result)
    }
}
