internal import Decoders
internal import ImageLoading

/// What is known of the selected picture, while it is shown: beside the pictures, or as a page where
/// there is no room for both.
struct InformationPanel: Equatable, Sendable {
    var position = PanelPosition()
    /// The item that was asked for; nil before there was one.
    var item: Int?
    /// What files and caches say of it; nil until they have been asked.
    var found: PictureInformation?
    /// Whether they would say something else by now.
    var isOutdated = false
}

/// The keys of it.
extension GalleryState {
    /// Shows it, then what did not fit, then none.
    mutating func showNextInformation() -> [Effect] {
        guard informationPanel != nil else {
            guard selectedItem != nil else { return sayThatNothingIsSelected() }
            // One panel has room beside the grid.
            let effects = statisticsPosition == nil ? [] : hideStatistics()
            informationPanel = InformationPanel()
            return effects + settle() + resizeDetail()
        }
        guard let next = InformationView(state: self).nextPosition else { return hideInformation() }
        informationPanel?.position = next
        return []
    }

    mutating func hideInformation() -> [Effect] {
        informationPanel = nil
        return settle() + resizeDetail()
    }

    /// Whether it takes the whole screen.
    var isInformationPage: Bool {
        guard informationPanel != nil else { return false }
        return detail == nil ? panelColumn == nil : !hasPanelBesideDetail
    }

    private var hasPanelBesideDetail: Bool {
        informationPanel != nil && screen.columns >= Self.leastScreenBesideDetail
    }

    /// An open picture has more than half of a screen.
    private static let leastScreenBesideDetail = 90

    /// The columns that an open picture has.
    var detailColumns: Int {
        screen.columns - (hasPanelBesideDetail ? PanelArea.leastWidth : 0)
    }

    /// A page takes the keys that scroll it and those that go to another picture; any other closes it.
    ///
    /// Nil if there is no page.
    mutating func pressOnInformationPage(_ key: Key) -> [Effect]? {
        guard isInformationPage else { return nil }
        let action = (detail == nil ? keys.grid : keys.detail).action(for: key)
        switch action {
        case .information?: return showNextInformation()
        case .move(.left)?: return look(at: max(0, selection - 1))
        case .move(.right)?: return look(at: min(selection + 1, max(0, itemCount - 1)))
        case .next?, .previous?: return action.map { perform($0) }
        default: break
        }
        let view = InformationView(state: self)
        let page = max(1, view.pageHeight - 1)
        guard let line = key.scrolled(from: view.firstLine, page: page) else {
            return hideInformation()
        }
        scrollInformation(to: line)
        return []
    }

    mutating func scrollInformation(by lines: Int) {
        scrollInformation(to: InformationView(state: self).firstLine + lines)
    }

    private mutating func scrollInformation(to line: Int) {
        let last = InformationView(state: self).lastScroll
        informationPanel?.position.line = max(0, min(line, last))
    }
}

/// What it says.
extension GalleryState {
    /// Asks for what is known of the picture that is selected by now.
    mutating func followInformation() -> [Effect] {
        guard let panel = informationPanel else { return [] }
        let item = selectedItem
        if item != panel.item { informationPanel = InformationPanel(item: item) }
        guard let item, item != panel.item || panel.isOutdated else { return [] }
        informationPanel?.isOutdated = false
        return [.readInformation(item: item)]
    }

    /// Takes note of the end of a load, after which the caches have something else.
    mutating func noteForInformation(_ event: LoadEvent, ofItem item: Int?) {
        guard case .finished = event, let item, informationPanel?.item == item else { return }
        informationPanel?.isOutdated = true
    }

    mutating func take(_ found: PictureInformation, ofItem item: Int) {
        if informationPanel?.item == item { informationPanel?.found = found }
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
        } else if let file = ArchivedFile(url: feedItem.url) {
            known.add("archive", String(decoding: file.archive, as: UTF8.self), to: source)
            known.add("file", String(decoding: file.name, as: UTF8.self), to: source)
        } else {
            known.add("address", URLParts.withoutLogin(feedItem.url), to: source)
        }
        addDetails(feedItem.details, to: &known)
        let slot = pool.slot(ofItem: item)
        if let times = detail?.times ?? slot?.times { known.add(times) }
        return known.joined(with: informationPanel?.found ?? PictureInformation())
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

extension PictureInformation {
    /// Adds the stages of a load, each with its part of the whole.
    fileprivate mutating func add(_ times: LoadTimes) {
        let title = "Time"
        add("total", CountText.time(times.total), to: title)
        let whole = max(times.total, .nanoseconds(1))
        var start = 0.0
        let stages = [
            ("waiting", times.waiting), ("answer", times.answer), ("transfer", times.transfer),
            ("decoding", times.decoding),
        ]
        for (label, duration) in stages {
            guard let duration else { continue }
            let end = min(1, start + max(0, duration / whole))
            add(
                Line(label: label, value: CountText.time(duration), share: start...end),
                to: title
            )
            start = end
        }
    }
}
