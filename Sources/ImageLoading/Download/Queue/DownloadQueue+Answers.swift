extension DownloadQueue {
    /// Processes one or more events that a transfer delivered at the same time.
    ///
    /// Late events of a cancelled transfer are ignored. The listeners receive one progress event
    /// for all events. If the transfer ends, they receive the progress event before the end, so the
    /// last progress of every load covers the whole body.
    mutating func receive(_ events: [TransferEvent], of id: TransferID) -> [DownloadAction] {
        guard attempts[id] != nil else { return [] }
        var actions: [DownloadAction] = []
        var hasNewBytes = false
        for event in events {
            switch event {
            case .head(let head): actions += receive(head, of: id)
            case .chunk(let bytes):
                receive(bytes, of: id)
                hasNewBytes = true
            case .finished(nil):
                if hasNewBytes { actions += reportProgress(id) }
                return actions + end(id, nil)
            case .finished(let error):
                if events.count > 1 { actions += report(id) }
                return actions + end(id, error)
            }
        }
        return actions + report(id)
    }

    private mutating func receive(_ bytes: [UInt8], of id: TransferID) {
        counters.bytesReceived += bytes.count
        if let host = jobs[id]?.host { breakers.brought(host, at: now.uptime) }
        attempts[id]?.reception.receive(bytes)
    }

    private mutating func receive(_ head: TransferHead, of id: TransferID) -> [DownloadAction] {
        guard attempts[id]?.receive(head, at: now.uptime) ?? false,
            let attempt = attempts[id], let job = jobs[id]
        else { return [] }
        latencies.note(now.uptime - attempt.start, of: job.host)
        let progress = attempt.reception.progress
        if progress.received > 0 {
            counters.transfersResumed += 1
            counters.bytesResumed += progress.received
        }
        return trace(.firstByte(status: head.status, expected: progress.expected), job.request.url)
            + hear(.init(head: head, error: nil), from: id, job.host)
    }

    /// Reports progress to the listeners; stops the transfer if its response is unusable and longer
    /// than `Reception.unwantedByteLimit`.
    private mutating func report(_ id: TransferID) -> [DownloadAction] {
        guard let reception = attempts[id]?.reception, let job = jobs[id] else { return [] }
        if reception.isWorthStopping { return [.cancel(id)] + end(id, nil) }
        guard reception.refusal == nil else { return [] }
        return reportProgress(id) + reportPartial(id, to: job)
    }

    private mutating func reportProgress(_ id: TransferID) -> [DownloadAction] {
        guard let reception = attempts[id]?.reception, let job = jobs[id],
            reception.refusal == nil
        else { return [] }
        return trace(.progress(reception.progress), job.request.url) + notifyAll(of: id)
    }

    private mutating func reportPartial(
        _ id: TransferID,
        to job: DownloadJob
    ) -> [DownloadAction] {
        guard job.reportsPartials, !job.listeners.isEmpty,
            let reception = attempts[id]?.reception, !reception.body.isEmpty
        else { return [] }
        let event = DownloadEvent.partial(reception.body, of: reception.progress.expected)
        return job.listeners.ids.map { .notify($0, event) }
    }

    private mutating func end(_ id: TransferID, _ error: ImageLoadingError?) -> [DownloadAction] {
        guard let attempt = attempts[id] else { return [] }
        switch attempt.reception.outcome(error) {
        case .success(let body): return succeed(id, attempt.timed(body))
        case .failure(let error): return fail(id, attempt, error)
        case .restart(let error): return restart(id, attempt, error)
        }
    }

    private mutating func succeed(_ id: TransferID, _ body: DownloadedBody) -> [DownloadAction] {
        counters.transfersFinished += 1
        guard let job = remove(id) else { return [] }
        return detachedPart(body, of: job) + finish(job, .success(body)) + startReady()
    }

    /// Returns the action that stores a complete body if no listener is left.
    ///
    /// A 304 has no body to store.
    private func detachedPart(_ body: DownloadedBody, of job: DownloadJob) -> [DownloadAction] {
        guard job.listeners.isEmpty, !body.bytes.isEmpty else { return [] }
        return [.keepBody(job.request, body)]
    }

    // MARK: Failures

    private mutating func fail(
        _ id: TransferID,
        _ attempt: DownloadAttempt,
        _ error: ImageLoadingError
    ) -> [DownloadAction] {
        counters.transfersFailed += 1
        guard let host = jobs[id]?.host else { return [] }
        let head = attempt.reception.head
        let error = error.adding(head.flatMap { RetryAfter.pause(in: $0, at: now.wallTime) })
        let answerCount = slots.answerCount(of: host)
        let blame = FailureBlame(
            error,
            head: head,
            isAlone: slots.takenCount(of: host) < 2,
            isKnown: latencies.roundTrip(to: host) != nil,
            hasAnsweredOthers: answerCount > jobs[id]?.answersBefore ?? attempt.answersBefore
        )
        jobs[id]?.answersBefore = answerCount
        jobs[id]?.noteFailure(of: attempt, error, blame)
        let hostActions =
            narrow(attempt, error, host)
            + hearOfEnd(HostHealth(head: head, error: error), error, id, host)
        return hostActions
            + (waitForHost(id, error, blame) ?? rest(id, error) ?? giveUp(id, error))
            + startReady()
    }

    /// Repeats a request immediately without its partial body, because the response did not match
    /// that body.
    private mutating func restart(
        _ id: TransferID,
        _ attempt: DownloadAttempt,
        _ error: ImageLoadingError
    ) -> [DownloadAction] {
        counters.transfersFailed += 1
        jobs[id]?.noteFailure(of: attempt, error, .picture)
        guard let job = jobs[id], !job.listeners.isEmpty,
            job.history.count < configuration.maximumAttempts
        else { return giveUp(id, error) + startReady() }
        release(id, job.host)
        guard let next = jobs.renew(id) else { return [] }
        queue(next, job)
        return trace(.retried(attempt: job.history.count, pause: .zero), job.request.url)
            + notifyAll(of: next) + startReady()
    }

    /// Schedules the next attempt of a job after a pause; returns nil if the failure is final.
    ///
    /// A job is not retried if it has no listeners, or if requests to its host are suspended.
    private mutating func rest(
        _ id: TransferID,
        _ error: ImageLoadingError
    ) -> [DownloadAction]? {
        guard let job = jobs[id], !job.listeners.isEmpty, breakers.isClosed(job.host) else {
            return nil
        }
        let pause = retryPolicy.pause(after: error, job.history, using: &random)
        let mayAsk = asksBeforeRetry && job.history.count < configuration.maximumAttempts
        guard pause != nil || mayAsk else { return nil }
        release(id, job.host)
        guard let next = jobs.renew(id) else { return nil }
        if mayAsk { return askForPause(next, job, error, usual: pause) }
        return pause.map { rest(next, job, for: $0) }
    }

    private mutating func rest(
        _ id: TransferID,
        _ job: DownloadJob,
        for pause: Duration
    ) -> [DownloadAction] {
        resting.insert(id, until: now.uptime + pause)
        return trace(.retried(attempt: job.history.count, pause: pause), job.request.url)
            + notifyAll(of: id) + setAlarm()
    }

    private mutating func askForPause(
        _ id: TransferID,
        _ job: DownloadJob,
        _ error: ImageLoadingError,
        usual: Duration?
    ) -> [DownloadAction] {
        undecided[id] = error
        let attempt = FailedAttempt(
            url: job.request.url,
            error: error,
            number: job.history.count,
            elapsed: now.uptime - (job.start ?? now.uptime),
            usualPause: usual
        )
        return [.askForPause(id, attempt)]
    }

    /// Continues a job after the retry hook has chosen the pause before the next attempt.
    ///
    /// If the pause is nil, the job ends. If the job has already ended, the method has no effect.
    mutating func settleRetry(_ id: TransferID, after pause: Duration?) -> [DownloadAction] {
        guard let error = undecided.removeValue(forKey: id), let job = jobs[id] else { return [] }
        guard let pause else { return giveUp(id, error) + startReady() }
        return rest(id, job, for: max(.zero, pause))
    }

    /// Ends a running or waiting job with an error.
    mutating func giveUp(_ id: TransferID, _ error: ImageLoadingError) -> [DownloadAction] {
        guard let job = remove(id) else { return [] }
        return detachedPart(of: job) + finish(job, .failure(error))
    }

    private func finish(
        _ job: DownloadJob,
        _ result: Result<DownloadedBody, ImageLoadingError>
    ) -> [DownloadAction] {
        job.listeners.ids.map { .finish($0, result) }
    }
}

extension ImageLoadingError {
    /// Returns the error with the pause that the server requested.
    ///
    /// If the failure is not transient, the error is returned unchanged.
    fileprivate func adding(_ retryAfter: Duration?) -> ImageLoadingError {
        guard let retryAfter, kind == .transient else { return self }
        return ImageLoadingError(
            stage: stage,
            kind: kind,
            reason: reason,
            retryAfter: retryAfter
        )
    }
}
