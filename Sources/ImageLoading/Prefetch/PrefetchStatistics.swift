/// What a prefetcher has done and still has to do, over all its lists.
public struct PrefetchStatistics: Hashable, Sendable {
    /// Requests that wait in a list.
    public internal(set) var waiting = 0
    /// Loads under way.
    public internal(set) var running = 0
    /// Outcomes so far.
    public internal(set) var ended = PrefetchSummary()

    /// Makes empty statistics.
    public init() {}
}
