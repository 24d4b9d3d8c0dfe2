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
    /// The number of items in the feed is appended only if a filter hides some of them.
    var position: String {
        let number = state.itemCount == 0 ? 0 : state.grid.selection + 1
        let place = "\(number)/\(state.itemCount)"
        let isPart = state.itemCount < state.feedCount
        return place + (isPart ? " of \(state.feedCount)" : "") + state.openEndSign
    }

    /// The width of the position in columns, which is the same for every selected image.
    var positionWidth: Int {
        let number = state.itemCount == 0 ? 0 : state.grid.selection + 1
        return position.count + "\(state.itemCount)".count - "\(number)".count
    }

    /// The active modes, such as "paused", and the actions that end them; they are always shown.
    var modes: [(text: String, target: StatusTarget?)] {
        let modes: [(Bool, String, GalleryAction)] = [
            (state.loads.isPaused, "paused", .togglePause),
            (!state.lanes.cancels, "no cancellation", .toggleCancelling),
            (state.isAutoScrollOn, "auto", .toggleAutoScroll),
        ]
        return modes.filter(\.0).map { ($0.1, .action($0.2)) }
            + (state.slideshow.show.map { [($0.text, .action(.toggleSlideshow))] } ?? [])
    }

    /// The name of the selected image.
    var name: String? {
        guard let feed = state.currentFeed, let item = state.selectedItem else { return nil }
        return feed[item].caption
    }

    /// The rank of a fact about the image.
    ///
    /// Facts with a higher rank are omitted first.
    private enum Rank: Int {
        case size
        /// A fact that is rarely shown, such as the received percentage of an image.
        case unusual
        case byteCount, format
    }

    private func segment(
        _ forms: [String],
        _ tone: Theme.Tone,
        gap: Int = 2,
        _ rank: Rank = .size,
        target: StatusTarget? = nil
    ) -> StatusSegment {
        StatusSegment(
            forms: forms.map { state.text($0) },
            tone: tone,
            gap: gap,
            rank: rank.rawValue,
            target: target ?? .action(.information)
        )
    }

    // MARK: The picture

    /// The parts about the selected image, from left to right.
    ///
    /// The reasons explain why the image is missing or damaged, and include advice. They are shown
    /// before the image's name, and the facts after it.
    typealias Parts = (reasons: [StatusSegment], facts: [StatusSegment])

    var pictureParts: Parts {
        if let detail = state.detail {
            var parts = parts(detail.load, detail.shown.facts, isStale: detail.shown.isStale)
            parts.facts += zoom(detail)
            return parts
        }
        guard let item = state.selectedItem, let slot = state.pool.slot(ofItem: item) else {
            return ([], [])
        }
        var parts = parts(
            slot.load,
            slot.shown.facts,
            isStale: slot.shown.isStale,
            waits: slot.saysThatItWaits
        )
        if let folder = slot.folder, !slot.hasFailed {
            let texts = [folder.imagesText, folder.foldersText].compactMap(\.self)
            return (parts.reasons, texts.map { segment([$0], .caption) })
        }
        let isPreview = slot.preview.version != nil && slot.cellImage != nil
        if isPreview { parts.facts.append(segment(["preview"], .dim, .unusual)) }
        return parts
    }

    private func parts(
        _ load: LoadState,
        _ facts: FileFacts,
        isStale: Bool,
        waits: Bool = true
    ) -> Parts {
        if let failure = load.failure?.advised(by: state.keys) {
            let tone = failure.kind == .cancelled ? Theme.Tone.dim : failure.kind.sign.tone
            // A long reason may be replaced by its short version, but a reason of normal length is
            // always shown in full.
            let forms = [failure.reason] + (failure.reason.count > 30 ? [failure.short] : [])
            let advice = failure.advice.map { segment([$0], .dim, target: .action(.retry)) }
            return ([segment(forms, tone, target: .action(.retry)), advice].compactMap(\.self), [])
        }
        var parts: [StatusSegment] = []
        if let size = facts.size {
            let times = state.capabilities.spelling("×", ascii: "x")
            let text = "\(size.width)\(times)\(size.height)"
            parts.append(segment([padded(text, to: 9)], .caption))
        }
        var reasons: [StatusSegment] = []
        if let damage = facts.damage, !load.isPending {
            reasons.append(segment(damage.statusForms, .warning))
        }
        if let format = facts.format {
            parts.append(segment([padded(format, to: 4)], .caption, .format))
        }
        if facts.frameCount > 1 {
            parts.append(segment(["\(facts.frameCount) frames"], .caption, .unusual))
        }
        switch load {
        case .asked, .queued: if waits { parts.append(segment(["waiting"], .dim, .unusual)) }
        case .loading(let progress): parts += transfer(progress)
        case .loaded, .failed, .waiting:
            if let bytes = facts.byteCount {
                parts.append(segment([CountText.bytes(bytes)], .caption, .byteCount))
            }
        }
        if isStale { parts.append(segment(["may be old"], .warning, .unusual)) }
        return (reasons, parts)
    }

    /// Returns the total width of the facts that are rarely shown.
    static func unusualWidth(of facts: [StatusSegment]) -> Int {
        facts.filter { $0.rank == Rank.unusual.rawValue }
            .reduce(0) { $0 + $1.gap + ($1.forms.first?.width ?? 0) }
    }

    /// Pads text to its usual width to keep the parts after it in the grid's status bar in place.
    private func padded(_ text: String, to width: Int) -> String {
        guard state.detail == nil else { return text }
        return text + String(repeating: " ", count: max(0, width - text.count))
    }

    private func transfer(_ progress: LoadProgress) -> [StatusSegment] {
        guard let fraction = progress.fraction, let expected = progress.expected else {
            let text = progress.received > 0 ? CountText.bytes(progress.received) : "loading"
            return [segment([text], .caption, .unusual)]
        }
        let percent = "\(Int(fraction * 100))%"
        let forms = ["\(percent) of \(CountText.bytes(expected))", percent]
        let text = segment(forms, .caption, .unusual)
        guard state.detail != nil else { return [text] }
        // The open image has no caption that could contain the bar.
        let bar = ProgressBar(fraction: fraction, columns: 10).text(state)
        return [segment([bar], .progress), text]
    }

    private func zoom(_ detail: DetailState) -> [StatusSegment] {
        guard let viewport = detail.viewport else { return [] }
        let percent = "\(max(1, Int((viewport.scale * 100).rounded())))%"
        let text = viewport.isFitted ? "fit, \(percent)" : percent
        return [segment([text], .caption, gap: 3)]
    }
}

extension ImageDecodingError {
    /// The descriptions of a damaged file, longest first.
    fileprivate var statusForms: [String] {
        switch self {
        case .truncated: ["incomplete: the file is truncated", "incomplete"]
        case .corrupt(_, let reason): ["damaged: \(reason)", "damaged"]
        default: ["\(self)"]
        }
    }
}
