extension DownloadQueue {
    /// Lets the time come to `moment`, and goes on with those whose pause is over.
    ///
    /// Uptime doesn't go back, even if two threads read it in one order and come here in the other.
    mutating func advance(to moment: Moment) -> [DownloadAction] {
        now = Moment(uptime: max(now.uptime, moment.uptime), wallTime: moment.wallTime)
        for id in resting.takeDue(at: now.uptime) {
            guard let job = jobs[id] else { continue }
            waiting.insert(
                id,
                host: job.host,
                priority: job.listeners.priority,
                sequenceNumber: job.request.sequenceNumber
            )
        }
        return startReady()
    }

    /// The wake-up that was asked for is here.
    mutating func wakeUp() -> [DownloadAction] {
        alarm = nil
        return setAlarm()
    }

    /// Asks for a wake-up, unless an earlier one will come.
    mutating func setAlarm() -> [DownloadAction] {
        guard let next = resting.next, alarm.map({ next < $0 }) ?? true else { return [] }
        alarm = next
        return [.wake(at: next)]
    }
}
