internal import ImageLoading

/// What the status bar says, in as many words as the screen is wide.
struct StatusSegments {
    let position: Int
    let total: Int
    let statistics: LoadingStatistics
    let symbols: SymbolSet
    /// Whether the person wished that no transfer is begun; that is always said.
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
