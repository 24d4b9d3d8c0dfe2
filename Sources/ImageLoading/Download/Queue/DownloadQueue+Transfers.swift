extension DownloadQueue {
    /// Starts what may start.
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

    /// What a listener hears first of it is `(0, nil)`.
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

extension DownloadQueue {
    /// Ends a listener for whom what has come is enough; nil if it continues to wait.
    ///
    /// The transfer continues for the others. After the last one it is stopped, and what has come
    /// is kept; or it ends for the disk, in its slot if need be, where that is cheaper.
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
        // What has come is kept before anybody hears of the end, and may ask for it.
        return (isLet ? letEnd(id, job) : stop(id, attempt)) + [end] + startReady()
    }

    private mutating func stop(_ id: TransferID, _ attempt: DownloadAttempt) -> [DownloadAction] {
        guard let job = remove(id) else { return [] }
        let saved = attempt.reception.missingByteCount
        breakers.gaveUp(id, job.host, at: now.uptime)
        counters.transfersStoppedEarly += 1
        counters.bytesNotNeeded += saved
        // Also if it has not grown: its server has just said that it is still good.
        let kept = attempt.partial(of: job.request, ofAtLeast: 1).map { partial in
            DownloadAction.keepPartial(job.request, partial)
        }
        return [.cancel(id)] + trace(.stoppedEarly(savedByteCount: saved), job.request.url)
            + (kept.map { [$0] } ?? [])
    }
}

extension DownloadQueue {
    /// Lets a transfer without listeners end for the disk; nil if it doesn't run, or is cheaper to
    /// break off.
    ///
    /// It gives its slot back at once, so that nobody who is waited for waits for it. In return no
    /// more than a few may do so at a time: each is a connection more than the limits say. What was
    /// asked to continue beyond these keeps its slot, as it would with a listener.
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

    /// Lets a running transfer end for the disk.
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

    /// Takes a detached transfer back, for a listener who has come.
    ///
    /// It takes a slot even if all are taken: it runs already.
    mutating func attach(_ id: TransferID) {
        guard let attempt = attempts[id], let job = jobs[id] else { return }
        if attempt.standing == .detachedWithoutSlot { slots.take(job.host) }
        attempts[id]?.standing = .listened
    }

    /// Stops a job that nobody wants, running or not.
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

    /// Takes a job out of everything.
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
    /// Lets the time come to `moment`, and queues those whose pause is over.
    ///
    /// Uptime doesn't go back, even if two threads read it in one order and come here in the other.
    mutating func advance(to moment: Moment) -> [DownloadAction] {
        now = Moment(uptime: max(now.uptime, moment.uptime), wallTime: moment.wallTime)
        for id in resting.takeDue(at: now.uptime) {
            guard let job = jobs[id] else { continue }
            queue(id, job)
        }
        return wakeHosts() + startReady()
    }

    /// The wake-up that was asked for is here.
    mutating func wakeUp() -> [DownloadAction] {
        alarm = nil
        return setAlarm()
    }

    /// Asks for a wake-up, unless an earlier one will come.
    mutating func setAlarm() -> [DownloadAction] {
        guard let next = [resting.next, hostWakes.next].compactMap(\.self).min(),
            alarm.map({ next < $0 }) ?? true
        else { return [] }
        alarm = next
        return [.wake(at: next)]
    }
}
