internal import Decoders
internal import Feeds
internal import ImageLoading
import TerminalUI

/// The state of the panel with details of the selected image.
///
/// The panel is shown beside the images, or as a page if there is too little space.
struct InformationPanel: Equatable, Sendable {
    var position = PanelPosition()
    /// The item whose details were requested, or nil before the first request.
    var item: Int?
    /// The details from files and caches, or nil until they arrive.
    var found: PictureInformation?
    /// Whether the details may have changed.
    var isOutdated = false
}

/// Handling keys of the information panel.
extension GalleryState {
    /// Shows the panel; if it is visible, shows the groups that did not fit; after the last group,
    /// hides it.
    mutating func showNextInformation() -> [Effect] {
        guard informationPanel != nil else {
            guard selectedItem != nil else { return sayThatNothingIsSelected() }
            // Only one panel, statistics or information, fits beside the grid.
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

    /// Whether the information covers the whole screen.
    var isInformationPage: Bool {
        guard informationPanel != nil else { return false }
        return detail == nil ? panelColumn == nil : !hasPanelBesideDetail
    }

    private var hasPanelBesideDetail: Bool {
        informationPanel != nil && screen.columns >= Self.leastScreenBesideDetail
    }

    /// The minimum width in columns of a screen that shows the panel beside an open image.
    private static let leastScreenBesideDetail = 90

    /// The number of columns available for an open image.
    var detailColumns: Int {
        screen.columns - (hasPanelBesideDetail ? PanelArea.leastWidth : 0)
    }

    /// Handles a key on the information page; returns nil if the page is not shown.
    ///
    /// Some keys scroll the page or select another image, and any other key closes it.
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

/// The content of the information panel.
extension GalleryState {
    /// Requests the details of the selected image if another image was selected or the details are
    /// outdated.
    mutating func followInformation() -> [Effect] {
        guard let panel = informationPanel else { return [] }
        let item = selectedItem
        if item != panel.item { informationPanel = InformationPanel(item: item) }
        guard let item, item != panel.item || panel.isOutdated else { return [] }
        informationPanel?.isOutdated = false
        return [.readInformation(item: item)]
    }

    /// Marks the details as outdated at the end of a load, because the load changed the caches.
    mutating func noteForInformation(_ event: LoadEvent, ofItem item: Int?) {
        guard case .finished = event, let item, informationPanel?.item == item else { return }
        informationPanel?.isOutdated = true
    }

    mutating func take(_ found: PictureInformation, ofItem item: Int) {
        if informationPanel?.item == item { informationPanel?.found = found }
    }

    /// The details known to the gallery, combined with those from files and caches.
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
            known.add("URL", URLParts.withoutLogin(feedItem.url), to: source)
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
        let title = "Image"
        let times = capabilities.spelling("×", ascii: "x")
        known.add("size", facts.size.map { "\($0.width)\(times)\($0.height)" }, to: title)
        known.add("format", facts.format, to: title)
        known.add("bytes", facts.byteCount.map(CountText.bytes), to: title)
        if facts.frameCount > 1 { known.add("frames", String(facts.frameCount), to: title) }
        known.add("damage", facts.damage?.description, to: title)
        known.add("problem", (detail?.load ?? slot?.load)?.failure?.reason, to: title)
        if case .loaded(let source)? = detail?.load ?? slot?.load, slot?.isLocalFile != true {
            known.add("from", source.rawValue, to: title)
        }
        if detail?.isStale ?? slot?.isStale ?? false { known.add("age", "may be old", to: title) }
    }
}

extension PictureInformation {
    /// Adds the stages of a load, each with its range within the total time.
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
