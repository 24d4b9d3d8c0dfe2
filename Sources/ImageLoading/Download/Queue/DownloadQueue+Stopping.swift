extension DownloadQueue {
    /// Ends a listener for whom what has come is enough; nil if it goes on waiting.
    ///
    /// The transfer goes on for the others. After the last one it is stopped, and what has come is
    /// kept; or it ends for the disk, in its slot if need be, where that is cheaper.
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
