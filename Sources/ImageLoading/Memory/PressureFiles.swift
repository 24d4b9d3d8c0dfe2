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
    /// Unprivileged processes may only ask for windows of a multiple of 2 s. The kernel
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
        if let text = KernelText.contents(of: "/proc/meminfo") { reading.takeAvailable(text) }
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

/// What the kernel says about memory at one moment.
///
/// Pure.
struct MemoryPressureReading: Equatable, Sendable {
    /// Share of the last ten seconds, in percent, in which some thread waited for memory.
    var someStalledPercent = 0.0
    /// The same, in which every thread waited.
    var allStalledPercent = 0.0
    /// How full the fullest of the process's control groups is, 1 at its limit; nil without a limit.
    ///
    /// Pages of files that were not used for long don't count: the kernel drops them at once.
    private(set) var groupFill: Double?
    /// The share of the machine's memory that can be had without swapping; nil if unknown.
    private(set) var availableShare: Double?

    /// Whether memory is short for this process.
    ///
    /// Threads also wait for memory where there is plenty: in another control group that is at its
    /// own limit, or while the kernel moves pages to make large ones. Nothing that is given up here
    /// would help them.
    var isShort: Bool {
        guard let availableShare, availableShare >= 0.25 else { return true }
        return (groupFill ?? 0) >= 0.75
    }

    /// How bad it is, once threads are known to wait for memory.
    ///
    /// A group at its limit is killed and not slowed down, so how near it is counts more than
    /// waiting. The percentages are a judgement: at a tenth of all time lost, a person notices.
    var pressure: MemoryPressure {
        let fill = groupFill ?? 0
        if fill >= 0.95 || allStalledPercent >= 40 { return .critical }
        if fill >= 0.85 || allStalledPercent >= 10 { return .serious }
        return .moderate
    }

    /// As many stalls as the trigger asks for: 150 ms in 2 s.
    var reachesTrigger: Bool { someStalledPercent >= 7.5 }

    /// Takes the two lines of a pressure file.
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

    /// Takes the lines "MemTotal:  24683924 kB" and "MemAvailable: …" of `/proc/meminfo`.
    mutating func takeAvailable(_ text: String) {
        guard let total = MemoryBudget.byteCount(of: "MemTotal:", inMeminfo: text),
            let available = MemoryBudget.byteCount(of: "MemAvailable:", inMeminfo: text)
        else { return }
        availableShare = Double(available) / Double(total)
    }

    /// Takes a group's `memory.current`, the line "inactive_file 123" of its `memory.stat`, and its
    /// limit.
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
