internal import BitCollections
internal import Feeds
internal import ImageLoading
import TerminalUI

/// The slots of the status bar, which show loads and caches at fixed positions.
extension StatusFacts {
    /// The rank of a version of a slot's text.
    ///
    /// Space is allocated to the versions in this order, and versions that don't fit are omitted.
    private enum Rank: Int {
        /// The bytes that were not downloaded, which matter most in the demo.
        case savedInDemo
        case transfers, failed, label, marked, saved, caches, longTransfers, longSaved, longCaches
        case longestSaved
    }

    /// The slots from left to right: transfers, failures, marks, new items, and caches.
    var slots: [StatusSlot] {
        let rest =
            state.labeling.isOn
            ? [legend] : [saved, caches]
        return [transfers, failed, marked, news].compactMap(\.self) + rest.compactMap(\.self)
    }

    private func form(_ text: String, width: Int = 0, _ rank: Rank) -> StatusSlot.Form {
        let shown = state.text(text).width
        return StatusSlot.Form(text: text, width: max(width, shown), rank: rank.rawValue)
    }

    /// The transfers, or blank text of the same width if nothing is loading.
    private var transfers: StatusSlot? {
        let loading = state.statistics.loading
        guard loading.transfersStarted > 0 || loading.liveTransfers + loading.queuedTransfers > 0
        else { return nil }
        let (live, queued) = (loading.liveTransfers, loading.queuedTransfers)
        let liveText = live > 0 ? "\(live) loading" : ""
        let queuedText = queued > 0 ? "\(queued) waiting" : ""
        let all = [liveText, queuedText].filter { !$0.isEmpty }.joined(separator: ", ")
        return StatusSlot(
            forms: [
                form(live > 0 ? liveText : queuedText, width: 10, .transfers),
                form(all, width: 22, .longTransfers),
            ],
            tone: .caption,
            target: .action(.toggleLanes)
        )
    }

    private var failed: StatusSlot? {
        let count = state.pool.failedItems.count
        guard count > 0 else { return nil }
        return StatusSlot(
            forms: [form("\(count) failed", width: 9, .failed)],
            tone: .failure,
            target: .filter("is:failed")
        )
    }

    private var marked: StatusSlot? {
        let count = state.choices.marks.count
        guard count > 0 else { return nil }
        return StatusSlot(
            forms: [form("\(count) marked", .marked)],
            tone: .strong,
            target: .filter("is:marked")
        )
    }

    private var news: StatusSlot? {
        let count = state.reading.unread.count
        guard count > 0 else { return nil }
        return StatusSlot(
            forms: [form("\(CountText.grouped(count)) new", .marked)],
            tone: .strong,
            target: .action(.nextUnread)
        )
    }

    private var legend: StatusSlot? {
        StatusSlot(forms: [form(state.labelLegend, .label)], tone: .accent)
    }

    /// The bytes that were not downloaded, or nil if there are none or the lanes show them.
    private var saved: StatusSlot? {
        let statistics = state.statistics.loading
        let bytes = state.notDownloadedByteCount
        guard bytes > 0, !state.showsLanes else { return nil }
        let size = CountText.bytes(bytes)
        let text = "not downloaded \(size)"
        let total = "\(text) of \(CountText.bytes(bytes + statistics.bytesReceived))"
        let cancelled = statistics.givenUp
        let isDemo = state.settings.lanes.byteCounts[0] != nil
        var forms = [
            form("saved \(size)", width: 12, isDemo ? .savedInDemo : .saved),
            form(text, width: 21, isDemo ? .savedInDemo : .longSaved),
            form(total, width: 31, .longestSaved),
        ]
        if cancelled > 0 {
            forms.append(form("cancelled \(cancelled), \(total)", width: 46, .longestSaved))
        }
        return StatusSlot(forms: forms, tone: .strong, target: .action(.nextStatistics))
    }

    // MARK: Caches

    private var memory: CacheStatistics? {
        let cache = state.statistics.loading.memoryCache
        return cache.entryCount > 0 || cache.hits > 0 ? cache : nil
    }

    /// The counters of the disk cache, or nil if there is nothing to show.
    ///
    /// The disk cache is not used if there are only local files.
    private var disk: CacheStatistics? {
        let cache = state.statistics.loading.diskCache
        guard cache.hits + cache.misses > 0, cache.entryCount > 0 || cache.hits > 0 else {
            return nil
        }
        return cache
    }

    /// The caches: the percentage of images that came from a cache, followed by the contents of the
    /// caches.
    private var caches: StatusSlot? {
        guard memory != nil || disk != nil else { return nil }
        let (lookups, hits) = (
            state.statistics.loading.memoryCache.hits + state.statistics.loading.memoryCache.misses,
            (memory?.hits ?? 0) + (disk?.hits ?? 0)
        )
        let short =
            if hits > 0 {
                "\(CountText.percent(hits, of: max(hits, lookups))) cached"
            } else if let memory {
                "\(CountText.grouped(memory.pictureCount)) in memory"
            } else {
                "\(CountText.grouped(disk?.pictureCount ?? 0)) on disk"
            }
        var forms = [form(short, width: 12, .caches)]
        for hasBytes in [false, true] {
            let parts = [
                memory.map { text("memory", $0, hasBytes: hasBytes) },
                disk.map { text("disk", $0, hasBytes: hasBytes) },
            ]
            let texts = parts.compactMap(\.self)
            // Space is reserved for four digits and a two-digit percentage.
            let width = texts.count * (hasBytes ? 37 : 29)
            forms.append(form(texts.joined(separator: "   "), width: width, .longCaches))
        }
        return StatusSlot(forms: forms, tone: .dim, target: .action(.nextStatistics))
    }

    private func text(_ word: String, _ cache: CacheStatistics, hasBytes: Bool) -> String {
        let count = cache.pictureCount
        let pictures = "\(word) \(CountText.grouped(count)) \(count == 1 ? "image" : "images")"
        let bytes =
            hasBytes && cache.byteCount > 0 ? ", \(CountText.bytes(cache.byteCount))" : ""
        guard cache.hits > 0 else { return pictures + bytes }
        let rate = CountText.percent(cache.hits, of: cache.hits + cache.misses)
        return "\(pictures)\(bytes), \(rate) hits"
    }
}
