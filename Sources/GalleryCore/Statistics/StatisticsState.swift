package import ImageLoading

/// New counters for the statistics.
package enum StatisticsMessage: Sendable {
    /// The image load counters have changed.
    case loading(LoadingStatistics)
    /// The progress of prefetching.
    case prefetching(PrefetchStatistics)
    /// The response times of the screen, and the number of images stored in the terminal.
    case screen(ScreenStatistics)
}

/// The newest counters for image loads, prefetching and the screen.
struct StatisticsState: Equatable, Sendable {
    private(set) var loading = LoadingStatistics()
    private(set) var prefetching = PrefetchStatistics()
    private(set) var screen = ScreenStatistics()

    /// Whether prefetching is forbidden because memory is low.
    ///
    /// A prefetched image could evict a visible image.
    var forbidsPrefetching: Bool { loading.memoryStage?.allowsPrefetching == false }

    /// Replaces the counters of one kind with the counters in `message`.
    ///
    /// Returns whether the number of servers to which requests are paused has increased.
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
