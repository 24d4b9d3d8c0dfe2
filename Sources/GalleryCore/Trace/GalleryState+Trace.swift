/// The trace: a list of the engine's events.
extension GalleryState {
    /// The number of events that `Message.trace` must contain; 0 while the trace is hidden.
    package var wantedEventCount: Int {
        guard showsTrace, fits, overlay == nil else { return 0 }
        return TraceView(state: self).lineCount
    }

    mutating func toggleTrace() -> [Effect] {
        showsTrace.toggle()
        trace = []
        return settle()
    }

    /// Whether the trace covers the whole screen, because no row of tiles fits above it or an image
    /// is open.
    var isTracePage: Bool { showsTrace && (traceRow == nil || detail != nil) }

    /// Returns the grid above the trace, or the whole grid if the trace does not fit below it.
    mutating func makeRoomForTrace(in grid: GridLayout) -> GridLayout {
        let above = showsTrace ? grid.leaving(rows: TraceView.leastRows) : nil
        traceRow = above?.firstFreeRow
        return above ?? grid
    }
}
