internal import Decoders
internal import ImageLoading

/// The page about the selected picture.
extension GalleryState {
    mutating func openInformation() -> [Effect] {
        guard let item = selectedItem else { return sayThatNothingIsSelected() }
        overlay = .information(scroll: 0)
        information = nil
        return [.readInformation(item: item)]
    }

    mutating func take(_ found: PictureInformation, ofItem item: Int) {
        if item == selectedItem { information = found }
    }

    mutating func pressInInformation(_ key: Key, scroll: Int) {
        let view = InformationView(state: self, scroll: scroll)
        if let line = key.scrolled(from: scroll, page: max(1, view.height - 1)) {
            overlay = .information(scroll: max(0, min(line, view.lastScroll)))
        } else {
            overlay = nil
        }
    }

    /// What the gallery knows itself, and what was found in files and caches meanwhile.
    var knownInformation: PictureInformation {
        guard let item = selectedItem, let feed = try? feed?.get() else {
            return PictureInformation()
        }
        let feedItem = feed[item]
        var known = PictureInformation()
        let path = PictureAddress.path(ofURL: feedItem.url)
        addPicture(item, to: &known)
        let source = "Source"
        known.add("caption", feedItem.caption, to: source)
        if let path {
            known.add("path", String(decoding: path, as: UTF8.self), to: source)
        } else {
            known.add("address", URLParts.withoutLogin(feedItem.url), to: source)
        }
        addDetails(feedItem.details, to: &known)
        return known.joined(with: information ?? PictureInformation())
    }

    private func addDetails(_ details: FeedItemDetails?, to known: inout PictureInformation) {
        guard let details else { return }
        let title = "Feed"
        known.add("title", details.title, to: title)
        known.add("author", details.author, to: title)
        known.add("date", details.date.map(RecordDate.text), to: title)
        known.add("shows", details.alternativeText, to: title)
        known.add("link", details.link, to: title)
        for field in details.fields { known.add(field.name, field.value, to: title) }
    }

    private func addPicture(_ item: Int, to known: inout PictureInformation) {
        let slot = pool.slot(ofItem: item)
        guard let facts = detail?.facts ?? slot?.facts else { return }
        let title = "Picture"
        let times = capabilities.spelling("×", ascii: "x")
        known.add("size", facts.size.map { "\($0.width)\(times)\($0.height)" }, to: title)
        known.add("format", facts.format, to: title)
        known.add("bytes", facts.byteCount.map(CountText.bytes), to: title)
        if facts.frameCount > 1 { known.add("frames", String(facts.frameCount), to: title) }
        known.add("damage", facts.damage?.description, to: title)
        known.add("problem", (detail?.load ?? slot?.load)?.failure?.reason, to: title)
        if case .loaded(let source)? = detail?.load ?? slot?.load, slot?.isLocalFile != true {
            known.add("came from", source.rawValue, to: title)
        }
        if detail?.isStale ?? slot?.isStale ?? false { known.add("age", "may be old", to: title) }
    }
}

/// What is known of a picture, on a page.
struct InformationView {
    let state: GalleryState
    let scroll: Int
    private let lines: [Line]
    private let labelWidth: Int

    private enum Line {
        case blank
        case title(String)
        case value(label: String, FrameText)
    }

    init(state: GalleryState, scroll: Int) {
        self.state = state
        self.scroll = scroll
        let groups = state.knownInformation.groups
        // Longer labels than those that are usual are names of a feed's fields.
        let longest = groups.flatMap(\.lines).map { state.text($0.label, limit: 40).width }.max()
        let labelWidth = max(12, min((longest ?? 0) + 2, state.screen.columns / 3))
        let width = max(8, state.screen.columns - Self.left(state) - labelWidth - 2)
        let parts = groups.map { group in
            [Line.title(group.title)]
                + group.lines.flatMap { Self.lines($0, width: width, state: state) }
        }
        self.labelWidth = labelWidth
        lines = Array(parts.joined(separator: [.blank]))
    }

    private static func left(_ state: GalleryState) -> Int { state.screen.columns >= 60 ? 6 : 1 }
    private var left: Int { Self.left(state) }
    private var top: Int { state.screen.rows >= 12 ? 1 : 0 }
    /// The rows for lines.
    var height: Int { max(1, state.screen.rows - 1 - 2 * top) }

    /// How far it can be scrolled.
    var lastScroll: Int { max(0, lines.count - height) }

    /// Which rows are seen; nil if all are.
    var rowsNote: String? {
        guard lastScroll > 0 else { return nil }
        return "rows \(scroll + 1)-\(scroll + height) of \(lines.count)"
    }

    func draw(into frame: inout Frame) {
        let theme = state.theme
        for (offset, line) in lines.dropFirst(scroll).prefix(height).enumerated() {
            let row = top + offset
            switch line {
            case .blank: break
            case .title(let title):
                frame.draw(state.text(title), row: row, column: left, style: theme.style(.accent))
            case .value(let label, let text):
                let name = state.text(label, limit: labelWidth - 1)
                frame.draw(name, row: row, column: left, style: theme.style(.dim))
                let column = left + labelWidth
                frame.draw(text, row: row, column: column, style: theme.style(.caption))
            }
        }
    }

    /// A long value goes on in the rows below, as far as it says anything.
    private static func lines(
        _ line: PictureInformation.Line,
        width: Int,
        state: GalleryState
    ) -> [Line] {
        let columns = state.text(line.value.prefix(2000)).columns
        return stride(from: 0, to: max(1, min(columns.count, width * 6)), by: width).map { start in
            let part = Array(columns[min(start, columns.count)...].prefix(width))
            return .value(label: start == 0 ? line.label : "", FrameText(cleaned: part))
        }
    }
}
