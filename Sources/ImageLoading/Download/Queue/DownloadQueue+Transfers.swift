extension DownloadQueue {
    /// Starts all transfers that may start.
    mutating func startReady() -> [DownloadAction] {
        var actions: [DownloadAction] = []
        let width = min(width, ownLimit.limit ?? .max)
        while !isSuspended, slots.takenCount < width, let id = popFirst() {
            actions += start(id)
        }
        return actions
    }

    private mutating func popFirst() -> TransferID? {
        let (slots, breakers, now) = (slots, breakers, now.uptime)
        return waiting.popFirst { slots.isOpen($0) && breakers.admits($0, at: now) }
    }

    /// Starts a transfer.
    ///
    /// Each listener receives a progress event with 0 bytes and an unknown total length.
    private mutating func start(_ id: TransferID) -> [DownloadAction] {
        guard let job = jobs[id] else { return [] }
        var attempt = DownloadAttempt(
            transferRequest(id, job),
            resuming: job.partial,
            at: now
        )
        attempt.number = counters.transfersStarted + 1
        attempt.answersBefore = slots.answerCount(of: job.host)
        attempts[id] = attempt
        jobs[id]?.start = job.start ?? now.uptime
        slots.take(job.host)
        breakers.started(id, on: job.host)
        counters.transfersStarted += 1
        if job.start != nil { counters.retries += 1 }
        return [.start(attempt.request)]
            + trace(.started(resumedFrom: attempt.resumedFrom), job.request.url)
            + notifyAll(of: id)
    }

    private func transferRequest(_ id: TransferID, _ job: DownloadJob) -> TransferRequest {
        let asked = job.partial.map { fields(of: job.request, resuming: $0) } ?? job.request.headers
        let own = configuration.headers.filter { field in
            !asked.contains { $0.isNamed(field.name) }
        }
        var request = TransferRequest(
            id: id,
            url: job.request.url,
            headers: own + asked,
            maximumByteCount: min(
                configuration.maximumByteCount,
                job.request.policy.limits.byteCount ?? .max
            ),
            policy: job.request.policy
        )
        request.needsNewConnection = job.needsNewConnection
        return request
    }

    /// Returns the header fields of a request that resumes a partial body.
    ///
    /// The fields that make the request conditional on an older complete body are removed, because
    /// a 304 response would not provide the missing bytes.
    private func fields(
        of request: DownloadRequest,
        resuming partial: PartialBody
    ) -> [HeaderField] {
        let unconditional = request.headers.filter { field in
            !field.isNamed("If-None-Match") && !field.isNamed("If-Modified-Since")
        }
        return ResumeRule.headers(unconditional, resuming: partial)
    }

    /// Removes a running transfer and frees its slot if it has one.
    mutating func release(_ id: TransferID, _ host: String) {
        guard let attempt = attempts.removeValue(forKey: id) else { return }
        guard attempt.standing != .detachedWithoutSlot else {
            // The transfer may have been the probe that other downloads from its host wait for.
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

extension DownloadQueue {
    /// Ends the download of a listener that has received enough bytes; returns nil if it must
    /// continue.
    ///
    /// The transfer continues for the other listeners. If no other listener remains, the transfer
    /// is stopped and the received part is stored. The transfer runs to completion for the disk
    /// cache instead if finishing it is cheaper than stopping it, or if a listener set
    /// `continuesInBackground`.
    mutating func finishEarly(_ listener: ListenerID) -> [DownloadAction]? {
        guard let id = jobs.id(of: listener), let job = jobs[id], let attempt = attempts[id],
            let partial = attempt.reception.partialBody
        else { return nil }
        let end = DownloadAction.finish(listener, .success(attempt.timed(partial)))
        guard job.listeners.ids.count == 1 else {
            _ = jobs.leave(listener)
            settlePriority(of: id)
            return [end]
        }
        let rule = attempt.earlyStopRule(
            for: job.request,
            roundTrip: latencies.roundTrip(to: job.host),
            at: now.uptime
        )
        guard rule.decision != .waits else { return nil }
        _ = jobs.leave(listener)
        let isLet = rule.decision == .finishes || job.continuesInBackground
        // Store the part before notifying the listener, which may then look it up.
        return (isLet ? letEnd(id, job) : stop(id, attempt)) + [end] + startReady()
    }

    private mutating func stop(_ id: TransferID, _ attempt: DownloadAttempt) -> [DownloadAction] {
        guard let job = remove(id) else { return [] }
        let saved = attempt.reception.missingByteCount
        breakers.gaveUp(id, job.host, at: now.uptime)
        counters.transfersStoppedEarly += 1
        counters.bytesNotNeeded += saved
        // The part is stored even if it has not grown, because the server has just confirmed that
        // it is fresh.
        let kept = attempt.partial(of: job.request, ofAtLeast: 1).map { partial in
            DownloadAction.keepPartial(job.request, partial)
        }
        return [.cancel(id)] + trace(.stoppedEarly(savedByteCount: saved), job.request.url)
            + (kept.map { [$0] } ?? [])
    }
}

extension DownloadQueue {
    /// Lets a transfer without listeners run to completion for the disk cache.
    ///
    /// Returns nil if the transfer is not running, or if it must be stopped because that is cheaper
    /// or because `maximumDetachedTransfers` such transfers are already running. With
    /// `continuesInBackground`, a running transfer is never stopped.
    ///
    /// The transfer frees its slot immediately, so no visible load waits for it. Each such transfer
    /// uses a connection beyond the limits, so at most `maximumDetachedTransfers` of them run at a
    /// time. If that number is reached, a transfer with `continuesInBackground` keeps its slot.
    mutating func detach(_ id: TransferID) -> [DownloadAction]? {
        guard let attempt = attempts[id], let job = jobs[id] else { return nil }
        let hasPlace = withoutSlotCount < configuration.maximumDetachedTransfers
        let isCheap = attempt.detachRule(
            roundTrip: latencies.roundTrip(to: job.host),
            at: now.uptime
        ).finishes
        guard job.continuesInBackground || (hasPlace && isCheap) else { return nil }
        return letEnd(id, job)
    }

    /// Lets a transfer run to completion for the disk cache, without a slot if possible.
    mutating func letEnd(_ id: TransferID, _ job: DownloadJob) -> [DownloadAction] {
        let hasPlace = withoutSlotCount < configuration.maximumDetachedTransfers
        attempts[id]?.standing = hasPlace ? .detachedWithoutSlot : .detached
        if hasPlace { giveBackSlot(of: job.host) }
        counters.transfersDetached += 1
        return trace(.detached, job.request.url)
    }

    private var withoutSlotCount: Int {
        attempts.values.count { $0.standing == .detachedWithoutSlot }
    }

    /// Prepares a transfer without listeners for a new listener.
    ///
    /// The transfer takes a slot even if all slots are taken, because it is already running.
    mutating func attach(_ id: TransferID) {
        guard let attempt = attempts[id], let job = jobs[id] else { return }
        if attempt.standing == .detachedWithoutSlot { slots.take(job.host) }
        attempts[id]?.standing = .listened
    }

    /// Ends a running or waiting job without listeners.
    mutating func abandon(_ id: TransferID) -> [DownloadAction] {
        let attempt = attempts[id]
        let reception = attempt?.reception
        if let attempt, let request = jobs[id]?.request {
            jobs[id]?.partial = attempt.partial(of: request)
        }
        guard let job = remove(id) else { return [] }
        let saved = reception?.missingByteCount ?? 0
        let ends = trace(.cancelled(savedByteCount: saved), job.request.url) + detachedPart(of: job)
        guard reception != nil else { return ends }
        breakers.gaveUp(id, job.host, at: now.uptime)
        counters.transfersCancelled += 1
        counters.bytesSaved += saved
        return [.cancel(id)] + ends
    }

    func detachedPart(of job: DownloadJob) -> [DownloadAction] {
        job.gain.map { [.keepPartial(job.request, $0)] } ?? []
    }

    /// Removes a job from all tables and frees its slot.
    mutating func remove(_ id: TransferID) -> DownloadJob? {
        guard let job = jobs.remove(id) else { return nil }
        waiting.remove(id)
        resting.remove(id)
        undecided[id] = nil
        release(id, job.host)
        return job
    }
}

extension DownloadQueue {
    /// Sets the current time to `moment` and queues the jobs whose pause is over.
    ///
    /// `now.uptime` never decreases, even if two threads read the clock in one order and call this
    /// method in the opposite order.
    mutating func advance(to moment: Moment) -> [DownloadAction] {
        now = Moment(uptime: max(now.uptime, moment.uptime), wallTime: moment.wallTime)
        for id in resting.takeDue(at: now.uptime) {
            guard let job = jobs[id] else { continue }
            queue(id, job)
        }
        return wakeHosts() + startReady()
    }

    /// Handles the wake-up that `setAlarm` scheduled.
    mutating func wakeUp() -> [DownloadAction] {
        alarm = nil
        return setAlarm()
    }

    /// Schedules a wake-up for the next pause to end or the next host to be checked.
    ///
    /// Nothing is scheduled if an earlier wake-up is pending.
    mutating func setAlarm() -> [DownloadAction] {
        guard let next = [resting.next, hostWakes.next].compactMap(\.self).min(),
            alarm.map({ next < $0 }) ?? true
        else { return [] }
        alarm = next
        return [.wake(at: next)]
    }
}
