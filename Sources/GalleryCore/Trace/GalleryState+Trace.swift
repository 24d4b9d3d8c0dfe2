/// The trace, which shows the events of the engine.
extension GalleryState {
    /// The number of newest events to send with `Message.trace`; 0 while the trace is hidden.
    package var wantedEventCount: Int {
        guard showsTrace, fits, overlay == nil else { return 0 }
        return TraceView(state: self).lineCount
    }

    mutating func toggleTrace() -> [Effect] {
        showsTrace.toggle()
        trace = []
        return settle()
    }

    /// Whether the trace covers the whole screen, because no row of tiles fits above it.
    var isTracePage: Bool { showsTrace && (traceRow == nil || detail != nil) }

    /// Returns the grid above the trace, if both fit.
    mutating func makeRoomForTrace(in grid: GridLayout) -> GridLayout {
        let above = showsTrace ? grid.leaving(rows: TraceView.leastRows) : nil
        traceRow = above?.firstFreeRow
        return above ?? grid
    }
}
