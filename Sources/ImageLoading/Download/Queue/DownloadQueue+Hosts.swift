extension DownloadQueue {
    /// Takes in what the head of an answer says about its host.
    mutating func hear(
        _ health: HostHealth,
        from id: TransferID,
        _ host: String
    ) -> [DownloadAction] {
        guard health == .answering, breakers.answered(id, host) else { return [] }
        waiting.hostOpened(host)
        return trace(.hostAvailability(isAvailable: true), host) + startReady()
    }

    /// Takes in what a failure says about its host.
    ///
    /// When the host becomes unavailable, all that wait for it fail at once: they see the reason
    /// and the time, instead of nothing.
    mutating func hearOfEnd(
        _ health: HostHealth,
        _ error: ImageLoadingError,
        _ id: TransferID,
        _ host: String
    ) -> [DownloadAction] {
        guard health == .failing else {
            breakers.gaveUp(id, host, at: now.uptime)
            return []
        }
        let asked = error.httpStatus == 429 ? error.retryAfter : nil
        let longPause = asked.flatMap { $0 > RetryPolicy.longestPause ? $0 : nil }
        guard breakers.failed(id, host, at: now.uptime, asked: longPause),
            let refusal = breakers.refusal(of: host, at: now.uptime)
        else { return [] }
        let others = jobs.ids.filter { attempts[$0] == nil && jobs[$0]?.host == host }
        return trace(.hostAvailability(isAvailable: false), host)
            + others.flatMap { giveUp($0, refusal) }
    }

    /// Forgets all failures of hosts, so that every one is asked again.
    mutating func clearUnavailableHosts() -> [DownloadAction] {
        let hosts = breakers.unavailableHosts(at: now.uptime)
        breakers.removeAll()
        for host in hosts { waiting.hostOpened(host) }
        return hosts.flatMap { trace(.hostAvailability(isAvailable: true), $0) } + startReady()
    }
}
