internal import ImageLoading

/// The state of the trace, which lists image load events.
struct TraceState: Equatable, Sendable {
    /// The events that the trace shows.
    enum Filter: String, CaseIterable, Sendable {
        case all, cancelled, failed

        func contains(_ kind: TraceEvent.Kind) -> Bool {
            switch (self, kind) {
            case (.all, _), (.cancelled, .cancelled), (.cancelled, .stoppedEarly),
                (.failed, .failed):
                true
            case (.failed, .hostAvailability(let isAvailable)): !isAvailable
            case (.cancelled, _), (.failed, _): false
            }
        }
    }

    private(set) var isShown = false
    private(set) var filter = Filter.all
    /// The newest events that pass the filter, oldest first.
    private(set) var events: [TraceEvent] = []
    /// The captions of recently loaded images, keyed by URL.
    private var captions: [String: String] = [:]
    /// The captions recorded before `captions` was last emptied.
    private var olderCaptions: [String: String] = [:]

    /// The maximum number of captions in each of the two dictionaries.
    private static let mostCaptions = 1_000
    /// The time of the first recorded event.
    private(set) var start = Duration.zero
    /// The first screen row of the trace below the grid, or nil if the trace is hidden or does not
    /// fit there.
    private(set) var row: Int?

    mutating func toggle() {
        isShown.toggle()
        filter = .all
        events = []
    }

    /// Shows only the cancelled loads, only the failed loads, or all events again.
    ///
    /// If the trace is hidden, this method also shows it.
    mutating func showNextFilter() {
        isShown = true
        let all = Filter.allCases
        filter = all[((all.firstIndex(of: filter) ?? 0) + 1) % all.count]
        events = []
    }

    /// Records the caption of an image that is being loaded.
    mutating func note(url: String, caption: String) {
        if captions.count >= Self.mostCaptions {
            olderCaptions = captions
            captions = [:]
        }
        captions[url] = caption
    }

    /// Returns the caption of the image at a URL, or nil if the image was not loaded recently.
    func caption(of url: String) -> String? { captions[url] ?? olderCaptions[url] }

    mutating func take(_ events: [TraceEvent], since start: Duration) {
        self.events = events.filter { filter.contains($0.kind) }
        self.start = start
    }

    /// Returns the grid layout with space for the trace below it, and updates `row`.
    ///
    /// If the trace is hidden or does not fit, the layout is unchanged.
    mutating func takeRoom(from grid: GridLayout) -> GridLayout {
        let above = isShown ? grid.leaving(rows: TraceView.leastRows) : nil
        row = above?.firstFreeRow
        return above ?? grid
    }

    /// Returns whether the trace is shown as a page that covers the entire screen.
    ///
    /// A page is used if no row of tiles fits above the trace or an image is open.
    func isPage(isImageOpen: Bool) -> Bool { isShown && (row == nil || isImageOpen) }
}
