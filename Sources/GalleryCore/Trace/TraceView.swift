internal import Feeds
internal import ImageLoading
import TerminalUI

/// A view that lists image load events, with the newest event at the bottom.
///
/// It is shown below the grid, or as a page if no row of tiles fits above it.
struct TraceView {
    let state: GalleryState

    /// The minimum number of rows for the trace below the grid, including its title.
    static let leastRows = 6
    /// The column in which the image name starts, after the longest event name, `not_modified`.
    private static let nameColumn = 25

    private var isPage: Bool { state.isTracePage }

    /// The area of the screen that the trace covers.
    private var area: FrameRect {
        let first = isPage ? 0 : state.trace.row ?? 0
        // The pane ends at the panel beside the grid.
        let end = isPage ? state.screen.columns : state.panels.column ?? state.screen.columns
        let rows = state.screen.rows - 1 - first - (isPage ? 0 : state.laneRows)
        return FrameRect(row: first, column: 0, rows: max(1, rows), columns: end)
    }

    /// The number of events that fit into the area.
    var lineCount: Int { max(0, area.rows - 1) }

    func draw(into frame: inout Frame) {
        let area = area
        let surface: Theme.Surface = isPage ? .ground : .card
        frame.fill(area, style: state.theme.surface(surface))
        drawTitle(area, surface, into: &frame)
        let events = state.trace.events.suffix(lineCount)
        guard !events.isEmpty else {
            let word = state.trace.filter == .all ? "" : "\(state.trace.filter.rawValue) "
            return put("no \(word)events yet", .dim, 0, at: 1, on: surface, into: &frame)
        }
        let first = lineCount - events.count
        for (offset, event) in events.enumerated() {
            draw(event, line: first + offset, on: surface, into: &frame)
        }
    }

    private func drawTitle(_ area: FrameRect, _ surface: Theme.Surface, into frame: inout Frame) {
        var style = state.theme.style(.strong, on: surface)
        style.attributes.insert(.bold)
        let title = state.trace.filter == .all ? "Trace" : "Trace, only \(state.trace.filter)"
        let text = state.text(title, limit: area.columns)
        frame.draw(text, row: area.row, column: 1, style: style)
        let dim = state.theme.style(.dim, on: surface)
        let hints = [hint(.nextTraceFilter, nextFilter), hint(.toggleTrace, "closes")]
        let both = hints.compactMap(\.self).joined(separator: "  ")
        for hint in [both, hints[1] ?? ""] where !hint.isEmpty {
            let shown = state.text(hint)
            let column = area.columns - 1 - shown.width
            guard column > text.width + 3 else { continue }
            frame.draw(shown, row: area.row, column: column, style: dim)
            return
        }
    }

    private func hint(_ action: GalleryAction, _ does: String) -> String? {
        let key = state.keys.name(of: action)
        return key.isEmpty ? nil : "\(key) \(does)"
    }

    /// The description of the next filter.
    private var nextFilter: String {
        switch state.trace.filter {
        case .all: "only cancelled"
        case .cancelled: "only failed"
        case .failed: "all"
        }
    }

    // MARK: Lines

    private func draw(
        _ event: TraceEvent,
        line: Int,
        on surface: Theme.Surface,
        into frame: inout Frame
    ) {
        let middle = max(Self.nameColumn, area.columns / 2)
        let sign = event.kind.sign
        let tone: Theme.Tone =
            switch sign {
            case .cancelled: .warning
            default: sign.tone == .dim ? .caption : sign.tone
            }
        put(
            Self.seconds(event.time - state.trace.start),
            .dim,
            line,
            at: 1,
            on: surface,
            into: &frame
        )
        let (symbol, ascii) = sign.spelling
        let spelled = state.capabilities.spelling(symbol, ascii: ascii)
        put("\(spelled) \(event.kind.name)", tone, line, at: 10, on: surface, into: &frame)
        if let subject = event.subject {
            let end = min(middle - 1, area.columns - 1)
            let name = state.trace.caption(of: subject) ?? Self.name(of: subject)
            let text = state.caption(name, limit: end - Self.nameColumn)
            let style = state.theme.style(.caption, on: surface)
            frame.draw(text, row: area.row + 1 + line, column: Self.nameColumn, style: style)
        }
        let isProblem = [.cancelled, .failed].contains(sign)
        put(event.kind.remark, isProblem ? tone : .dim, line, at: middle, on: surface, into: &frame)
    }

    private func put(
        _ text: String,
        _ tone: Theme.Tone,
        _ line: Int,
        at column: Int,
        on surface: Theme.Surface,
        into frame: inout Frame
    ) {
        let shown = state.text(text, limit: area.columns - column - 1)
        let style = state.theme.style(tone, on: surface)
        frame.draw(shown, row: area.row + 1 + line, column: column, style: style)
    }

    /// Returns a duration in seconds with three decimals, padded to seven columns.
    private static func seconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = max(duration, .zero).components
        let milliseconds = String(attoseconds / 1_000_000_000_000_000)
        let zeros = String(repeating: "0", count: 3 - milliseconds.count)
        let text = "\(seconds).\(zeros)\(milliseconds)"
        return String(repeating: " ", count: max(0, 7 - text.count)) + text
    }

    /// Returns the last path component of a URL, or a host name unchanged.
    private static func name(of subject: String) -> String {
        let path = subject.prefix { $0 != "?" }
        return path.split(separator: "/").last.map(String.init) ?? subject
    }
}

extension TraceEvent.Kind {
    /// The symbol that is drawn for the event, such as the symbol of an image source.
    var sign: TileSign {
        switch self {
        case .queued, .coalesced, .missed, .decoded: .queued
        case .hit(let source), .succeeded(let source), .stored(let source, _),
            .evicted(let source, _, _), .purged(let source, _, _):
            source.sign
        case .started, .firstByte, .progress, .notModified, .detached: .network
        case .retried: .stale
        case .cancelled, .stoppedEarly: .cancelled
        case .failed: .failed
        case .hostAvailability(let isAvailable): isAvailable ? .network : .failed
        }
    }

    /// The details of the event as text.
    var remark: String {
        switch self {
        case .coalesced, .missed, .notModified, .detached: ""
        case .queued(let priority): "\(priority)"
        case .hit(let source), .succeeded(let source): source.rawValue
        case .started(let resumedFrom):
            resumedFrom > 0 ? "from byte \(CountText.grouped(resumedFrom))" : ""
        case .firstByte(let status, let expected):
            "\(status)" + (expected.map { ", \(CountText.bytes($0)) announced" } ?? "")
        case .progress(let progress): CountText.bytes(progress.received)
        case .decoded(let duration): CountText.time(duration)
        case .stored(_, let byteCount): CountText.bytes(byteCount)
        case .retried(let attempt, let pause): "attempt \(attempt), after \(CountText.time(pause))"
        case .cancelled(let count), .stoppedEarly(let count):
            count > 0 ? "\(CountText.bytes(count)) saved" : ""
        case .failed: publicFailure ?? ""
        case .evicted(_, let count, let byteCount):
            "\(count == 1 ? "1 image" : "\(count) images"), \(CountText.bytes(byteCount))"
        case .purged(_, let byteCount, let reason): "\(CountText.bytes(byteCount)), \(reason)"
        case .hostAvailability(let isAvailable): isAvailable ? "answers again" : "paused"
        }
    }
}
