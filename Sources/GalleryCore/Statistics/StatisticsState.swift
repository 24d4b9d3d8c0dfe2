package import ImageLoading

/// New counters for the statistics.
package enum StatisticsMessage: Sendable {
    /// The counters of the engine have changed.
    case loading(LoadingStatistics)
    /// The progress of prefetching.
    case prefetching(PrefetchStatistics)
    /// The latency of the screen, and the number of images held by the terminal.
    case screen(ScreenStatistics)
}

/// The newest counters of the engine, of prefetching and of the screen.
struct StatisticsState: Equatable, Sendable {
    private(set) var loading = LoadingStatistics()
    private(set) var prefetching = PrefetchStatistics()
    private(set) var screen = ScreenStatistics()

    /// Whether prefetching is forbidden because memory is low, so that a prefetched image could
    /// evict a visible image.
    var forbidsPrefetching: Bool { loading.memoryStage?.allowsPrefetching == false }

    /// Replaces the counters in `message`, and returns whether requests to more servers are paused
    /// than before.
    mutating func update(_ message: StatisticsMessage) -> Bool {
        switch message {
        case .loading(let statistics):
            defer { loading = statistics }
            return statistics.unavailableHosts > loading.unavailableHosts
        case .prefetching(let statistics): prefetching = statistics
        case .screen(let statistics): screen = statistics
        }
        return false
    }
}
