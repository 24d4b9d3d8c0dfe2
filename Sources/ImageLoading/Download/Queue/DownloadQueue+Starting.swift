extension DownloadQueue {
    /// Starts what may start.
    mutating func startReady() -> [DownloadAction] {
        var actions: [DownloadAction] = []
        while !isSuspended, slots.takenCount < width, let id = popFirst() {
            actions += start(id)
        }
        return actions
    }

    private mutating func popFirst() -> TransferID? {
        let (slots, breakers, now) = (slots, breakers, now.uptime)
        return waiting.popFirst { slots.isOpen($0) && breakers.admits($0, at: now) }
    }

    /// What a listener hears first of it is `(0, nil)` (row O2).
    private mutating func start(_ id: TransferID) -> [DownloadAction] {
        guard let job = jobs[id] else { return [] }
        let attempt = DownloadAttempt(
            transferRequest(id, job),
            resuming: job.partial,
            at: now
        )
        attempts[id] = attempt
        slots.take(job.host)
        breakers.started(id, on: job.host)
        counters.transfersStarted += 1
        if job.history.count > 0 { counters.retries += 1 }
        return [.start(attempt.request)]
            + trace(.started(resumedFrom: attempt.resumedFrom), job.request.url)
            + notifyAll(of: id)
    }

    private func transferRequest(_ id: TransferID, _ job: DownloadJob) -> TransferRequest {
        let asked = job.partial.map { fields(of: job.request, resuming: $0) } ?? job.request.headers
        let own = configuration.headers.filter { field in
            !asked.contains { $0.isNamed(field.name) }
        }
        return TransferRequest(
            id: id,
            url: job.request.url,
            headers: own + asked,
            maximumByteCount: configuration.maximumByteCount,
            policy: job.request.policy
        )
    }

    /// Conditions on an older body give way to those on the partial one: a 304 would tell nothing
    /// about the rest of it.
    private func fields(
        of request: DownloadRequest,
        resuming partial: PartialBody
    ) -> [HeaderField] {
        let unconditional = request.headers.filter { field in
            !field.isNamed("If-None-Match") && !field.isNamed("If-Modified-Since")
        }
        return ResumeRule.headers(unconditional, resuming: partial)
    }

    /// Takes a running transfer's slot back.
    mutating func release(_ id: TransferID, _ host: String) {
        guard let attempt = attempts.removeValue(forKey: id) else { return }
        guard attempt.standing != .detachedWithoutSlot else {
            // It may have been the probe that the others of its host wait for.
            waiting.hostFreedSlot(host)
            return
        }
        giveBackSlot(of: host)
    }

    mutating func giveBackSlot(of host: String) {
        slots.free(host)
        waiting.hostFreedSlot(host)
    }
}
