internal import BitCollections
internal import Decoders
internal import Feeds
internal import ImageLoading
import TerminalUI

/// The contents of the status bar.
struct StatusFacts {
    let state: GalleryState

    /// The position of the selected image and the number of visible items, such as "3/120 of 500".
    ///
    /// The number of items in the feed follows only if a filter hides some of them.
    var position: String {
        let number = state.itemCount == 0 ? 0 : state.grid.selection + 1
        let place = "\(number)/\(state.itemCount)"
        let isPart = state.itemCount < state.feedCount
        return place + (isPart ? " of \(state.feedCount)" : "") + state.openEndSign
    }

    /// The active modes, such as "paused"; they are always shown.
    var modes: [String] {
        (state.loads.isPaused ? ["paused"] : [])
            + (state.lanes.cancels ? [] : ["no cancellation"])
            + (state.isAutoScrollOn ? ["auto"] : [])
            + (state.slideshow.show.map { [$0.text] } ?? [])
    }

    /// The name of the selected image.
    var name: String? {
        guard let feed = state.currentFeed, let item = state.selectedItem else { return nil }
        return feed[item].caption
    }

    /// The parts of the status bar after the image name, from left to right.
    var segments: [StatusSegment] {
        var segments = pictureFacts + marked + news + transfers
        if state.labeling.isOn {
            segments.append(segment([state.labelLegend], .accent, gap: 3, .memory))
        } else {
            segments += [saved, memory, disk].compactMap { $0 }
        }
        return segments
    }

    /// The priority of a part of the status bar, from high to low.
    ///
    /// If there is too little space, parts with a low priority are omitted: first the disk cache,
    /// then the format, then the size in bytes. On a screen of 80 columns, the cache hits and the
    /// bytes that were not downloaded are always shown, because showing them is the purpose of the
    /// program. On a narrower screen, all parts have the same priority.
    private enum Rank: Int {
        case size, memory, saved, transfers, byteCount, format, rest
    }

    private func segment(
        _ forms: [String],
        _ tone: Theme.Tone,
        gap: Int = 2,
        _ rank: Rank
    ) -> StatusSegment {
        StatusSegment(
            forms: forms.map { state.text($0) },
            tone: tone,
            gap: gap,
            rank: state.screen.columns >= 80 ? rank.rawValue : 0
        )
    }

    // MARK: The picture

    private var pictureFacts: [StatusSegment] {
        if let detail = state.detail {
            return facts(detail.load, detail.shown.facts, isStale: detail.shown.isStale)
                + zoom(detail)
        }
        guard let item = state.selectedItem, let slot = state.pool.slot(ofItem: item) else {
            return []
        }
        let facts = facts(
            slot.load,
            slot.shown.facts,
            isStale: slot.shown.isStale,
            waits: slot.saysThatItWaits
        )
        let isPreview = slot.preview.version != nil && slot.cellImage != nil
        return facts + (isPreview ? [segment(["preview"], .dim, .format)] : [])
    }

    private func facts(
        _ load: LoadState,
        _ facts: FileFacts,
        isStale: Bool,
        waits: Bool = true
    ) -> [StatusSegment] {
        var parts: [StatusSegment] = []
        if let failure = load.failure?.advised(by: state.keys) {
            let tone = failure.kind == .cancelled ? Theme.Tone.dim : failure.kind.sign.tone
            // A long reason may be replaced by its short form, but a reason of normal length is
            // shown completely.
            let forms = [failure.reason] + (failure.reason.count > 30 ? [failure.short] : [])
            parts.append(segment(forms, tone, .size))
            if let advice = failure.advice { parts.append(segment([advice], .dim, .size)) }
            return parts
        }
        if let size = facts.size {
            let times = state.capabilities.spelling("×", ascii: "x")
            parts.append(segment(["\(size.width)\(times)\(size.height)"], .caption, .size))
        }
        if let damage = facts.damage, !load.isPending {
            parts.append(segment(damage.statusForms, .warning, .size))
        }
        if let format = facts.format { parts.append(segment([format], .caption, .format)) }
        if facts.frameCount > 1 {
            parts.append(segment(["\(facts.frameCount) frames"], .caption, .format))
        }
        switch load {
        case .asked, .queued: if waits { parts.append(segment(["waiting"], .dim, .size)) }
        case .loading(let progress): parts += transfer(progress)
        case .loaded, .failed, .waiting:
            if let bytes = facts.byteCount {
                parts.append(segment([CountText.bytes(bytes)], .caption, .byteCount))
            }
        }
        if isStale { parts.append(segment(["may be old"], .warning, .byteCount)) }
        return parts
    }

    private func transfer(_ progress: LoadProgress) -> [StatusSegment] {
        guard let fraction = progress.fraction, let expected = progress.expected else {
            let text = progress.received > 0 ? CountText.bytes(progress.received) : "loading"
            return [segment([text], .caption, .size)]
        }
        let percent = "\(Int(fraction * 100))%"
        let forms = ["\(percent) of \(CountText.bytes(expected))", percent]
        let text = segment(forms, .caption, .size)
        guard state.detail != nil else { return [text] }
        // The open image has no caption that could contain the bar.
        let bar = ProgressBar(fraction: fraction, columns: 10).text(state)
        return [segment([bar], .progress, .size), text]
    }

    private func zoom(_ detail: DetailState) -> [StatusSegment] {
        guard let viewport = detail.viewport else { return [] }
        let percent = "\(max(1, Int((viewport.scale * 100).rounded())))%"
        let text = viewport.isFitted ? "fit, \(percent)" : percent
        return [segment([text], .caption, gap: 3, .size)]
    }

    private var marked: [StatusSegment] {
        let count = state.choices.marks.count
        return count == 0 ? [] : [segment(["\(count) marked"], .strong, gap: 3, .memory)]
    }

    private var news: [StatusSegment] {
        let count = state.reading.unread.count
        let text = "\(CountText.grouped(count)) new"
        return count == 0 ? [] : [segment([text], .strong, gap: 3, .memory)]
    }

    // MARK: The engine

    private var transfers: [StatusSegment] {
        let (live, queued) = (
            state.statistics.loading.liveTransfers, state.statistics.loading.queuedTransfers
        )
        let failed = state.pool.failedItems.count
        var forms: [String] = []
        if queued > 0 { forms.append("\(live) loading, \(queued) waiting") }
        if live > 0 { forms.append("\(live) loading") }
        if live == 0, queued > 0 { forms = ["\(queued) waiting"] }
        var parts: [StatusSegment] = []
        if !forms.isEmpty {
            let rank = failed > 0 ? Rank.memory : .transfers
            parts.append(segment(forms, .caption, gap: 3, rank))
        }
        if failed > 0 {
            let gap = forms.isEmpty ? 3 : 2
            parts.append(segment(["\(failed) failed"], .failure, gap: gap, .memory))
        }
        return parts
    }

    private var memory: StatusSegment? {
        let cache = state.statistics.loading.memoryCache
        guard cache.entryCount > 0 || cache.hits > 0 else { return nil }
        return segment(forms(of: cache, "memory", short: "hits"), .dim, gap: 3, .memory)
    }

    /// The part for the disk cache, or nil if there is nothing to show.
    ///
    /// If there are only local files, the disk cache is not used.
    private var disk: StatusSegment? {
        let cache = state.statistics.loading.diskCache
        guard cache.hits + cache.misses > 0, cache.entryCount > 0 || cache.hits > 0 else {
            return nil
        }
        return segment(forms(of: cache, "disk", short: "disk"), .dim, gap: 3, .rest)
    }

    private func forms(of cache: CacheStatistics, _ word: String, short: String) -> [String] {
        let count = cache.pictureCount
        let bytes = CountText.bytes(cache.byteCount)
        let pictures = "\(count) \(count == 1 ? "image" : "images")"
        guard cache.hits > 0 else {
            return [
                "\(word) \(pictures), \(bytes)", "\(word) \(count), \(bytes)",
                "\(word) \(pictures)",
            ]
        }
        let rate = CountText.percent(cache.hits, of: cache.hits + cache.misses)
        return [
            "\(word) \(pictures), \(bytes), \(rate) hits", "\(word) \(count), \(bytes), \(rate)",
            "\(short) \(rate)",
        ]
    }

    private var saved: StatusSegment? {
        let statistics = state.statistics.loading
        let bytes = state.notDownloadedByteCount
        // The lanes show the same bytes.
        guard bytes > 0, !state.showsLanes else { return nil }
        let size = CountText.bytes(bytes)
        let total = CountText.bytes(bytes + statistics.bytesReceived)
        let saved = "not downloaded \(size)"
        let cancelled = statistics.givenUp
        let forms =
            (cancelled > 0 ? ["cancelled \(cancelled), \(saved) of \(total)"] : [])
            + ["\(saved) of \(total)", saved, "saved \(size)"]
        return segment(forms, .strong, gap: 3, .saved)
    }
}

extension ImageDecodingError {
    /// The descriptions of a damaged file, from longest to shortest.
    fileprivate var statusForms: [String] {
        switch self {
        case .truncated: ["incomplete: the file is truncated", "incomplete"]
        case .corrupt(_, let reason): ["damaged: \(reason)", "damaged"]
        default: ["\(self)"]
        }
    }
}
