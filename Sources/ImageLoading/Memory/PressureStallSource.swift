internal import Glibc

/// Pressure as Linux tells it: pressure stall information (PSI) of the machine and of the process's
/// control group, and how full that group is.
///
/// Each watch has a thread of its own that sleeps until the kernel says that 150 ms out of 2 s were
/// lost waiting for memory: an idle program is not woken. Where the kernel can't be asked to do
/// that (`/proc` mounted read-only, say), its averages are read every 5 s. Without PSI, before
/// Linux 4.20 or with `psi=0`, there is nothing to watch. Lost time counts only where memory is
/// short: less than a quarter of the machine's can be had, or a group of the process's is three
/// quarters full.
public struct PressureStallSource: MemoryPressureSource {
    private let files: PressureFiles
    private let readingInterval: Duration

    /// Makes a source of this machine's pressure.
    public init() {
        self.init(files: .system)
    }

    /// The door for tests: files that a test can make urgent.
    init(files: PressureFiles, readingInterval: Duration = .seconds(5)) {
        self.files = files
        self.readingInterval = readingInterval
    }

    /// Starts a thread that calls `onPressure`; does a little I/O in `/proc` and `/sys`.
    public func watch(
        _ onPressure: @escaping @Sendable (MemoryPressure) -> Void
    ) -> MemoryPressureWatch {
        let triggers = files.armTriggers()
        guard !triggers.isEmpty || files.read() != nil else {
            return .unavailable("no pressure stall information on this system")
        }
        guard let wakeup = WakeupDescriptor() else {
            for trigger in triggers { close(trigger.descriptor) }
            return .unavailable("no file descriptor left")
        }
        var loop = PressureLoop(
            wakeup: wakeup,
            triggers: triggers,
            readingInterval: readingInterval,
            read: files.read,
            onPressure: onPressure
        )
        guard POSIXThread.startDetached(name: "pressure", body: { [loop] in loop.run() }) else {
            loop.closeTriggers()
            return .unavailable("no thread left")
        }
        let method: MemoryPressureWatch.Method =
            triggers.isEmpty ? .readingAverages : .kernelTriggers(triggers.map(\.name))
        return MemoryPressureWatch(method: method) { wakeup.signal() }
    }
}

extension MemoryPressureWatch {
    /// A watch that never tells anything.
    fileprivate static func unavailable(_ reason: String) -> MemoryPressureWatch {
        MemoryPressureWatch(method: .unavailable(reason)) {}
    }
}

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
            case .triggered:
                let reading = read() ?? MemoryPressureReading()
                if reading.isShort { onPressure(reading.pressure) }
            case .timePassed:
                guard let reading = read() else { return }
                if reading.reachesTrigger, reading.isShort { onPressure(reading.pressure) }
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
