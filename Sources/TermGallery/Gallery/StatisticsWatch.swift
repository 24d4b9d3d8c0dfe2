import ImageLoading

/// Tells when the statistics have come to rest and need no further look.
///
/// Pure.
struct StatisticsWatch {
    private var last: LoadingStatistics?
    private var hasToldDiskProblem = false

    /// What is wrong with the disk cache, once: the statistics panel goes on counting.
    mutating func takeDiskProblem(of statistics: LoadingStatistics) -> String? {
        guard !hasToldDiskProblem, let problem = statistics.diskProblem else { return nil }
        hasToldDiskProblem = true
        return problem
    }

    /// Whether the statistics stay as they are until the next event.
    ///
    /// A file reaches the disk, and a transfer that only fills the cache ends, without an event;
    /// how long that takes is up to the disk and the server, so that two equal ones alone say
    /// nothing.
    mutating func areAtRest(_ statistics: LoadingStatistics) -> Bool {
        defer { last = statistics }
        return statistics == last && !statistics.isDiskBusy && statistics.liveTransfers == 0
    }
}
