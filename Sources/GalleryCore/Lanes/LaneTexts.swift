internal import Feeds
internal import ImageLoading
import TerminalUI

/// The text shown with the lanes of the transfer slots.
struct LaneTexts {
    /// A line of text with its tone.
    struct Line: Equatable {
        let text: String
        let tone: Theme.Tone
    }

    let state: GalleryState

    private var lanes: LanesState { state.lanes }
    private var transfers: TransferLanes { lanes.transfers }
    private var minus: String { state.capabilities.spelling("−", ascii: "-") }

    /// The symbol for a cancelled load.
    var scissors: String { state.capabilities.spelling("✂", ascii: "x") }

    /// The text about loads that were cancelled at an edge of the grid, such as "3 cancelled".
    ///
    /// It is shown for one second after a cancellation, and is nil otherwise.
    var flash: String? { lanes.flash.map { "\($0.count) cancelled" } }

    /// Returns the number of bytes that a cancelled load did not receive as text, or an empty
    /// string if the number is unknown or less than 1 kB.
    func saved(by load: TransferLanes.CancelledLoad) -> String {
        guard let byteCount = load.savedByteCount, byteCount >= 1_000 else { return "" }
        return minus + CountText.bytes(byteCount)
    }

    /// Returns the text about the loads that are not shown in a lane, such as "3 waiting".
    ///
    /// Only the first `visibleLanes` lanes are visible.
    func queue(visibleLanes: Int) -> String {
        var parts: [String] = []
        let hidden = transfers.lanes.dropFirst(visibleLanes).count { $0.load != nil }
        if hidden > 0 { parts.append("+\(hidden) more") }
        let (queued, dropped) = (transfers.queuedCount, transfers.droppedCount)
        if queued > 0 || dropped > 0 { parts.append("\(queued) waiting") }
        if dropped > 0 { parts.append("\(scissors) \(dropped)") }
        // Prefetched images have no cell, so they are not among the pending loads.
        let live = state.statistics.loading.liveTransfers
        let isPrefetching = parts.isEmpty && transfers.pendingCount == 0 && live > 0
        if isPrefetching { parts.append("\(live) prefetching") }
        return parts.joined(separator: "  ")
    }

    /// Returns a one-column symbol for a lane.
    ///
    /// The symbol shows the progress of the running load, a cancelled load, or an empty lane.
    func sign(of lane: TransferLanes.Lane) -> String {
        guard lane.shownBreak == nil else { return scissors }
        guard let load = lane.load else { return state.capabilities.spelling("·", ascii: ".") }
        let fraction = max(0, load.progress.fraction ?? 0)
        let signs = Array(state.capabilities.spelling("▁▂▃▄▅▆▇█", ascii: "0123456789"))
        return String(signs[min(signs.count - 1, Int(fraction * Double(signs.count)))])
    }

    // MARK: Lines

    /// Returns the lines above the lanes; the first line fits into `columns` columns.
    ///
    /// If there is space for only one line, the most important text is used: the waiting time while
    /// cancellation is off, the hint on the first screen, and otherwise the bytes that were not
    /// downloaded.
    func lines(count: Int, columns: Int) -> [Line] {
        let total = fitting(totals, columns).map { Line(text: $0, tone: .strong) }
        let contrast = fitting(contrasts, columns)
            .map { Line(text: $0, tone: lanes.cancels ? .caption : .warning) }
        let story = lanes.story.flatMap { whole([$0.text, $0.shortText], columns) }
            .map { Line(text: $0, tone: .caption) }
        let hint = story ?? whole(hints, columns).map { Line(text: $0, tone: .caption) }
        let empty = Line(text: "", tone: .dim)
        guard count < 2 else {
            if let story {
                let first = lanes.story?.comparesTimes == true ? contrast ?? total : total
                return [first ?? empty, story]
            }
            return [total ?? empty] + [contrast ?? hint].compactMap(\.self)
        }
        let first = lanes.cancels && lanes.story?.comparesTimes != true ? nil : contrast
        let beginning = transfers.cancelledCount == 0 || story != nil ? hint : nil
        return [first ?? beginning ?? total].compactMap(\.self)
    }

    /// The instruction on the first screen, in several lengths, longest first.
    private var hints: [String] {
        guard state.grid.topRow == 0, lanes.cancels else { return [] }
        let down = state.keys.grid.bindings.first { $0.action == .move(.down) }
        guard let key = down?.keys.last?.helpName else { return [] }
        return [
            "Hold \(key): what leaves the screen stops loading.",
            "Hold \(key): leaving stops loads.", "Hold \(key) to scroll.",
        ]
    }

    /// The text about the bytes that were not downloaded, in several lengths, longest first.
    private var totals: [String] {
        let bytes = state.notDownloadedByteCount
        guard bytes > 0 else { return [] }
        let all = Self.bytes(bytes + state.statistics.loading.bytesReceived)
        let text = "not downloaded \(Self.bytes(bytes)) of \(all)"
        let dot = state.capabilities.spelling("·", ascii: "-")
        let times = times.map { ["\(text) \(dot) \($0)"] } ?? []
        return times + [text, "saved \(Self.bytes(bytes)) of \(all)", "saved \(Self.bytes(bytes))"]
    }

    /// The text about the time spent on transfers, and the estimated time without cancellation.
    ///
    /// The estimate adds the time for the bytes that were not downloaded. It assumes that all
    /// transfer slots are busy and as fast as the completed transfers (`TransferPace`).
    private var times: String? {
        let rest = transfers.pace.duration(
            of: state.notDownloadedByteCount,
            slots: transfers.lanes.count
        )
        guard let rest, lanes.busyTime > .zero else { return nil }
        let spent = Self.seconds(lanes.busyTime)
        let estimate = Self.seconds(lanes.busyTime + rest)
        return spent == estimate ? nil : "\(spent) instead of \(estimate)"
    }

    /// The text about the time from scrolling to the first image, in several lengths, longest
    /// first.
    ///
    /// The text compares the times with and without cancellation. The array is empty if
    /// cancellation was never off.
    private var contrasts: [String] {
        let wait = state.statistics.screen.scrollWait
        guard !lanes.cancels || wait.keeping != nil else { return [] }
        guard let keeping = wait.keeping else { return ["cancellation is off: scroll"] }
        let cancelling = wait.cancelling.map { Self.seconds($0) + " / " } ?? ""
        let times = "\(cancelling)\(Self.seconds(keeping))"
        return [
            "first image after scrolling: \(times) without cancellation",
            "first image: \(times) without cancellation", "\(times) without cancellation",
            "wait \(times)",
        ]
    }

    /// Returns the longest text that fits without cutting a word, or nil if none fits.
    private func whole(_ forms: [String], _ columns: Int) -> String? {
        forms.first { state.text($0).width <= columns }
    }

    private func fitting(_ forms: [String], _ columns: Int) -> String? {
        forms.first { state.text($0).width <= columns } ?? forms.last
    }

    /// Formats a number of bytes, with one decimal from 1 MB to 1 GB.
    ///
    /// The decimal makes the growth of a total visible.
    private static func bytes(_ count: Int) -> String {
        guard (1_000_000..<1_000_000_000).contains(count) else { return CountText.bytes(count) }
        // The number is rounded down to prevent it from becoming 1000.0 MB.
        return CountText.tenths(Double(count / 100_000) / 10) + " MB"
    }

    /// Formats a duration in seconds, such as "0.2 s" or "62 s".
    private static func seconds(_ duration: Duration) -> String {
        let seconds = max(0, duration / .seconds(1))
        guard seconds < 600 else { return CountText.span(seconds: Int(min(seconds, 1e9))) }
        guard seconds < 9.95 else { return "\(Int(seconds.rounded())) s" }
        return CountText.tenths(seconds) + " s"
    }
}
