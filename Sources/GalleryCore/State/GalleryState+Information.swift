internal import Decoders
internal import Feeds
internal import ImageLoading
import TerminalUI

/// Properties that provide the content of the information panel.
extension GalleryState {
    /// The details of the selected image, collected from the gallery, files and caches.
    var knownInformation: PictureInformation {
        guard let item = selectedItem, let feed = currentFeed else {
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
        if let times = detail?.shown.times ?? slot?.shown.times { known.add(times) }
        return known.joined(with: panels.information?.found ?? PictureInformation())
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
        if let folder = slot?.folder {
            known.add("images", folder.countText, to: "Folder")
            let folderCount = folder.contents?.folderCount
            known.add("folders", folderCount.map(CountText.grouped), to: "Folder")
            known.add("problem", slot?.load.failure?.reason, to: "Folder")
            return
        }
        guard let facts = detail?.shown.facts ?? slot?.shown.facts else { return }
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
        if detail?.shown.isStale ?? slot?.shown.isStale ?? false {
            known.add("age", "may be old", to: title)
        }
    }
}

extension PictureInformation {
    /// Adds the duration of each step of a load.
    ///
    /// The start and end of each step are stored as fractions of the total duration.
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
