internal import Feeds
internal import ImageLoading
import TerminalUI

/// Draws groups of figures from top to bottom.
struct StatisticsPen {
    let state: GalleryState
    let columns: Range<Int>
    let surface: Theme.Surface
    /// The row in which the next line is drawn.
    var row = 0
    /// The visible rows; lines in other rows are not drawn.
    var rows = 0..<0

    private static let figureEnd = 28
    private static let remarkStart = 31

    init(state: GalleryState, columns: Range<Int>, surface: Theme.Surface) {
        self.state = state
        self.columns = columns
        self.surface = surface
    }

    private var left: Int { columns.lowerBound }
    private var isWide: Bool { columns.count >= 50 }
    private var capabilities: ScreenCapabilities { state.capabilities }

    mutating func draw(_ group: StatisticsGroup, into frame: inout Frame) {
        let title = state.text(group.title, limit: columns.count)
        put(title, at: left, .accent, into: &frame)
        let note = state.text(group.note)
        if title.width + 2 + note.width <= columns.count {
            put(note, at: columns.upperBound - note.width, .dim, into: &frame)
        }
        row += 1
        for line in group.lines {
            draw(line, into: &frame)
            row += 1
        }
    }

    private func draw(_ line: StatisticsGroup.Line, into frame: inout Frame) {
        switch line {
        case .row(let label, let figure, let remark, let tone):
            drawRow(label, figure, remark, tone, into: &frame)
        case .meter(let part): drawMeter(part, into: &frame)
        case .shares(let counts): drawShares(counts, into: &frame)
        case .legend(let counts): drawLegend(counts, into: &frame)
        case .rate(let rate, let samples):
            drawRow("now", "\(CountText.bytes(rate))/s", "", .caption, into: &frame)
            guard isWide else { return }
            put(curve(samples), at: left + Self.remarkStart, .fromNetwork, into: &frame)
        }
    }

    private func drawRow(
        _ label: String,
        _ figure: String,
        _ remark: String,
        _ tone: Theme.Tone,
        into frame: inout Frame
    ) {
        let hasFigure = !figure.isEmpty
        let labelTone: Theme.Tone = hasFigure ? .dim : tone
        let text = state.text(label)
        if isWide {
            put(text, at: left, labelTone, into: &frame)
            let figure = state.text(figure)
            put(figure, at: left + Self.figureEnd - figure.width, tone, into: &frame)
            // If there is no figure, the remark directly follows the label.
            let start = figure.width > 0 ? Self.remarkStart : text.width + 2
            let remark = state.text(remark, limit: columns.count - start)
            put(remark, at: left + start, .dim, into: &frame)
            return
        }
        let hasRemark = hasFigure && !remark.isEmpty && !remark.hasPrefix("0 ")
        let joint = remark.hasPrefix("of ") ? " " : ", "
        let long = state.text(hasRemark ? figure + joint + remark : figure)
        let fits = text.width + 2 + long.width <= columns.count
        let shown = fits ? long : state.text(figure)
        put(shown, at: columns.upperBound - shown.width, tone, into: &frame)
        let room = columns.count - shown.width - (shown.width > 0 ? 1 : 0)
        put(state.text(Self.words(of: label, in: room)), at: left, labelTone, into: &frame)
    }

    /// Returns as many words of a label as fit in `width` columns, but at least the first word.
    static func words(of label: String, in width: Int) -> String {
        var words = label.split(separator: " ")
        while words.count > 1, words.joined(separator: " ").count > width { words.removeLast() }
        return words.joined(separator: " ")
    }

    private func drawMeter(_ part: Double, into frame: inout Frame) {
        let width = columns.count
        let filled = part > 0 ? max(1, Int((part * Double(width)).rounded())) : 0
        let style = state.theme.style(.progress, on: surface)
        guard hasShareColors else {
            let bar = ProgressBar(fraction: Double(filled) / Double(max(1, width)), columns: width)
            put(state.text(bar.text(state, hasTrack: false)), at: left, style, &frame)
            return
        }
        // The bar is half as high as a row, which distinguishes it from text.
        let ground = state.theme.surface(surface).background
        for offset in 0..<width {
            let color = offset < filled ? style.foreground : style.background
            let look = CellStyle(foreground: color, background: ground)
            put(state.text("▄"), at: left + offset, look, &frame)
        }
    }

    // MARK: Sources

    private func drawShares(_ counts: [ImageSource: Int], into frame: inout Frame) {
        let total = max(1, counts.values.reduce(0, +))
        var (before, column) = (0, 0)
        for source in ImageSource.allCases {
            before += counts[source] ?? 0
            let end = before * columns.count / total
            let look = shareGlyph(source)
            let part = state.text(String(repeating: look, count: max(0, end - column)))
            put(part, at: left + column, source.tone, into: &frame)
            column = max(column, end)
        }
    }

    private func shareGlyph(_ source: ImageSource) -> String {
        if hasShareColors { return "▄" }
        let isASCII = !capabilities.shows("█▓░")
        return switch source {
        case .memory: isASCII ? "#" : "█"
        case .disk: isASCII ? "=" : "▓"
        case .network: isASCII ? "-" : "░"
        }
    }

    private func drawLegend(_ counts: [ImageSource: Int], into frame: inout Frame) {
        let total = counts.values.reduce(0, +)
        var column = left
        for source in ImageSource.allCases {
            guard let count = counts[source], count > 0 else { continue }
            let (symbol, ascii) = source.sign.spelling
            let share = state.text(" \(CountText.percent(count, of: total))")
            let text = state.text(" \(source.rawValue) \(count)")
            let room = columns.upperBound - column
            guard 1 + text.width <= room else { return }
            let sign =
                hasShareColors ? state.glyph(symbol, ascii: ascii) : state.text(shareGlyph(source))
            column = put(sign, at: column, source.tone, into: &frame)
            column = put(text, at: column, .caption, into: &frame)
            if isWide { column = put(share, at: column, .dim, into: &frame) }
            column += isWide ? 3 : 1
        }
    }

    private var hasShareColors: Bool { state.theme.hasSurfaces && capabilities.shows("▄") }

    private func curve(_ samples: [Int]) -> FrameText {
        let marks = Array(capabilities.spelling("▁▂▃▄▅▆▇█", ascii: "__.-=+*#"))
        let most = max(1, samples.max() ?? 1)
        let room = columns.count - Self.remarkStart
        return state.text(
            String(samples.suffix(max(0, room)).map { marks[$0 * (marks.count - 1) / most] })
        )
    }

    // MARK: Text

    @discardableResult
    private func put(
        _ text: FrameText,
        at column: Int,
        _ tone: Theme.Tone,
        into frame: inout Frame
    ) -> Int {
        put(text, at: column, state.theme.style(tone, on: surface), &frame)
    }

    @discardableResult
    private func put(
        _ text: FrameText,
        at column: Int,
        _ style: CellStyle,
        _ frame: inout Frame
    ) -> Int {
        guard rows.contains(row) else { return column + text.width }
        return frame.draw(text, row: row, column: column, style: style)
    }
}

extension ImageSource {
    fileprivate var tone: Theme.Tone {
        switch self {
        case .memory: .accent
        case .disk: .fromDisk
        case .network: .fromNetwork
        }
    }
}
