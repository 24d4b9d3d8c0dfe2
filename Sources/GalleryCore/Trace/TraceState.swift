internal import ImageLoading

/// The state of the trace, which lists the events of the image loads.
struct TraceState: Equatable, Sendable {
    private(set) var isShown = false
    /// The newest events, oldest first.
    private(set) var events: [TraceEvent] = []
    /// The time of the first event ever recorded.
    private(set) var start = Duration.zero
    /// The first row of the trace below the grid, or nil if it is not below the grid.
    private(set) var row: Int?

    mutating func toggle() {
        isShown.toggle()
        events = []
    }

    mutating func take(_ events: [TraceEvent], since start: Duration) {
        self.events = events
        self.start = start
    }

    /// Returns the layout of the grid above the trace, or the whole grid if the trace does not fit.
    mutating func takeRoom(from grid: GridLayout) -> GridLayout {
        let above = isShown ? grid.leaving(rows: TraceView.leastRows) : nil
        row = above?.firstFreeRow
        return above ?? grid
    }

    /// Returns whether the trace is shown and covers the whole screen.
    ///
    /// It does so if no row of tiles fits above it, or if an image is open.
    func isPage(isImageOpen: Bool) -> Bool { isShown && (row == nil || isImageOpen) }
}
