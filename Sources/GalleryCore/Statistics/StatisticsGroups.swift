internal import BitCollections
internal import Feeds
internal import ImageLoading
import TerminalUI

/// A group of related figures, such as those of the disk cache, with a heading.
struct StatisticsGroup: Equatable {
    enum Line: Equatable {
        /// A label and a figure, followed by an optional remark.
        case row(String, String, String = "", tone: Theme.Tone = .caption)
        /// A bar for a fraction from 0 to 1.
        case meter(Double)
        /// The number of images from each source, drawn as a divided bar.
        case shares([ImageSource: Int])
        /// The number of images from each source, as text.
        case legend([ImageSource: Int])
        /// The number of bytes received per second, with a chart of `samples`.
        case rate(Int, samples: [Int])
    }

    let title: String
    var note = ""
    let lines: [Line]

    /// The number of rows, including the heading.
    var height: Int { lines.count + 1 }
}

/// The statistics, organized in groups of figures.
///
/// Figures that occur in every session are always shown. Other figures are shown only if they are
/// not zero.
struct StatisticsGroups {
    let state: GalleryState

    private var all: LoadingStatistics { state.statistics.loading }

    var groups: [StatisticsGroup] {
        [pictures, sources, memory, disk, network, notDownloaded, speed, terminal]
            .filter { !$0.lines.isEmpty }
    }

    private var pictures: StatisticsGroup {
        let prefetch = state.statistics.prefetching
        let failed = state.pool.failedItems.count
        let retryKey = state.keys.name(of: .retry)
        let waiting = all.queuedTransfers
        let toCome = prefetch.waiting + prefetch.running
        return StatisticsGroup(
            title: "Images",
            note: "\(state.feedCount) in the feed",
            lines: [
                .row("shown now", "\(state.pool.shownCount)"),
                .row("loading", "\(all.liveTransfers)", waiting > 0 ? "\(waiting) waiting" : ""),
                .row(
                    "failed",
                    "\(failed)",
                    failed > 0 && !retryKey.isEmpty ? "\(retryKey) tries again" : "",
                    tone: failed > 0 ? .failure : .caption
                ),
                .row(
                    "prefetched",
                    "\(prefetch.ended.loaded)",
                    toCome > 0 ? "\(toCome) to come" : ""
                ),
            ] + happened("new", state.reading.unread.count, "not checked")
                + happened("stale images shown", all.staleAnswers, "server unreachable")
        )
    }

    private var sources: StatisticsGroup {
        let arrivals = state.pool.arrivals
        return StatisticsGroup(
            title: "Sources",
            note: "since the start",
            lines: arrivals.isEmpty ? [] : [.shares(arrivals), .legend(arrivals)]
        )
    }

    private var memory: StatisticsGroup {
        let stage = all.memoryStage ?? .calm
        let short: [StatisticsGroup.Line] =
            stage == .calm ? [] : [.row("memory is short", "", stage.text, tone: .warning)]
        return StatisticsGroup(
            title: "Memory cache",
            note: hits(all.memoryCache),
            lines: fill(all.memoryCache) + short
        )
    }

    /// The group for the disk cache.
    ///
    /// Local files are not stored in the disk cache. If there are only local files, the group is
    /// empty.
    private var disk: StatisticsGroup {
        let cache = all.diskCache
        let isUsed = cache.hits + cache.misses > 0 || all.diskWriteFailures > 0
        return StatisticsGroup(
            title: "Disk cache",
            note: hits(cache),
            lines: isUsed
                ? fill(cache)
                    + happened("damaged", all.damagedFiles, "deleted and reloaded")
                    + happened("not kept on disk", all.diskWriteFailures, all.diskFailureText ?? "")
                : []
        )
    }

    private func hits(_ cache: CacheStatistics) -> String {
        let lookups = cache.hits + cache.misses
        return lookups > 0 ? "\(CountText.percent(cache.hits, of: lookups)) hits" : ""
    }

    private func fill(_ cache: CacheStatistics) -> [StatisticsGroup.Line] {
        let part = cache.byteLimit > 0 ? Double(cache.byteCount) / Double(cache.byteLimit) : 0
        return [
            .row("images", "\(cache.pictureCount)", "\(cache.evictions) removed for room"),
            .row(
                "bytes",
                CountText.bytes(cache.byteCount),
                "of \(CountText.bytes(cache.byteLimit))"
            ),
            .meter(min(1, part)),
        ]
    }

    private var network: StatisticsGroup {
        let files = "\(all.transfersStarted) \(all.transfersStarted == 1 ? "file" : "files")"
        let retried = all.retries > 0 ? ", \(all.retries) retried" : ""
        let history = state.panels.statistics?.history ?? NetworkHistory()
        return StatisticsGroup(
            title: "Network",
            note: "last 50 s",
            lines: all.transfersStarted == 0
                ? []
                : [
                    .row("received", CountText.bytes(all.bytesReceived), files + retried),
                    .rate(history.bytesPerSecond, samples: history.samples),
                ] + happened("shared downloads", all.coalesced, "one for two images")
                    + happened("waited for another program", all.leaseWaits)
                    + happened("finished in the background", all.transfersDetached)
                    + happened("servers paused", all.unavailableHosts, "they keep failing")
        )
    }

    private var notDownloaded: StatisticsGroup {
        let unannounced = state.lanes.transfers.unannouncedByteCount
        let saved = state.notDownloadedByteCount + all.bytesResumed
        return StatisticsGroup(
            title: "Not downloaded",
            note: saved > 0 ? "\(CountText.bytes(saved)) saved" : "",
            lines: happened("cancelled loads", all.givenUp, bytes(all.bytesSaved + unannounced))
                + happened(
                    "stopped: sharp enough",
                    all.transfersStoppedEarly,
                    bytes(all.bytesNotNeeded)
                )
                + happened("unchanged on the server", all.notModified)
                + happened("downloads continued", all.transfersResumed, bytes(all.bytesResumed))
                + happened("decodes not needed", all.decodesSaved)
        )
    }

    private var speed: StatisticsGroup {
        let (keys, decodes) = (state.statistics.screen.keyTimes, all.decodeTimes)
        return StatisticsGroup(
            title: "Speed",
            note: "slowest 1% at the right",
            lines: times("key to screen", keys) + times("decode an image", decodes)
                + (state.statistics.screen.firstPicture.map { time in
                    [.row("first image", CountText.time(time), "after the start")]
                } ?? [])
        )
    }

    private func times(_ name: String, _ times: DurationHistogram) -> [StatisticsGroup.Line] {
        guard let median = times.percentile(0.5), let slow = times.percentile(0.99) else {
            return []
        }
        return [.row(name, CountText.time(median), CountText.time(slow))]
    }

    private var terminal: StatisticsGroup {
        let (layout, box) = (state.grid.layout, state.grid.layout.imageBox)
        let held = state.statistics.screen.pictures
        let times = state.capabilities.spelling("×", ascii: "x")
        return StatisticsGroup(
            title: "Terminal",
            note: state.capabilities.lookTitle,
            lines: [
                .row("colors", state.capabilities.colorDepth.title),
                .row(
                    "images",
                    "\(layout.columns)\(times)\(layout.rows)",
                    "\(box.columns)\(times)\(box.rows) cells each"
                ),
            ]
                + happened(
                    "it holds",
                    held.count,
                    held.bytesSent > 0 ? "\(bytes(held.bytesSent)) sent" : ""
                )
        )
    }

    private func happened(
        _ name: String,
        _ count: Int,
        _ remark: String = ""
    ) -> [StatisticsGroup.Line] {
        count > 0 ? [.row(name, "\(count)", remark)] : []
    }

    private func bytes(_ count: Int) -> String { count > 0 ? CountText.bytes(count) : "" }
}

extension LoadingStatistics {
    /// The number of loads that were cancelled without being replaced by a load at another size.
    var givenUp: Int { cancelled - replaced }
}

extension MemoryStage {
    /// A short description of the stage of memory pressure.
    fileprivate var text: String {
        switch self {
        case .calm: ""
        case .trimmed: "cache halved"
        case .dropped: "only visible images are kept"
        case .restrained: "and nothing is prefetched"
        }
    }
}

extension ColorDepth {
    /// The name of the color depth in the user interface.
    var title: String {
        switch self {
        case .monochrome: "none"
        case .ansi16: "16"
        case .palette256: "256"
        case .trueColor: "24-bit"
        }
    }
}
