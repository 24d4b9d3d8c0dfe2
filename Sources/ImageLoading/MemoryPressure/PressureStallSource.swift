internal import Glibc
internal import SystemSupport

/// Reports memory pressure on Linux, based on the kernel's pressure stall information (PSI).
///
/// The source uses the PSI of the machine and of the process's control group, and the memory usage
/// of that group. Each watch has its own thread, which sleeps until the kernel reports that threads
/// have waited for memory for 150 ms within 2 s, so an idle program is not woken. If the kernel
/// accepts no trigger (for example because `/proc` is mounted read-only), the PSI averages are read
/// every 5 s. Without PSI (before Linux 4.20, or with `psi=0`), nothing is watched.
///
/// Waiting threads count only if memory is short: less than a quarter of the machine's memory is
/// available, or one of the process's control groups is three quarters full.
public struct PressureStallSource: MemoryPressureSource {
    private let files: PressureFiles
    private let readingInterval: Duration

    /// Creates a source that watches this machine.
    public init() {
        self.init(files: .system)
    }

    /// Creates a source that reads `files`, which a test can control.
    init(files: PressureFiles, readingInterval: Duration = .seconds(5)) {
        self.files = files
        self.readingInterval = readingInterval
    }

    /// Starts a thread that calls `onPressure`; opens a few files in `/proc` and `/sys`.
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
    /// Returns a watch that never reports anything.
    fileprivate static func unavailable(_ reason: String) -> MemoryPressureWatch {
        MemoryPressureWatch(method: .unavailable(reason)) {}
    }
}

/// The main loop of a watch's thread; the thread owns the loop.
struct PressureLoop: Sendable {
    /// The descriptor that ends the loop when it is signaled; the signal is never reset.
    let wakeup: WakeupDescriptor
    /// The kernel's triggers; if the array is empty, the averages are read instead.
    var triggers: [PressureFiles.Trigger]
    let readingInterval: Duration
    let read: @Sendable () -> MemoryPressureReading?
    let onPressure: @Sendable (MemoryPressure) -> Void

    private enum Waking {
        case ended
        case triggered
        case timePassed
    }

    /// Watches for pressure until `wakeup` is signaled or nothing is left to watch.
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

    /// Returns whether a trigger fired, and removes the triggers that can never fire again, for
    /// example because their control group was removed.
    private mutating func take(_ events: [Int32]) -> Bool {
        for index in triggers.indices.reversed() where events[index] & (POLLERR | POLLNVAL) != 0 {
            close(triggers.remove(at: index).descriptor)
        }
        return events.contains { $0 & POLLPRI != 0 }
    }
}

extension Duration {
    /// The timeout for `poll` in milliseconds, at least 1 so that `poll` always waits.
    fileprivate var milliseconds: Int32 {
        let (seconds, attoseconds) = components
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: 1000)
        guard !overflow else { return .max }
        return Int32(clamping: max(1, whole &+ attoseconds / 1_000_000_000_000_000))
    }
}
