internal import Glibc

/// The kernel's memory pressure files.
///
/// Tests replace them, because a test cannot cause a memory shortage.
struct PressureFiles: Sendable {
    /// A file for which `poll` reports POLLPRI when memory is short.
    struct Trigger: Sendable {
        let name: String
        let descriptor: Int32
    }

    /// Registers kernel triggers that wake the process when memory is short.
    ///
    /// Returns an empty array if the kernel does not support this. The caller must close the
    /// descriptors.
    var armTriggers: @Sendable () -> [Trigger]
    /// Returns the kernel's current memory statistics, or nil if the kernel has no pressure files.
    var read: @Sendable () -> MemoryPressureReading?

    /// The files in `/proc` and `/sys`.
    static let system = PressureFiles(
        armTriggers: { pressureFiles().compactMap(arm) },
        read: { reading() }
    )

    /// Returns the pressure files of the machine and of the process's control group, if it has one.
    private static func pressureFiles() -> [String] {
        let groups = MemoryBudget.groupFolders().map { $0 + "/memory.pressure" }
        return ["/proc/pressure/memory"] + groups.filter { access($0, R_OK) == 0 }.prefix(1)
    }

    /// Sets a trigger that fires when threads wait for memory for 150 ms within 2 s.
    ///
    /// Unprivileged processes may only use windows that are a multiple of 2 s. The kernel expects
    /// the string with its terminating NUL byte.
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
        if let text = KernelText.contents(of: "/proc/meminfo") { reading.takeAvailable(text) }
        return reading
    }

    private static func takeUsage(
        ofGroup folder: String,
        into reading: inout MemoryPressureReading
    ) {
        // At `high`, the kernel slows a group down severely; at `max`, it kills the group.
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

/// A snapshot of the kernel's memory statistics.
///
/// This type performs no I/O.
struct MemoryPressureReading: Equatable, Sendable {
    /// The percentage of the last ten seconds in which at least one thread waited for memory.
    var someStalledPercent = 0.0
    /// The percentage of the last ten seconds in which all threads waited for memory.
    var allStalledPercent = 0.0
    /// The memory usage of the process's fullest control group, as a fraction of the group's limit.
    ///
    /// Nil if no group has a limit. File pages that were not used recently do not count, because
    /// the kernel drops them immediately.
    private(set) var groupFill: Double?
    /// The fraction of the machine's memory that is available without swapping; nil if unknown.
    private(set) var availableShare: Double?

    /// Whether memory is short for this process.
    ///
    /// Memory is short if less than a quarter of the machine's memory is available, if the
    /// available share is unknown, or if one of the process's control groups is at least three
    /// quarters full. Waiting threads alone do not prove a shortage. Threads also wait if another
    /// control group is at its limit, or while the kernel moves pages to create large pages. In
    /// those cases, releasing resources in this process would not help.
    var isShort: Bool {
        guard let availableShare, availableShare >= 0.25 else { return true }
        return (groupFill ?? 0) >= 0.75
    }

    /// The severity of the memory shortage; only meaningful if threads are waiting for memory.
    ///
    /// The kernel kills a group at its limit instead of slowing it down, so the distance to the
    /// limit counts more than the waiting time. The limits of 10 % and 40 % are estimates: users
    /// notice if a tenth of the time is lost.
    var pressure: MemoryPressure {
        let fill = groupFill ?? 0
        if fill >= 0.95 || allStalledPercent >= 40 { return .critical }
        if fill >= 0.85 || allStalledPercent >= 10 { return .serious }
        return .moderate
    }

    /// Whether threads waited as long as the kernel's trigger requires: 150 ms within 2 s.
    var reachesTrigger: Bool { someStalledPercent >= 7.5 }

    /// Parses the two lines of a pressure file.
    ///
    ///     some avg10=0.12 avg60=0.00 avg300=0.00 total=11220657
    ///     full avg10=0.05 avg60=0.00 avg300=0.00 total=10947541
    mutating func takeAverages(_ text: String) {
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ")
            guard let average = words.first(where: { $0.hasPrefix("avg10=") }),
                let percent = Double(average.dropFirst(6)), percent.isFinite
            else { continue }
            switch words.first {
            case "some": someStalledPercent = max(someStalledPercent, percent)
            case "full": allStalledPercent = max(allStalledPercent, percent)
            default: continue
            }
        }
    }

    /// Parses the lines "MemTotal:  24683924 kB" and "MemAvailable: …" of `/proc/meminfo`.
    mutating func takeAvailable(_ text: String) {
        guard let total = MemoryBudget.byteCount(of: "MemTotal:", inMeminfo: text),
            let available = MemoryBudget.byteCount(of: "MemAvailable:", inMeminfo: text)
        else { return }
        availableShare = Double(available) / Double(total)
    }

    /// Updates `groupFill` from a group's `memory.current` and `memory.stat`, and from its limit.
    ///
    /// Only the line "inactive_file 123" of `memory.stat` is used.
    mutating func takeUsage(current: String, statistics: String, limit: Int) {
        guard let used = Int(current.prefix { !$0.isWhitespace }), used >= 0, limit > 0 else {
            return
        }
        let line = statistics.split(separator: "\n").first { $0.hasPrefix("inactive_file ") }
        let droppable = line.flatMap { Int($0.dropFirst("inactive_file ".count)) } ?? 0
        let fill = Double(used - min(used, max(0, droppable))) / Double(limit)
        groupFill = max(groupFill ?? 0, fill)
    }
}
