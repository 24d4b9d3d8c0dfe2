/// The trace: what the engine does, for those who want to see it.
extension GalleryState {
    /// How many of the newest events are to be sent with `Message.trace`; 0 while the trace is hidden.
    public var wantedEventCount: Int {
        guard showsTrace, fits, overlay == nil else { return 0 }
        return TraceView(state: self).lineCount
    }

    mutating func toggleTrace() -> [Effect] {
        showsTrace.toggle()
        trace = []
        return settle()
    }

    /// Whether the trace takes the whole screen: no row of tiles would be left above it.
    var isTracePage: Bool { showsTrace && (traceRow == nil || detail != nil) }

    /// The grid above the trace, if it is shown and there is room for both.
    mutating func makeRoomForTrace(in grid: GridLayout) -> GridLayout {
        let above = showsTrace ? grid.leaving(rows: TraceView.leastRows) : nil
        traceRow = above?.firstFreeRow
        return above ?? grid
    }
}
