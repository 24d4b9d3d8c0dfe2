/// What is known of a picture: a panel beside the pictures, or a page where there is no room for one.
///
/// A panel shows whole groups, and the same key goes on to those that did not fit; a page scrolls.
struct InformationView {
    let state: GalleryState
    private let area: PanelArea
    /// The lines of each group, its heading first.
    private let groups: [[Line]]
    private let labelWidth: Int

    private enum Line {
        case blank
        case title(String)
        case value(label: String, FrameText)
        /// A time, and which part of the whole it is.
        case share(label: String, FrameText, ClosedRange<Double>)
    }

    init(state: GalleryState) {
        self.state = state
        let isPage = state.isInformationPage
        let column = state.detail == nil ? state.panelColumn ?? 0 : state.detailColumns
        area = PanelArea(on: state.screen, isPage: isPage, from: column)
        let groups = state.knownInformation.groups
        // Longer labels than those that are usual are names of a feed's fields.
        let longest = groups.flatMap(\.lines).map { state.text($0.label, limit: 40).width }.max()
        let labelWidth = max(isPage ? 12 : 11, min((longest ?? 0) + 2, area.columns.count / 3))
        let width = max(8, area.columns.count - labelWidth)
        self.labelWidth = labelWidth
        self.groups = groups.map { group in
            [Line.title(group.title)]
                + group.lines.flatMap { Self.lines($0, width: width, state: state) }
        }
    }

    private var isPage: Bool { state.isInformationPage }
    private var position: PanelPosition { state.informationPanel?.position ?? PanelPosition() }
    private var lines: [Line] { Array(groups.joined(separator: [.blank])) }

    func draw(into frame: inout Frame) {
        let hint = nextPosition == nil ? "closes" : "shows more"
        let key = state.keys.name(of: .information)
        area.drawTitle("Information", hint: "\(key) \(hint)", into: &frame, state: state)
        let shown =
            isPage
            ? lines.dropFirst(firstLine).prefix(pageHeight)
            : Array(groups[panelGroups].joined(separator: [.blank])).prefix(area.height)
        for (offset, line) in shown.enumerated() { draw(line, at: area.top + offset, into: &frame) }
    }

    // MARK: Room

    /// The rows of a page that lines have, with air below them where there is room.
    var pageHeight: Int { max(1, area.height - area.top) }

    /// How far a page can be scrolled.
    var lastScroll: Int { max(0, lines.count - pageHeight) }

    /// The first line that a page shows.
    var firstLine: Int { max(0, min(position.line, lastScroll)) }

    /// The position after the same key is pressed again; nil if everything has been shown.
    var nextPosition: PanelPosition? {
        var next = position
        if isPage {
            guard firstLine < lastScroll else { return nil }
            next.line = min(firstLine + pageHeight, lastScroll)
        } else {
            guard panelGroups.upperBound < groups.count else { return nil }
            next.group = panelGroups.upperBound
        }
        return next
    }

    /// Which rows of a page are seen; nil if all are.
    var rowsNote: String? {
        guard lastScroll > 0 else { return nil }
        return "rows \(firstLine + 1)-\(min(lines.count, firstLine + pageHeight)) of \(lines.count)"
    }

    private var panelGroups: Range<Int> {
        area.groups(of: groups.map(\.count), from: position.group)
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

    /// The columns that a time has before its bar: "999 ms".
    private static let timeWidth = 7
    /// A longer bar says no more.
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
        // What took any time at all is seen.
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

    /// A long value goes on in the rows below, as far as it says anything.
    private static func lines(
        _ line: PictureInformation.Line,
        width: Int,
        state: GalleryState
    ) -> [Line] {
        if let share = line.share {
            return [.share(label: line.label, state.text(line.value, limit: width), share)]
        }
        let columns = state.text(line.value.prefix(2000)).columns
        return stride(from: 0, to: max(1, min(columns.count, width * 6)), by: width).map { start in
            let part = Array(columns[min(start, columns.count)...].prefix(width))
            return .value(label: start == 0 ? line.label : "", FrameText(cleaned: part))
        }
    }
}
