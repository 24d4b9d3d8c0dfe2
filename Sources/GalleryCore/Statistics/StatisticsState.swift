package import ImageLoading

/// New counters for the statistics.
package enum StatisticsMessage: Sendable {
    /// The image load counters have changed.
    case loading(LoadingStatistics)
    /// The progress of prefetching, and the running transfers.
    case prefetching(PrefetchStatistics, [PrefetchTransfer])
    /// The response times of the screen, and the number of images stored in the terminal.
    case screen(ScreenStatistics)
}

/// The transfer of an image that is loaded before it is visible.
package struct PrefetchTransfer: Equatable, Sendable {
    let item: Int
    let progress: LoadProgress

    package init(item: Int, progress: LoadProgress) {
        self.item = item
        self.progress = progress
    }
}

/// The newest counters for image loads, prefetching and the screen.
struct StatisticsState: Equatable, Sendable {
    private(set) var loading = LoadingStatistics()
    private(set) var prefetching = PrefetchStatistics()
    private(set) var prefetchTransfers: [PrefetchTransfer] = []
    private(set) var screen = ScreenStatistics()

    /// Whether prefetching is forbidden because memory is low.
    ///
    /// A prefetched image could evict a visible image.
    var forbidsPrefetching: Bool { loading.memoryStage?.allowsPrefetching == false }

    /// Replaces the counters of one kind with those in `message`.
    ///
    /// Returns whether the number of servers to which requests are paused has increased.
    mutating func update(_ message: StatisticsMessage) -> Bool {
        switch message {
        case .loading(let statistics):
            defer { loading = statistics }
            return statistics.unavailableHosts > loading.unavailableHosts
        case .prefetching(let statistics, let transfers):
            prefetching = statistics
            prefetchTransfers = transfers
        case .screen(let statistics): screen = statistics
        }
        return false
    }
}
