internal import Glibc

/// What the thread of a `PressureStallSource` does all its life; owned by it.
struct PressureLoop: Sendable {
    /// Ends the loop; it is never silenced.
    let wakeup: WakeupDescriptor
    /// Empty: the averages are read instead.
    var triggers: [PressureFiles.Trigger]
    let readingInterval: Duration
    let read: @Sendable () -> MemoryPressureReading?
    let onPressure: @Sendable (MemoryPressure) -> Void

    private enum Waking {
        case ended
        case triggered
        case timePassed
    }

    /// Returns when the wakeup rings, or when there is nothing left to watch.
    func run() {
        var loop = self
        loop.watch()
        loop.closeTriggers()
    }

    mutating func closeTriggers() {
        for trigger in triggers { close(trigger.descriptor) }
        triggers = []
    }

    private mutating func watch() {
        while true {
            switch wait() {
            case .ended: return
            case .triggered: onPressure((read() ?? MemoryPressureReading()).pressure)
            case .timePassed:
                guard let reading = read() else { return }
                if reading.reachesTrigger { onPressure(reading.pressure) }
            }
        }
    }

    private mutating func wait() -> Waking {
        while true {
            var sources = [pollfd(fd: wakeup.descriptor, events: Int16(POLLIN), revents: 0)]
            sources += triggers.map {
                pollfd(fd: $0.descriptor, events: Int16(POLLPRI), revents: 0)
            }
            let timeout = triggers.isEmpty ? readingInterval.milliseconds : -1
            let count = poll(&sources, nfds_t(sources.count), timeout)
            if sources[0].revents != 0 { return .ended }
            if count == 0 { return .timePassed }
            if take(sources.dropFirst().map { Int32($0.revents) }) { return .triggered }
        }
    }

    /// Whether a trigger fired; drops those that never will again, as when their group is removed.
    private mutating func take(_ events: [Int32]) -> Bool {
        for index in triggers.indices.reversed() where events[index] & (POLLERR | POLLNVAL) != 0 {
            close(triggers.remove(at: index).descriptor)
        }
        return events.contains { $0 & POLLPRI != 0 }
    }
}

extension Duration {
    /// For `poll`; at least 1, so that it always waits.
    fileprivate var milliseconds: Int32 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return .max }
        return Int32(clamping: max(1, whole &+ attoseconds / 1_000_000_000_000_000))
    }
}
