internal import ImageLoading

/// The list of the engine's events, and its place on the screen.
struct TraceState: Equatable, Sendable {
    private(set) var isShown = false
    /// The newest events, oldest first.
    private(set) var events: [TraceEvent] = []
    /// The time of the first event ever recorded.
    private(set) var start = Duration.zero
    /// The first row below the grid, or nil if the trace is not below the grid.
    private(set) var row: Int?

    mutating func toggle() {
        isShown.toggle()
        events = []
    }

    mutating func take(_ events: [TraceEvent], since start: Duration) {
        self.events = events
        self.start = start
    }

    /// Returns the grid above the trace, or the whole grid if the trace does not fit below it.
    mutating func takeRoom(from grid: GridLayout) -> GridLayout {
        let above = isShown ? grid.leaving(rows: TraceView.leastRows) : nil
        row = above?.firstFreeRow
        return above ?? grid
    }

    /// Returns whether the trace is shown and covers the whole screen, because no row of tiles fits
    /// above the trace or because an image is open.
    func isPage(isImageOpen: Bool) -> Bool { isShown && (row == nil || isImageOpen) }
}
