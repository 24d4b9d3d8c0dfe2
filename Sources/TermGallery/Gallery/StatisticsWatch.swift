import ImageLoading

/// Detects when the statistics have stopped changing and need no further checks.
///
/// This type has no side effects.
struct StatisticsWatch {
    private var last: LoadingStatistics?
    private var hasToldDiskProblem = false

    /// Returns the first problem with the disk cache.
    ///
    /// All later calls return nil. Further failures are only counted in the statistics panel.
    mutating func takeDiskProblem(of statistics: LoadingStatistics) -> String? {
        guard !hasToldDiskProblem, let problem = statistics.diskProblem else { return nil }
        hasToldDiskProblem = true
        return problem
    }

    /// Returns whether the statistics will not change before the next event.
    ///
    /// Finding equal statistics in two checks is not enough. No event reports that a file has been
    /// written to disk or that a transfer that only fills the cache has ended, and both may take
    /// arbitrarily long.
    mutating func areAtRest(_ statistics: LoadingStatistics) -> Bool {
        defer { last = statistics }
        return statistics == last && !statistics.isDiskBusy && statistics.liveTransfers == 0
    }
}
