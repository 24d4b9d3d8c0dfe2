internal import Glibc

/// The kernel's files about memory pressure: a door, since no test can make memory short.
struct PressureFiles: Sendable {
    /// A file that becomes urgent to `poll` (POLLPRI) when memory is short.
    struct Trigger: Sendable {
        let name: String
        let descriptor: Int32
    }

    /// Asks the kernel to be woken; empty where it can't be asked.
    ///
    /// Who asks closes the descriptors.
    var armTriggers: @Sendable () -> [Trigger]
    /// What the kernel says at this moment; nil where it says nothing.
    var read: @Sendable () -> MemoryPressureReading?

    /// Those of `/proc` and `/sys`.
    static let system = PressureFiles(
        armTriggers: { pressureFiles().compactMap(arm) },
        read: { reading() }
    )

    /// The machine's, and that of the process's own control group if it has one.
    private static func pressureFiles() -> [String] {
        let groups = MemoryBudget.groupFolders().map { $0 + "/memory.pressure" }
        return ["/proc/pressure/memory"] + groups.filter { access($0, R_OK) == 0 }.prefix(1)
    }

    /// 150 ms of waiting in 2 s.
    ///
    /// Unprivileged processes may only ask for windows of a multiple of 2 s (fact P5). The kernel
    /// takes the text with its closing zero.
    private static func arm(_ path: String) -> Trigger? {
        let file = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard file >= 0 else { return nil }
        let request = "some 150000 2000000"
        guard write(file, request, request.utf8.count + 1) > 0 else {
            close(file)
            return nil
        }
        return Trigger(name: path, descriptor: file)
    }

    private static func reading() -> MemoryPressureReading? {
        let averages = pressureFiles().compactMap(KernelText.contents)
        guard !averages.isEmpty else { return nil }
        var reading = MemoryPressureReading()
        for text in averages { reading.takeAverages(text) }
        for folder in MemoryBudget.groupFolders() { takeUsage(ofGroup: folder, into: &reading) }
        return reading
    }

    private static func takeUsage(
        ofGroup folder: String,
        into reading: inout MemoryPressureReading
    ) {
        // At `high` a group is slowed down until it crawls, at `max` it is killed.
        let limits = ["/memory.high", "/memory.max"].compactMap {
            KernelText.contents(of: folder + $0).flatMap(MemoryBudget.groupLimit)
        }
        guard let limit = limits.min(),
            let current = KernelText.contents(of: folder + "/memory.current")
        else { return }
        reading.takeUsage(
            current: current,
            statistics: KernelText.contents(of: folder + "/memory.stat") ?? "",
            limit: limit
        )
    }
}
