internal import ImageLoading

/// Every counter of the engine, beside the pictures so that one can watch them.
struct StatisticsView {
    let state: GalleryState

    func draw(into frame: inout Frame) {
        let rows = self.rows
        let screen = state.screen
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

    private enum Row {
        case value(String, String)
        case bar(Int, Int)
    }

    private func draw(_ row: Row, at line: Int, panel: FrameRect, into frame: inout Frame) {
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

    private var rows: [Row] { loadRows + transferRows + cacheRows }

    private var loadRows: [Row] {
        let all = state.statistics
        let ahead = state.aheadStatistics
        let aheadLeft = ahead.waiting + ahead.running
        // What is not at its end is running: the line always adds up.
        let running = all.started - all.succeeded - all.failed - all.cancelled
        return [
            .value("loads started", "\(all.started)"),
            .value(
                "= done+failed+cancelled+running",
                "\(all.succeeded)+\(all.failed)+\(all.cancelled)+\(running)"
            ),
            .value("joined another", "\(all.coalesced)"),
            .value("ahead: loaded, to load", "\(ahead.ended.loaded), \(aheadLeft)"),
            .value("remembered failures", "\(all.rememberedFailures)"),
        ]
    }

    private var transferRows: [Row] {
        let all = state.statistics
        return [
            .value("transfers live, queued", "\(all.liveTransfers), \(all.queuedTransfers)"),
            .value(
                "transfers started, cancelled",
                "\(all.transfersStarted), \(all.transfersCancelled)"
            ),
            .value("received", CountText.bytes(all.bytesReceived)),
            .value("saved by cancelling", CountText.bytes(all.bytesSaved)),
        ]
    }

    private var cacheRows: [Row] {
        cacheRows("memory", "images", state.statistics.memoryCache)
            + cacheRows("disk", "files", state.statistics.diskCache) + diskFailureRows
    }

    /// Only if there is something to tell.
    private var diskFailureRows: [Row] {
        let all = state.statistics
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
}
