internal import ImageLoading

/// The state of the trace, which lists the events of the image loads.
struct TraceState: Equatable, Sendable {
    private(set) var isShown = false
    /// The newest events, oldest first.
    private(set) var events: [TraceEvent] = []
    /// The time of the first event ever recorded.
    private(set) var start = Duration.zero
    /// The first screen row of the trace below the grid, or nil if it is hidden or does not fit
    /// there.
    private(set) var row: Int?

    mutating func toggle() {
        isShown.toggle()
        events = []
    }

    mutating func take(_ events: [TraceEvent], since start: Duration) {
        self.events = events
        self.start = start
    }

    /// Returns the layout of the grid with space for the trace below it, and updates `row`.
    ///
    /// If the trace is hidden or does not fit, the layout is unchanged.
    mutating func takeRoom(from grid: GridLayout) -> GridLayout {
        let above = isShown ? grid.leaving(rows: TraceView.leastRows) : nil
        row = above?.firstFreeRow
        return above ?? grid
    }

    /// Returns whether the trace is shown as a page that covers the whole screen.
    ///
    /// This is the case if no row of tiles fits above it, or if an image is open.
    func isPage(isImageOpen: Bool) -> Bool { isShown && (row == nil || isImageOpen) }
}
