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
        let news = trace(.cancelled(savedByteCount: saved), job.request.url) + detachedPart(of: job)
        guard reception != nil else { return news }
        breakers.gaveUp(id, job.host, at: now.uptime)
        counters.transfersCancelled += 1
        counters.bytesSaved += saved
        return [.cancel(id)] + news
    }

    func detachedPart(of job: DownloadJob) -> [DownloadAction] {
        job.gain.map { [.keepPartial(job.request, $0)] } ?? []
    }

    /// Takes a job out of everything.
    mutating func remove(_ id: TransferID) -> DownloadJob? {
        guard let job = jobs.remove(id) else { return nil }
        waiting.remove(id)
        resting.remove(id)
        release(id, job.host)
        return job
    }
}
