internal import Glibc

/// Pressure as Linux tells it: pressure stall information (PSI) of the machine and of the process's
/// control group, and how full that group is.
///
/// Each watch has a thread of its own that sleeps until the kernel says that 150 ms out of 2 s were
/// lost waiting for memory: an idle program is not woken. Where the kernel can't be asked to do
/// that (`/proc` mounted read-only, say), its averages are read every 5 s. Without PSI, before
/// Linux 4.20 or with `psi=0`, there is nothing to watch.
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
        guard OwnThread.start(name: "pressure", body: { [loop] in loop.run() }) else {
            loop.closeTriggers()
            return .unavailable("no thread left")
        }
        let method: MemoryPressureWatch.Method =
            triggers.isEmpty ? .readingAverages : .kernelTriggers(triggers.map(\.name))
        return MemoryPressureWatch(method: method) { wakeup.ring() }
    }
}

extension MemoryPressureWatch {
    /// A watch that never tells anything.
    fileprivate static func unavailable(_ reason: String) -> MemoryPressureWatch {
        MemoryPressureWatch(method: .unavailable(reason)) {}
    }
}
