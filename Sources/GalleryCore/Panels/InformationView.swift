import TerminalUI

/// A view that shows the details of an image.
///
/// It is a panel beside the images, or a page if there is too little space. A panel shows complete
/// groups; pressing its key again shows the groups that did not fit. A page scrolls.
struct InformationView {
    let state: GalleryState
    let content: PanelContent
    /// The lines of each group, starting with its heading.
    private let groups: [[Line]]
    private let labelWidth: Int
    /// Whether a text is longer than its rows.
    private let isFolded: Bool

    private enum Line {
        case blank
        case title(String)
        case value(label: String, FrameText)
        /// The duration of a step of the load, with a bar that shows when the step started and
        /// ended.
        ///
        /// The range contains the start and end as fractions of the total duration.
        case share(label: String, FrameText, ClosedRange<Double>)
    }

    init(state: GalleryState) {
        self.state = state
        let isPage = state.isInformationPage
        let column =
            state.detail == nil
            ? state.panels.column ?? 0 : state.panels.columnsForImage(on: state.screen)
        let area = PanelArea(on: state.screen, isPage: isPage, from: column)
        let known = state.knownInformation.groups
        // Labels that are longer than usual are field names from a feed.
        let longest = known.flatMap(\.lines).map { state.text($0.label, limit: 40).width }.max()
        let isNarrow = area.columns.count < Self.narrowWidth
        let usual = isNarrow ? min((longest ?? 0) + 1, area.columns.count / 2) : isPage ? 12 : 11
        let labelWidth = max(usual, min((longest ?? 0) + 2, area.columns.count / 3))
        let width = max(8, area.columns.count - labelWidth)
        let rows = known.map { group in
            group.lines.map { Self.lines($0, width: width, state: state) }
        }
        let groups = zip(known, rows).map { [Line.title($0.title)] + $1.joined() }
        isFolded =
            state.panels.information?.isWhole != true
            && rows.joined().contains { $0.count == Self.folded.rows }
        self.labelWidth = labelWidth
        self.groups = groups
        content = PanelContent(
            heights: groups.map(\.count),
            in: area,
            bottomMargin: area.top,
            at: state.panels.information?.position ?? PanelPosition()
        )
    }

    /// The panel width in columns below which values start directly after their labels.
    private static let narrowWidth = 30

    private var area: PanelArea { content.area }

    func draw(into frame: inout Frame) {
        let whole = state.keys.name(of: .wholeInformation)
        let hint =
            (isFolded && !whole.isEmpty ? "\(whole) all  " : "")
            + content.hint(key: state.keys.name(of: .information))
        area.drawTitle("Information", hint: hint, into: &frame, state: state)
        let lines = Array(groups[content.visibleGroups].joined(separator: [.blank]))
        let shown = lines.dropFirst(content.firstLine).prefix(content.height)
        for (offset, line) in shown.enumerated() { draw(line, at: area.top + offset, into: &frame) }
    }

    // MARK: Lines

    private func draw(_ line: Line, at row: Int, into frame: inout Frame) {
        let left = area.columns.lowerBound
        switch line {
        case .blank: break
        case .title(let title):
            let style = state.theme.style(.accent, on: area.surface)
            frame.draw(state.text(title), row: row, column: left, style: style)
        case .value(let label, let text):
            draw(label, at: row, into: &frame)
            let style = state.theme.style(.caption, on: area.surface)
            frame.draw(text, row: row, column: left + labelWidth, style: style)
        case .share(let label, let text, let share):
            draw(label, at: row, into: &frame)
            draw(text, share, at: row, into: &frame)
        }
    }

    private func draw(_ label: String, at row: Int, into frame: inout Frame) {
        let name = state.text(label, limit: labelWidth - 1)
        let style = state.theme.style(.dim, on: area.surface)
        frame.draw(name, row: row, column: area.columns.lowerBound, style: style)
    }

    /// The minimum width in columns of a duration such as "999 ms" before its bar.
    private static let timeWidth = 7
    /// The maximum length of a bar in columns.
    private static let longestBar = 40

    private func draw(
        _ text: FrameText,
        _ share: ClosedRange<Double>,
        at row: Int,
        into frame: inout Frame
    ) {
        let start = area.columns.lowerBound + labelWidth
        let caption = state.theme.style(.caption, on: area.surface)
        frame.draw(text, row: row, column: start, style: caption)
        let column = start + max(Self.timeWidth, text.width) + 1
        let width = min(Self.longestBar, area.columns.upperBound - column)
        guard width >= 4 else { return }
        // Every step takes at least one column, so it is always visible.
        let from = min(width - 1, Int((share.lowerBound * Double(width)).rounded(.down)))
        let to = max(from + 1, min(width, Int((share.upperBound * Double(width)).rounded())))
        let isASCII = !state.capabilities.shows("━─")
        for offset in 0..<width {
            let isPart = (from..<to).contains(offset)
            let sign = isPart ? (isASCII ? "=" : "━") : (isASCII ? "-" : "─")
            let style = state.theme.style(isPart ? .accent : .dim, on: area.surface)
            frame.draw(state.text(sign), row: row, column: column + offset, style: style)
        }
    }

    /// The maximum length of a value, in characters, and the maximum number of its rows.
    private static let folded = (length: 2_000, rows: 6)
    /// The same for a value that is shown whole; workflows of image generators are the longest.
    private static let whole = (length: 200_000, rows: 10_000)

    /// Returns the rows for a line of details; a long value is wrapped.
    ///
    /// A value is broken between words, or after a slash in a path or URL. The lines of a text with
    /// line feeds stay apart.
    private static func lines(
        _ line: PictureInformation.Line,
        width: Int,
        state: GalleryState
    ) -> [Line] {
        if let share = line.share {
            return [.share(label: line.label, state.text(line.value, limit: width), share)]
        }
        let limit = state.panels.information?.isWhole == true ? whole : folded
        let isPath = line.value.hasPrefix("/") || line.value.contains("://")
        var rows: [FrameText] = []
        for part in line.value.prefix(limit.length).split(whereSeparator: \.isNewline) {
            rows += WrappedText.lines(
                state.text(part),
                width: width,
                limit: limit.rows - rows.count,
                breaksAtSlashes: isPath
            )
        }
        guard let first = rows.first else { return [.value(label: line.label, state.text(""))] }
        return [.value(label: line.label, first)]
            + rows.dropFirst().map { .value(label: "", $0) }
    }
}
