internal import ImageLoading

/// Every counter of the engine, beside the images so that one can watch them.
struct StatisticsView {
    let state: GalleryState

    func draw(into frame: inout Frame) {
        let screen = state.screen
        let rows = StatisticsRows(statistics: state.statistics, prefetch: state.prefetchStatistics)
            .fitting(screen.rows - 2)
        let width = min(46, screen.columns)
        let height = min(rows.count + 1, screen.rows - 1)
        let panel = FrameRect(
            row: 0,
            column: screen.columns - width,
            rows: height,
            columns: width
        )
        frame.fill(panel, style: state.theme.panel)
        let title = FrameRect(row: 0, column: panel.column, rows: 1, columns: width)
        frame.fill(title, style: state.theme.panelTitle)
        frame.draw(
            state.text(" Statistics"),
            row: 0,
            column: panel.column,
            style: state.theme.panelTitle
        )
        for (offset, row) in rows.prefix(height - 1).enumerated() {
            draw(row, at: 1 + offset, panel: panel, into: &frame)
        }
    }

    private func draw(
        _ row: StatisticsRows.Row,
        at line: Int,
        panel: FrameRect,
        into frame: inout Frame
    ) {
        switch row {
        case .value(let name, let value):
            let text = state.text(value, limit: panel.columns - 2)
            let label = state.text(name, limit: panel.columns - text.width - 3)
            frame.draw(label, row: line, column: panel.column + 1, style: state.theme.panel)
            frame.draw(
                text,
                row: line,
                column: panel.column + panel.columns - text.width - 1,
                style: state.theme.panelStrong
            )
        case .bar(let part, let whole):
            drawBar(part, of: whole, at: line, panel: panel, into: &frame)
        }
    }

    private func drawBar(
        _ part: Int,
        of whole: Int,
        at line: Int,
        panel: FrameRect,
        into frame: inout Frame
    ) {
        let width = panel.columns - 2
        let filled = whole > 0 ? min(width, Int(Double(part) / Double(whole) * Double(width))) : 0
        let done = state.glyph("█", ascii: "#").columns[0]
        let rest = state.glyph("░", ascii: "-").columns[0]
        let cells = (0..<width).map { $0 < filled ? done : rest }
        frame.draw(
            FrameText(cleaned: cells),
            row: line,
            column: panel.column + 1,
            style: state.theme.panelBar
        )
    }
}

/// What the statistics panel says, row by row.
///
/// What happens in every session is always there; the rest comes in once it has happened, so that
/// nobody has to read a list of zeros.
struct StatisticsRows {
    let statistics: LoadingStatistics
    let prefetch: PrefetchStatistics

    enum Row: Equatable {
        case value(String, String)
        /// How much of a budget is used.
        case bar(Int, Int)

        /// "0", or "0, 0".
        var isZero: Bool {
            guard case .value(_, let value) = self else { return false }
            return !value.isEmpty && value.allSatisfy { "0, ".contains($0) }
        }
    }

    /// All rows; where they are too many, first the bars are left out, then what never happened.
    func fitting(_ height: Int) -> [Row] {
        guard all.count > height else { return all }
        let figures = all.filter { if case .bar = $0 { false } else { true } }
        guard figures.count > height else { return figures }
        return figures.filter { !$0.isZero }
    }

    private var all: [Row] { loadRows + transferRows + cacheRows }

    private var loadRows: [Row] {
        let all = statistics
        // What is not at its end is running: the line always adds up.
        let running = all.started - all.succeeded - all.failed - all.cancelled
        let toPrefetch = prefetch.waiting + prefetch.running
        return [
            .value("loads started", "\(all.started)"),
            .value(
                "= done+failed+cancelled+running",
                "\(all.succeeded)+\(all.failed)+\(all.cancelled)+\(running)"
            ),
            .value("joined another", "\(all.coalesced)"),
            .value("prefetch: loaded, to load", "\(prefetch.ended.loaded), \(toPrefetch)"),
            .value("remembered failures", "\(all.rememberedFailures)"),
        ] + happened("failed while not shown", all.failedInBackground)
            + happened("hosts left alone", all.unavailableHosts)
    }

    private var transferRows: [Row] {
        let all = statistics
        return [
            .value("transfers live, queued", "\(all.liveTransfers), \(all.queuedTransfers)"),
            .value(
                "transfers started, cancelled",
                "\(all.transfersStarted), \(all.transfersCancelled)"
            ),
            .value("received", CountText.bytes(all.bytesReceived)),
            .value("saved by cancelling", CountText.bytes(all.bytesSaved)),
        ] + rareTransferRows
    }

    private var rareTransferRows: [Row] {
        let all = statistics
        let resumed = "\(all.transfersResumed), \(CountText.bytes(all.bytesResumed))"
        let stopped = "\(all.transfersStoppedEarly), \(CountText.bytes(all.bytesNotNeeded))"
        return (all.transfersStoppedEarly > 0 ? [.value("stopped early, not needed", stopped)] : [])
            + happened("tried again", all.retries)
            + (all.transfersResumed > 0 ? [.value("resumed, bytes kept", resumed)] : [])
            + happened("finished without a cell", all.transfersDetached)
            + happened("not modified", all.notModified)
            + happened("shown though stale", all.staleAnswers)
            + happened("decodes saved", all.decodesSaved)
            + happened("waits for another process", all.leaseWaits)
    }

    private var cacheRows: [Row] {
        cacheRows("memory", "images", statistics.memoryCache) + pressureRows
            + cacheRows("disk", "files", statistics.diskCache)
            + happened("damaged files deleted", statistics.damagedFiles) + diskFailureRows
    }

    private var pressureRows: [Row] {
        statistics.memoryStage.map { [.value("memory pressure", $0.text)] } ?? []
    }

    private var diskFailureRows: [Row] {
        let all = statistics
        guard all.diskWriteFailures > 0 else { return [] }
        return [
            .value("not kept on disk", "\(all.diskWriteFailures)"),
            .value("", all.diskFailureText ?? ""),
        ]
    }

    private func cacheRows(_ name: String, _ unit: String, _ cache: CacheStatistics) -> [Row] {
        let rate = CountText.percent(cache.hits, of: cache.hits + cache.misses)
        let fill = "\(CountText.bytes(cache.byteCount)) of \(CountText.bytes(cache.byteLimit))"
        return [
            .value("\(name): \(cache.entryCount) \(unit)", fill),
            .bar(cache.byteCount, cache.byteLimit),
            .value(
                "hits, misses, evicted",
                "\(cache.hits), \(cache.misses), \(cache.evictions) (\(rate))"
            ),
        ]
    }

    private func happened(_ name: String, _ count: Int) -> [Row] {
        count > 0 ? [.value(name, "\(count)")] : []
    }
}

extension MemoryStage {
    /// What is given up, in a few words.
    fileprivate var text: String {
        switch self {
        case .calm: "none"
        case .trimmed: "cache halved"
        case .dropped: "only what is shown is kept"
        case .restrained: "and nothing prefetched"
        }
    }
}
