import ImageLoading

/// Detects when the statistics have stopped changing and need no further checks.
///
/// This type has no side effects.
struct StatisticsWatch {
    private var last: LoadingStatistics?
    private var hasToldDiskProblem = false

    /// Returns the problem with the disk cache the first time that there is a problem, and nil
    /// afterward.
    ///
    /// Further failures are only counted in the statistics panel.
    mutating func takeDiskProblem(of statistics: LoadingStatistics) -> String? {
        guard !hasToldDiskProblem, let problem = statistics.diskProblem else { return nil }
        hasToldDiskProblem = true
        return problem
    }

    /// Returns whether the statistics will not change before the next event.
    ///
    /// No event reports that a file has been written to disk, or that a transfer that only fills
    /// the cache has ended. Both may happen after any length of time, so two equal values alone do
    /// not prove that the statistics have stopped changing.
    mutating func areAtRest(_ statistics: LoadingStatistics) -> Bool {
        defer { last = statistics }
        return statistics == last && !statistics.isDiskBusy && statistics.liveTransfers == 0
    }
}
