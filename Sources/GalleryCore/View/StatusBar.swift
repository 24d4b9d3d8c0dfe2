internal import ImageLoading

/// The last line: position, loads, caches, savings; or a notice, a question, a prompt.
struct StatusBar {
    let state: GalleryState

    func draw(into frame: inout Frame) {
        let row = state.screen.rows - 1
        let line = FrameRect(row: row, column: 0, rows: 1, columns: state.screen.columns)
        if let message {
            frame.fill(line, style: state.theme.notice)
            let text = state.text(message, limit: state.screen.columns - 2)
            frame.draw(text, row: row, column: 1, style: state.theme.notice)
            return
        }
        frame.fill(line, style: state.theme.statusBar)
        drawSegments(into: &frame, row: row)
    }

    private var message: String? {
        switch state.overlay {
        case .confirmClearDisk: return question
        case .goTo(let text): return "go to: \(text)_  (Enter: number, %: percent, Esc)"
        case .help, nil: return state.notice?.text
        }
    }

    private var question: String {
        let disk = state.statistics.diskCache
        let long =
            "Empty the disk cache (\(disk.entryCount) files, \(CountText.bytes(disk.byteCount)))?"
        let wide = long + " y/n"
        return wide.count + 2 <= state.screen.columns ? wide : "clear disk? y/n"
    }

    private func drawSegments(into frame: inout Frame, row: Int) {
        let position = state.itemCount == 0 ? 0 : state.selection + 1
        let segments = StatusSegments(
            position: position,
            total: state.itemCount,
            statistics: state.statistics,
            symbols: state.capabilities.symbols,
            isPaused: state.isPaused
        ).fitted(to: state.screen.columns - 2)
        var column = 1
        for (index, segment) in segments.enumerated() {
            let style = index == 0 ? state.theme.statusStrong : state.theme.statusBar
            let room = state.screen.columns - column
            column = frame.draw(
                state.text(segment, limit: room),
                row: row,
                column: column,
                style: style
            )
            column += StatusSegments.gap
        }
        let hint = "? help"
        guard column + hint.count < state.screen.columns else { return }
        frame.draw(
            state.text(hint),
            row: row,
            column: state.screen.columns - 1 - hint.count,
            style: state.theme.statusBar
        )
    }
}

/// What the status bar says, in as many words as the screen is wide.
struct StatusSegments {
    let position: Int
    let total: Int
    let statistics: LoadingStatistics
    let symbols: SymbolSet
    /// Whether the person has paused loading; the bar always says so.
    var isPaused = false

    /// Columns between two segments.
    static let gap = 2

    /// The segments from left to right, short enough for a width: the least important are the first
    /// to be abbreviated, and then the first to go.
    func fitted(to width: Int) -> [String] {
        let forms = [positionForms, loadForms, memoryForms, diskForms, savingForms]
        var chosen = Array(repeating: 0, count: forms.count)
        for segment in Self.shortenings where Self.width(forms, chosen) > width {
            if chosen[segment] + 1 < forms[segment].count { chosen[segment] += 1 }
        }
        return zip(forms, chosen).map { $0[$1] }.filter { !$0.isEmpty }
    }

    /// Each entry makes one segment (0 position … 4 savings) a form shorter.
    private static let shortenings = [4, 3, 2, 1, 4, 3, 2, 4, 3, 4, 3, 2, 1, 2, 1, 0]

    private static func width(_ forms: [[String]], _ chosen: [Int]) -> Int {
        let shown = zip(forms, chosen).map { $0[$1] }.filter { !$0.isEmpty }
        return shown.reduce(0) { $0 + $1.count } + gap * max(0, shown.count - 1)
    }

    private var positionForms: [String] { ["\(position)/\(total)", "\(position)"] }

    private var loadForms: [String] {
        let (live, queued) = (statistics.liveTransfers, statistics.queuedTransfers)
        // What failed before it was to be seen counts when its cell comes on the screen.
        let failed = statistics.failed - statistics.failedInBackground
        let short =
            symbols == .ascii ? "v\(live) q\(queued) x\(failed)" : "↓\(live) …\(queued) ✗\(failed)"
        let long = "live \(live)  queued \(queued)  failed \(failed)"
        return isPaused ? ["paused  \(long)", "paused \(short)", "paused"] : [long, short, ""]
    }

    private var memoryForms: [String] {
        let cache = statistics.memoryCache
        let bytes = CountText.bytes(cache.byteCount)
        let rate = CountText.percent(cache.hits, of: cache.hits + cache.misses)
        return [
            "memory \(cache.entryCount) images \(bytes) \(rate) hits",
            "mem \(cache.entryCount)/\(bytes) \(rate)", "m\(cache.entryCount) \(rate)", "",
        ]
    }

    private var diskForms: [String] {
        let cache = statistics.diskCache
        let bytes = CountText.bytes(cache.byteCount)
        return [
            "disk \(cache.entryCount) files \(bytes)", "disk \(cache.entryCount)/\(bytes)",
            "d\(cache.entryCount)", "",
        ]
    }

    private var savingForms: [String] {
        let saved = CountText.bytes(statistics.bytesSaved + statistics.bytesNotNeeded)
        return [
            "cancelled \(statistics.cancelled) saved \(saved)",
            "cut \(statistics.cancelled)/\(saved)", "-\(statistics.cancelled)", "",
        ]
    }
}
