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
