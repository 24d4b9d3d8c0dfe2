// This file updates the state of hosts based on their transfers, and handles the jobs that wait for
// a host.
//
// A job waits for its host if a listener requested that. The job is either in `waiting`, parked
// while requests to the host are suspended or the host has requested a pause, or in `resting`,
// during the pause after its own failure. The queue's single alarm wakes the jobs of a host when
// the host may be contacted again, and when `patience` has expired. Leaving, cancelling and
// priorities work as for every other job.

extension DownloadQueue {
    /// Updates a host's state after it has sent a response head.
    mutating func hear(
        _ health: HostHealth,
        from id: TransferID,
        _ host: String
    ) -> [DownloadAction] {
        guard health == .answering else { return [] }
        slots.answered(host, width: width)
        ownLimit.answered(most: width)
        guard breakers.answered(id, host, at: now.uptime) else { return [] }
        waiting.hostOpened(host)
        return trace(.hostAvailability(isAvailable: true), host)
            + [.tell(.hostAvailable(host: host))] + startReady()
    }

    /// Updates a host's state after one of its transfers has failed.
    ///
    /// If the host becomes unavailable, its queued jobs fail immediately. Their listeners receive
    /// the reason and how long the host remains unavailable. Jobs that wait for the host do not
    /// fail; their listeners receive the reason as an event.
    mutating func hearOfEnd(
        _ health: HostHealth,
        _ error: ImageLoadingError,
        _ id: TransferID,
        _ host: String
    ) -> [DownloadAction] {
        guard health == .failing else {
            breakers.gaveUp(id, host, at: now.uptime)
            let isOurs = error.kind == .offline || error.isOurLack
            if isOurs { breakers.wasOutOfReach(host, at: now.uptime) }
            return []
        }
        let asked = [429, 503].contains(error.httpStatus) ? error.retryAfter : nil
        // A longer pause in a 503 applies to this image only, because the page that sent the 503
        // may be specific to the image.
        let isLong = asked.map { $0 > RetryPolicy.longestPause } ?? false
        let longPause = isLong && error.httpStatus == 429 ? asked : nil
        if let asked, !isLong { breakers.rest(host, until: now.uptime + asked, at: now.uptime) }
        let wasClosed = breakers.isClosed(host)
        guard breakers.failed(id, host, at: now.uptime, asked: longPause),
            let refusal = breakers.refusal(of: host, at: now.uptime)
        else { return setWake(for: host) }
        let isWaitedFor = mayWait(for: host)
        let ends = pausedJobs(of: host).flatMap { other in
            isWaitedFor && jobs[other]?.waitsForHost == true
                ? tellWaiting(other, error) : giveUp(other, refusal)
        }
        return trace(.hostAvailability(isAvailable: false), host)
            + (wasClosed ? [.tell(.hostUnavailable(host: host, error))] : [])
            + ends + setWake(for: host)
    }

    /// Reduces the number of simultaneous transfers if more of them are running than the host or
    /// this process can handle.
    ///
    /// A refused connection to a host that has never responded does not count; the host's circuit
    /// breaker handles it.
    mutating func narrow(
        _ attempt: DownloadAttempt,
        _ error: ImageLoadingError,
        _ host: String
    ) -> [DownloadAction] {
        let lastStarted = counters.transfersStarted
        if error.isOurLack {
            let (running, isFirst) = (attempts.count, ownLimit.limit == nil)
            guard
                ownLimit.refused(attempt.number, running: running, lastStarted: lastStarted),
                isFirst, let count = ownLimit.limit
            else { return [] }
            return [.tell(.outOfResources(error, count: count))]
        }
        let isKnown = slots.answerCount(of: host) > 0
        let isRefusal = attempt.reception.head == nil ? error.isRefusal : error.httpStatus == 503
        guard (isRefusal && isKnown) || error.httpStatus == 429,
            let limit = slots.refused(attempt.number, by: host, lastStarted: lastStarted),
            limit.isFound, let count = limit.limit
        else { return [] }
        return [.tell(.fewerTransfers(host: host, count: count))]
    }

    /// Clears the recorded failures of all hosts, so requests are sent to every host again.
    mutating func clearUnavailableHosts() -> [DownloadAction] {
        let hosts = breakers.unavailableHosts(at: now.uptime)
        breakers.removeAll()
        for host in hosts { waiting.hostOpened(host) }
        return hosts.flatMap { trace(.hostAvailability(isAvailable: true), $0) } + startReady()
    }
}

// MARK: - Waiting for a host

extension DownloadQueue {
    /// Returns whether a job may wait for a host.
    ///
    /// The result is true if the wait ends within `DownloaderConfiguration.patience` after the host
    /// began to fail. The wait ends when the host may be contacted again and `pause` is over.
    func mayWait(for host: String, until pause: Duration? = nil) -> Bool {
        guard configuration.patience > .zero else { return false }
        let start = breakers.failingSince(host) ?? now.uptime
        let next = breakers.nextAdmission(of: host, at: now.uptime) ?? now.uptime
        return max(next, now.uptime + (pause ?? .zero)) < start + configuration.patience
    }

    /// Makes a job wait for its host after a failed attempt.
    ///
    /// Returns nil if the job cannot wait: no listener requested it, the error cannot be retried,
    /// `mayWait` returns false, or no attempts are left. If requests to the host are not suspended,
    /// the method also returns nil if the image itself may have caused the failure, or if a hook
    /// decides on the next attempt.
    mutating func waitForHost(
        _ id: TransferID,
        _ error: ImageLoadingError,
        _ blame: FailureBlame
    ) -> [DownloadAction]? {
        guard let job = jobs[id], job.waitsForHost, !job.listeners.isEmpty,
            error.isRetryable, mayWait(for: job.host, until: error.retryAfter)
        else { return nil }
        let isClosed = breakers.isClosed(job.host)
        // While requests to the host are not suspended, a hook decides on the next attempt.
        guard !isClosed || (blame != .picture && !asksBeforeRetry),
            job.history.count < configuration.maximumAttempts
        else { return nil }
        release(id, job.host)
        guard let next = jobs.renew(id) else { return nil }
        guard isClosed else {
            queue(next, job)
            return tellWaiting(next, error) + setWake(for: job.host)
        }
        let pause =
            error.retryAfter
            ?? retryPolicy.randomPause(after: min(job.history.uncountedCount, 2), using: &random)
        resting.insert(next, until: now.uptime + pause)
        return trace(.retried(attempt: job.history.count, pause: pause), job.request.url)
            + tellWaiting(next, error) + setWake(for: job.host) + setAlarm()
    }

    /// Returns the actions that inform a job's listeners why it is waiting.
    func tellWaiting(_ id: TransferID, _ error: ImageLoadingError) -> [DownloadAction] {
        jobs[id]?.listeners.ids.map { .notify($0, .waiting(error)) } ?? []
    }

    /// Makes jobs ready when their host may be contacted again; ends jobs that have waited too
    /// long.
    mutating func wakeHosts() -> [DownloadAction] {
        var actions: [DownloadAction] = []
        for host in hostWakes.takeDue(at: now.uptime) {
            if let time = nextWakes[host], time <= now.uptime { nextWakes[host] = nil }
            waiting.hostOpened(host)
            if !mayWait(for: host) { actions += endWaiting(for: host) }
            actions += setWake(for: host)
        }
        return actions
    }

    private mutating func endWaiting(for host: String) -> [DownloadAction] {
        let refusal = breakers.refusal(of: host, at: now.uptime)
        return pausedJobs(of: host).flatMap { id -> [DownloadAction] in
            guard let job = jobs[id], job.waitsForHost, let error = job.lastError ?? refusal else {
                return []
            }
            return giveUp(id, error)
        }
    }

    /// Schedules a wake-up for the jobs that wait for a host.
    ///
    /// The wake-up occurs when the host may be contacted again, or when the jobs have waited for
    /// `DownloaderConfiguration.patience`, whichever is earlier.
    mutating func setWake(for host: String) -> [DownloadAction] {
        let admission = breakers.nextAdmission(of: host, at: now.uptime)
        let end = breakers.failingSince(host).map { $0 + configuration.patience }
        guard admission != nil || end != nil else { return [] }
        let paused = pausedJobs(of: host)
        let isWaitedFor = paused.contains { jobs[$0]?.waitsForHost == true }
        let next = [paused.isEmpty ? nil : admission, isWaitedFor ? end : nil]
            .compactMap(\.self).filter { $0 > now.uptime }.min()
        guard let next, nextWakes[host].map({ next < $0 }) ?? true else { return [] }
        nextWakes[host] = next
        hostWakes.add(host, at: next)
        return setAlarm()
    }

    /// Returns all jobs of a host except running jobs, oldest first.
    private func pausedJobs(of host: String) -> [TransferID] {
        jobs.ids.filter { attempts[$0] == nil && jobs[$0]?.host == host }
    }
}

extension ImageLoadingError {
    /// Whether a server refused a connection or closed it.
    fileprivate var isRefusal: Bool {
        isLostConnection || transferFailure?.kind == .noConnection
    }
}
