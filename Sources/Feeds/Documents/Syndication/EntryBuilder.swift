/// Collects the contents of a feed item and then selects its images.
package struct EntryBuilder {
    /// An image or other media described by Media RSS.
    private struct Media {
        var picture: FeedDocument.Picture
        let isPicture: Bool
        let area: Int
        let isDefault: Bool
        /// The number of the enclosing `media:group` element, or nil outside a group.
        ///
        /// The members of a group are the same image in different sizes.
        let group: Int?
    }

    private static let mostPictures = 1_000

    package var identity: String?
    package var title: String?
    package var author: String?
    package var date: Int?
    /// The modification date; it is used if the item has no other date.
    package var changed: Int?
    package var link: String?
    /// The content with its markup.
    package var content: String?
    /// The summary with its markup.
    package var summary: String?
    /// The additional base URLs of the content and the summary.
    package var contentBases: [String] = []
    package var summaryBases: [String] = []
    /// Whether relative image URLs in the text are relative to the item's page, as in RSS.
    package var isRelativeToPage = false

    package let bases: [String]
    private let isPictureName: (String) -> Bool
    private var media: [Media] = []
    private var enclosures: [FeedDocument.Picture] = []
    private var inline: [FeedDocument.Picture] = []
    private var thumbnails: [FeedDocument.Picture.Version] = []
    private var images: [String] = []
    private var linked: [String] = []
    private var mediaTitle: String?
    private var mediaDescription: String?
    private var mediaCredit: String?
    private var groupCount = 0
    private var openGroup: Int?
    private var isMediaOpen = false
    /// The limits that were reached in the item.
    package private(set) var reached: ReachedLimits = []

    package init(bases: [String], isPictureName: @escaping (String) -> Bool) {
        (self.bases, self.isPictureName) = (bases, isPictureName)
    }

    // MARK: Collecting

    package mutating func startGroup() {
        groupCount += 1
        openGroup = groupCount
    }

    package mutating func endGroup() {
        openGroup = nil
    }

    package mutating func startMedia(
        _ url: String?,
        _ attributes: [String: String],
        isPicture: Bool
    ) {
        guard let url, hasRoom(media) else { return }
        let size = ["width", "height"].map {
            Int(attributes[$0] ?? "").map { min(max(0, $0), 1 << 20) } ?? 0
        }
        var picture = FeedDocument.Picture(url: url)
        picture.size = (size[0], size[1])
        media.append(
            Media(
                picture: picture,
                isPicture: isPicture,
                area: size[0] * size[1],
                isDefault: attributes["isDefault"] == "true",
                group: openGroup
            )
        )
        isMediaOpen = true
    }

    package mutating func endMedia() {
        isMediaOpen = false
    }

    package mutating func add(thumbnail: FeedDocument.Picture.Version) {
        guard hasRoom(thumbnails) else { return }
        thumbnails.append(thumbnail)
        if isMediaOpen, let last = media.indices.last {
            media[last].picture.versions.append(thumbnail)
        }
    }

    package mutating func add(image url: String) {
        if hasRoom(images) { images.append(url) }
    }

    /// Adds the URL of an image that the entry links to.
    package mutating func add(linked url: String) {
        if hasRoom(linked) { linked.append(url) }
    }

    package mutating func add(inline picture: FeedDocument.Picture) {
        if hasRoom(inline) { inline.append(picture) }
    }

    package mutating func add(enclosure url: String, title: String?) {
        guard hasRoom(enclosures) else { return }
        var picture = FeedDocument.Picture(url: url)
        picture.title = title
        enclosures.append(picture)
    }

    private mutating func hasRoom(_ images: [some Any]) -> Bool {
        guard images.count >= Self.mostPictures else { return true }
        reached.insert(.pictures)
        return false
    }

    package mutating func take(mediaTitle text: String?) {
        take(text, ofPicture: \.title, ofEntry: \.mediaTitle)
    }

    package mutating func take(mediaDescription text: String?) {
        take(text, ofPicture: \.alternativeText, ofEntry: \.mediaDescription)
    }

    package mutating func take(mediaCredit text: String?) {
        take(text, ofPicture: \.credit, ofEntry: \.mediaCredit)
    }

    /// Stores the text of an element.
    ///
    /// Text inside a Media RSS element describes the image of that element. Other text describes
    /// the item.
    private mutating func take(
        _ text: String?,
        ofPicture: WritableKeyPath<FeedDocument.Picture, String?>,
        ofEntry: WritableKeyPath<EntryBuilder, String?>
    ) {
        if isMediaOpen, let last = media.indices.last {
            media[last].picture[keyPath: ofPicture] = text
        } else if self[keyPath: ofEntry] == nil {
            self[keyPath: ofEntry] = text
        }
    }

    // MARK: Selecting images

    package mutating func finished() -> FeedDocument.Entry {
        var entry = FeedDocument.Entry()
        entry.identity = identity
        entry.title = title ?? mediaTitle
        entry.author = author ?? mediaCredit
        entry.date = date ?? changed
        entry.link = link
        entry.bases = bases
        let content = fragment(content, contentBases)
        let summary = fragment(summary, summaryBases)
        for fragment in [content, summary] { reached.formUnion(fragment?.reached ?? []) }
        entry.text =
            [content?.text, summary?.text, mediaDescription].compactMap { $0?.nonEmpty }.first
        entry.pictures = FeedDocument.Picture.unique(pictures(content, summary))
        return entry
    }

    /// Removes one level of escaping from markup that was escaped twice.
    ///
    /// The program that created the feed may have put the escaped markup into a paragraph.
    private static func unescaped(_ text: String) -> String {
        let start = text.prefix(64).trimmingPrefix(while: \.isWhitespace)
        let isWrapped = ["<p>&lt;", "<div>&lt;", "<span>&lt;"].contains(where: start.hasPrefix)
        guard isWrapped || !text.utf8.contains(UInt8(ascii: "<")),
            text.utf8.contains(UInt8(ascii: "&")),
            ["&lt;img ", "&lt;p>", "&lt;p&gt;", "&lt;a ", "&lt;div"].contains(where: text.contains)
        else { return text }
        return text.replacing("&lt;", with: "<").replacing("&gt;", with: ">")
            .replacing("&quot;", with: "\"").replacing("&amp;", with: "&")
    }

    private func fragment(_ markup: String?, _ bases: [String]) -> HTMLFragment? {
        let parsed = markup.map(Self.unescaped).flatMap {
            try? HTMLFragment($0, isPictureName: isPictureName)
        }
        guard var fragment = parsed else { return nil }
        let hasBase = !self.bases.isEmpty || !bases.isEmpty
        fragment.changePictures { picture in
            picture.isRelativeToPage = isRelativeToPage && !hasBase && picture.bases.isEmpty
            picture.bases = bases + picture.bases
        }
        return fragment
    }

    /// Returns the images that the feed declares.
    ///
    /// If the feed declares no images, returns the images in the item's text. Otherwise, the images
    /// in the text are often smaller copies.
    private func pictures(
        _ content: HTMLFragment?,
        _ summary: HTMLFragment?
    ) -> [FeedDocument.Picture] {
        let declared = [mediaPictures, enclosures].first { !$0.isEmpty }
        if var declared {
            if declared.count == 1 {
                if declared[0].versions.isEmpty { declared[0].versions = thumbnails }
                declared[0].alternativeText = declared[0].alternativeText ?? mediaDescription
            }
            return declared
        }
        let shown = [inline + (content?.pictures ?? []), summary?.pictures ?? []]
        var linked = self.linked.map { FeedDocument.Picture(url: $0) }
        linked += (content?.linked ?? []) + (summary?.linked ?? [])
        if let link, link.isImageAddress(isPictureName) {
            linked.insert(FeedDocument.Picture(url: link), at: 0)
        }
        let chosen = FeedDocument.Picture.chosen(
            shown: shown.first { !$0.isEmpty } ?? [],
            linked: linked,
            thumbnails: thumbnails
        )
        if !chosen.isEmpty { return chosen }
        // The still image of a video, if there is no other image.
        let stills = thumbnails.map(\.url) + images
        return stills.prefix(1).map {
            FeedDocument.Picture(url: $0)
        }
    }

    /// The images of the Media RSS elements, with one image for each group.
    ///
    /// A group is represented by its default image. A group without a default image is represented
    /// by its largest image.
    private var mediaPictures: [FeedDocument.Picture] {
        var best: [Int: Media] = [:]
        var pictures: [(group: Int?, picture: FeedDocument.Picture)] = []
        for media in media where media.isPicture {
            guard let group = media.group else {
                pictures.append((nil, media.picture))
                continue
            }
            if let present = best[group] {
                let isBetter =
                    media.isDefault != present.isDefault
                    ? media.isDefault : media.area > present.area
                if isBetter { best[group] = media }
            } else {
                best[group] = media
                pictures.append((group, media.picture))
            }
        }
        return pictures.map { group, picture in group.flatMap { best[$0]?.picture } ?? picture }
    }
}
