extension FeedDocument {
    /// Creates a document from an HTML page or a web server's file listing; each image becomes an
    /// item.
    ///
    /// `isPictureName` returns whether the last path component of a URL looks like the name of an
    /// image. If a link refers to such a URL, the linked file becomes the image, and an image
    /// inside the link becomes its small variant. The feeds that the page references become the
    /// outlines of the document. Only the first 8 MiB of a page are read.
    ///
    /// The initializer blocks while it reads.
    package init(
        html bytes: [UInt8],
        isPictureName: (String) -> Bool
    ) throws(FeedDocumentFault) {
        self = try MarkupReader.reading("HTML") { () throws(MarkupReader.Unavailable) in
            try withoutActuallyEscaping(isPictureName) {
                isPictureName throws(MarkupReader.Unavailable) in
                try PageReader.document(bytes, isPictureName)
            }
        }
    }
}

/// Finds the images in an HTML page.
private struct PageReader {
    /// A link whose end tag has not been read.
    private struct Link {
        let address: String
        var text = ""
        /// The images inside the link.
        var shown: [FeedDocument.Picture] = []

        mutating func add(_ more: String) { PageReader.append(more, to: &text) }
    }

    /// An open `figure` element with its caption.
    private struct Figure {
        let firstEntry: Int
        var caption = ""
    }

    /// The maximum number of bytes to read; reading HTML takes up to 20 times its size in memory.
    static let mostBytes = 8 << 20
    private static let mostPictures = 100_000
    private static let longestText = 1_000
    private static let deepestFigure = 20
    private static let feedTypes: Set = [
        "application/rss+xml", "application/atom+xml", "application/feed+json",
    ]

    private let isPictureName: (String) -> Bool
    private var document = FeedDocument()
    private var base: String?
    private var hiddenDepth = 0
    private var link: Link?
    private var source: [String: String]?
    private var isInPicture = false
    private var figures: [Figure] = []
    private var isInCaption = false
    private var isInTitle = false
    private var title = ""
    /// The image that represents the page on other sites (`og:image`).
    private var ownPicture: String?
    private var isListing = false
    /// The image files that the page links to, except through links that contain an image.
    ///
    /// In a file listing, these are the listed files.
    private var files: [FeedDocument.Entry] = []
    /// Whether elements may have background images.
    private var hasBackgrounds = false
    private var scriptless = ScriptlessImages()

    static func document(
        _ bytes: [UInt8],
        _ isPictureName: @escaping (String) -> Bool
    ) throws(MarkupReader.Unavailable) -> FeedDocument {
        var reader = PageReader(isPictureName: isPictureName)
        let part = bytes.count > mostBytes ? Array(bytes[..<mostBytes]) : bytes
        var reached: ReachedLimits = []
        reader.hasBackgrounds = part.mayHaveBackgrounds
        // Bytes that are valid UTF-8 are almost certainly UTF-8, regardless of the declared
        // encoding.
        try MarkupReader.withHTML(part, encoding: part.isUTF8 ? "UTF-8" : nil) { markup in
            while reader.document.entries.count < mostPictures, let node = markup.next() {
                reader.take(node, markup)
            }
            reached = markup.reached
        }
        reader.finish()
        reader.document.remarks += reached.remarks
        if part.count < bytes.count {
            reader.document.remarks.append("everything after the first 8 MiB was left out")
        }
        return reader.document
    }

    private init(isPictureName: @escaping (String) -> Bool) {
        self.isPictureName = isPictureName
        document.kind = .page
    }

    // MARK: Nodes

    private mutating func take(_ node: MarkupReader.Node, _ reader: borrowing MarkupReader) {
        switch node {
        case .start(let name, let isEmpty):
            start(name.local.lowercased(), isEmpty: isEmpty, reader)
        case .text(let text):
            guard hiddenDepth == 0 else { break }
            if text.contains(where: { !$0.isWhitespace }) { scriptless.noteText() }
            add(text)
        case .end(let name): end(name.local.lowercased())
        }
    }

    private mutating func start(
        _ tag: String,
        isEmpty: Bool,
        _ reader: borrowing MarkupReader
    ) {
        if hasBackgrounds, hiddenDepth == 0, tag != "img",
            let picture = FeedDocument.Picture(backgroundOf: reader.attributes())
        {
            show(picture)
        }
        switch tag {
        case "script", "style", "template": if !isEmpty { hiddenDepth += 1 }
        case "noscript": if !isEmpty { scriptless.start() }
        case "title": isInTitle = !isEmpty && title.isEmpty
        case "base": base = base ?? reader.attributes()["href"]?.trimmed.nonEmpty
        case "link": take(link: reader.attributes())
        case "meta": take(meta: reader.attributes())
        case "a": startLink(reader.attributes(), isEmpty: isEmpty)
        case "picture": (isInPicture, source) = (!isEmpty, nil)
        case "source": if isInPicture { take(source: reader.attributes()) }
        case "img", "amp-img": if hiddenDepth == 0 { take(image: reader.attributes()) }
        case "figure":
            guard !isEmpty, figures.count < Self.deepestFigure else { break }
            figures.append(Figure(firstEntry: document.entries.count))
        case "figcaption": isInCaption = !isEmpty
        default: break
        }
    }

    private mutating func end(_ tag: String) {
        switch tag {
        case "script", "style", "template": hiddenDepth = max(0, hiddenDepth - 1)
        case "noscript": scriptless.end()
        case "title": isInTitle = false
        case "a": endLink()
        case "picture": (isInPicture, source) = (false, nil)
        case "figure": endFigure()
        case "figcaption": isInCaption = false
        default: break
        }
    }

    private mutating func add(_ text: String) {
        if isInTitle { Self.append(text, to: &title) }
        link?.add(text)
        if isInCaption, let last = figures.indices.last {
            Self.append(text, to: &figures[last].caption)
        }
    }

    private static func append(_ text: String, to words: inout String) {
        guard words.utf8.count < longestText else { return }
        words += text.prefix(longestText)
    }

    // MARK: Elements

    private mutating func take(link attributes: [String: String]) {
        guard let address = attributes["href"]?.trimmed.nonEmpty else { return }
        let relations = (attributes["rel"] ?? "").words
        if relations.contains("next"), document.next == nil { document.next = .address(address) }
        let type = attributes["type"]?.trimmed.lowercased() ?? ""
        guard relations.contains("alternate"), Self.feedTypes.contains(type) else { return }
        document.outlines.append(
            FeedDocument.Outline(title: attributes["title"], url: address)
        )
    }

    private mutating func take(meta attributes: [String: String]) {
        let name = (attributes["property"] ?? attributes["name"])?.trimmed.lowercased()
        guard name == "og:image" || name == "og:image:url" else { return }
        ownPicture = ownPicture ?? attributes["content"]?.trimmed.nonEmpty
    }

    /// Stores the first `source` element with a supported format and no media condition.
    private mutating func take(source attributes: [String: String]) {
        guard source == nil, attributes["media"] == nil else { return }
        if let type = attributes["type"]?.lowercased().split(separator: "/").last,
            !isPictureName("picture.\(type)")
        {
            return
        }
        source = attributes
    }

    private mutating func take(image attributes: [String: String]) {
        if let picture = FeedDocument.Picture(image: attributes, source: source) { show(picture) }
    }

    private mutating func show(_ picture: FeedDocument.Picture) {
        if scriptless.replacesLast {
            if let last = link?.shown.indices.last {
                link?.shown[last].take(twin: picture)
                return
            }
            if link == nil, let last = document.entries.indices.last {
                return document.entries[last].pictures[0].take(twin: picture)
            }
        }
        scriptless.noteImage()
        if link == nil { add(picture, page: nil) } else { link?.shown.append(picture) }
    }

    private mutating func startLink(_ attributes: [String: String], isEmpty: Bool) {
        endLink()
        guard let address = attributes["href"]?.trimmed.nonEmpty else { return }
        if (attributes["rel"] ?? "").words.contains("next"), document.next == nil {
            document.next = .address(address)
        }
        // Caddy's listings can only be recognized by this link.
        if address.hasPrefix("https://caddyserver.com") { isListing = true }
        if !isEmpty, hiddenDepth == 0 { link = Link(address: address) }
    }

    private mutating func endLink() {
        guard let ended = link else { return }
        link = nil
        guard ended.address.isImageAddress(isPictureName) else {
            for picture in ended.shown { add(picture, page: ended.address) }
            return
        }
        var picture = ended.shown.first ?? FeedDocument.Picture(url: ended.address)
        if ended.shown.isEmpty {
            picture.title = ended.text.tidied
            files.append(Self.entry(picture, page: nil))
        } else {
            // A data URL is usually a placeholder for the linked image.
            if !picture.url.isData {
                picture.versions.append(.init(url: picture.url, width: picture.shownWidth))
            }
            picture.url = ended.address
        }
        add(picture, page: nil)
    }

    private mutating func endFigure() {
        guard let figure = figures.popLast(), let caption = figure.caption.tidied else {
            return
        }
        for index in min(figure.firstEntry, document.entries.count)..<document.entries.count {
            document.entries[index].pictures[0].title = caption
        }
    }

    private mutating func add(_ picture: FeedDocument.Picture, page: String?) {
        guard document.entries.count < Self.mostPictures else { return }
        document.entries.append(Self.entry(picture, page: page))
    }

    private static func entry(_ picture: FeedDocument.Picture, page: String?) -> FeedDocument.Entry
    {
        var entry = FeedDocument.Entry()
        entry.pictures = [picture]
        entry.link = page
        return entry
    }

    // MARK: Finishing

    private mutating func finish() {
        endLink()
        while !figures.isEmpty { endFigure() }
        document.title = title.tidied
        let heads = ["index of ", "directory listing for "]
        let head = document.title?.lowercased() ?? ""
        if isListing || heads.contains(where: head.hasPrefix) {
            listFiles()
        } else if let ownPicture, !ownPicture.isData {
            let isShown = document.entries.contains { $0.pictures[0].url == ownPicture }
            let own = Self.entry(FeedDocument.Picture(url: ownPicture), page: nil)
            if !isShown { document.entries.insert(own, at: 0) }
        }
        if let base {
            for index in document.entries.indices { document.entries[index].bases = [base] }
        }
        document.removePlaceholders()
    }

    /// Replaces the items with the linked files, without their titles.
    ///
    /// In a file listing, the displayed images are file icons, and the displayed names may be
    /// truncated.
    private mutating func listFiles() {
        document.kind = .listing
        document.entries = files.map { file in
            var file = file
            file.pictures[0].title = nil
            return file
        }
    }
}
