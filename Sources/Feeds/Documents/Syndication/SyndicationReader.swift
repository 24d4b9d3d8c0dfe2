extension FeedDocument {
    /// Creates a document from RSS 0.9 to 2.0, Atom or OPML.
    ///
    /// `isPictureName` returns whether the last path component of a URL looks like the name of an
    /// image. The function is needed because enclosures do not always declare their type. If a
    /// document is broken, reads as much of it as possible.
    ///
    /// The initializer blocks while it reads.
    package init(
        xml bytes: [UInt8],
        isPictureName: (String) -> Bool
    ) throws(FeedDocumentFault) {
        let document = try MarkupReader.reading("XML") { () throws(MarkupReader.Unavailable) in
            try withoutActuallyEscaping(isPictureName) {
                isPictureName throws(MarkupReader.Unavailable) in
                try SyndicationReader.document(bytes, isPictureName)
            }
        }
        guard let document else { throw FeedDocumentFault(text: "is XML, but not a feed") }
        self = document
    }
}

/// Assembles items from the nodes of a document.
private struct SyndicationReader {
    typealias Name = MarkupReader.Name
    typealias Field = SyndicationField

    /// An element whose end tag has not been read.
    private struct Element {
        let name: Name
        /// The base URLs for relative URLs in the element.
        let bases: [String]
        /// The field that receives the text of the element, or nil if the text is discarded.
        let field: Field?
        var text = ""
    }

    private static let longestField = 1 << 20
    /// The maximum size in bytes of a broken document that is read beyond its first error.
    ///
    /// Reading such a document takes several times as much memory as the document itself.
    private static let mostBrokenBytes = 16 << 20
    private static let mostEntries = 100_000
    private static let deepestElement = 200
    /// The maximum number of nested base URLs, which are resolved one after another for each image.
    private static let mostBases = 16

    private let isPictureName: (String) -> Bool
    private var document = FeedDocument()
    private var elements: [Element] = []
    private var entry: EntryBuilder?
    private var isFeed = false
    private var reached: ReachedLimits = []

    /// Reads a document; returns nil if it is not a feed.
    static func document(
        _ bytes: [UInt8],
        _ isPictureName: @escaping (String) -> Bool
    ) throws(MarkupReader.Unavailable) -> FeedDocument? {
        let (bytes, lineOfControl) = XMLProlog.text(bytes)
        var reader = SyndicationReader(isPictureName: isPictureName)
        // A document that cannot even be opened is broken from the first line.
        var brokenLine: Int? = 1
        try MarkupReader.withXML(bytes) { markup in
            reader.read(&markup)
            brokenLine = markup.brokenLine
        }
        if brokenLine != nil, bytes.count <= mostBrokenBytes {
            reader = SyndicationReader(isPictureName: isPictureName)
            // Entities that expand endlessly would also stop the second attempt.
            let bytes = XMLProlog.withoutDefinitions(bytes)
            try MarkupReader.withBrokenXML(bytes) { reader.read(&$0) }
            if !reader.document.outlines.isEmpty {
                let outlines = try FeedDocument.Outline.all(inBroken: bytes, limit: mostEntries)
                if outlines.count >= reader.document.outlines.count {
                    reader.document.outlines = outlines
                }
            }
        }
        guard reader.isFeed else { return nil }
        reader.document.removePlaceholders()
        reader.document.firstErrorLine = brokenLine ?? lineOfControl
        reader.document.remarks += reader.reached.remarks
        return reader.document
    }

    private init(isPictureName: @escaping (String) -> Bool) {
        self.isPictureName = isPictureName
    }

    private mutating func read(_ markup: inout MarkupReader) {
        while document.entries.count < Self.mostEntries, let node = markup.next() {
            switch node {
            case .start(let name, let isEmpty):
                guard elements.count < Self.deepestElement else {
                    reached.insert(.nesting)
                    break
                }
                start(name, markup)
                if isEmpty { end() }
            case .text(let text): append(text)
            case .end: end(toDepth: markup.depth)
            }
        }
        if document.entries.count == Self.mostEntries, Self.hasEntry(&markup) {
            document.remarks.append("everything after the first 100,000 entries was left out")
        }
        reached.formUnion(markup.reached)
        // If the document ends early, elements that are still open are accepted.
        while !elements.isEmpty { end() }
    }

    /// Reads to the start of the next entry and returns whether there is one.
    private static func hasEntry(_ markup: inout MarkupReader) -> Bool {
        while let node = markup.next() {
            if case .start(let name, _) = node, isEntry(name) { return true }
        }
        return false
    }

    private static func isEntry(_ name: Name) -> Bool {
        name.isOwn && (name.local == "item" || name.local == "entry")
    }

    // MARK: Elements

    private mutating func start(_ name: Name, _ markup: borrowing MarkupReader) {
        if elements.isEmpty {
            isFeed = ["rss", "feed", "entry", "rdf", "opml"].contains(name.local.lowercased())
        }
        let attributes = markup.attributes()
        var bases = elements.last?.bases ?? []
        if let base = attributes["xml:base"]?.trimmed, bases.count < Self.mostBases {
            bases.append(base)
        }
        if Self.isEntry(name), entry == nil {
            entry = EntryBuilder(bases: bases, isPictureName: isPictureName)
            entry?.isRelativeToPage = name.local == "item"
        } else if entry != nil {
            startInEntry(name, attributes: attributes, bases: innerBases(bases))
        } else if name.local.lowercased() == "outline" {
            if let outline = FeedDocument.Outline(attributes) { document.outlines.append(outline) }
        } else if name.local == "link", let url = attributes["href"]?.trimmed {
            switch attributes["rel"] {
            case "next": document.next = .address(url)
            case nil, "alternate": document.link = document.link ?? url
            case "self" where elements.first?.name.local == "feed":
                document.ownURL = document.ownURL ?? url
            default: break
            }
        }
        let parent = elements.last?.name
        let field = entry == nil ? Field(name, inFeed: parent) : Field(name, inEntry: parent)
        elements.append(Element(name: name, bases: bases, field: field))
    }

    /// Returns `bases` without its first elements, which are the base URLs of the open entry.
    private func innerBases(_ bases: [String]) -> [String] {
        Array(bases.dropFirst(entry?.bases.count ?? 0))
    }

    private mutating func startInEntry(
        _ name: Name,
        attributes: [String: String],
        bases: [String]
    ) {
        let url = (attributes["url"] ?? attributes["href"])?.trimmed.nonEmpty
        switch (name.prefix, name.local) {
        case ("media", "group"): entry?.startGroup()
        case ("media", "content"):
            let isPicture = isPicture(url, attributes)
            entry?.startMedia(url, attributes, isPicture: isPicture)
        case ("media", "thumbnail"), ("", "thumbnail"):
            guard let url else { break }
            let width = attributes["width"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
            entry?.add(thumbnail: FeedDocument.Picture.Version(url: url, width: width))
        case ("itunes", "image"), ("", "image"): if let url { entry?.add(image: url) }
        case ("html", "img"), ("", "img"), ("atom", "img"):
            if var picture = FeedDocument.Picture(image: attributes) {
                picture.bases = bases
                entry?.add(inline: picture)
            }
        case ("", "enclosure"):
            if let url, isPicture(url, attributes) { entry?.add(enclosure: url, title: nil) }
        case ("", "link"), ("atom", "link"):
            guard let url else { break }
            let isPicture = isPicture(url, attributes)
            switch attributes["rel"] {
            case "enclosure":
                if isPicture { entry?.add(enclosure: url, title: attributes["title"]) }
            case nil, "alternate":
                fill(\.link, with: url)
                if isPicture, attributes["type"] != nil { entry?.add(linked: url) }
            case "related", "via": if isPicture { entry?.add(linked: url) }
            default: break
            }
        default: break
        }
    }

    /// Returns whether a URL refers to an image.
    ///
    /// A declared image, audio or video type takes precedence over the declared medium. If neither
    /// is declared, the file name is used.
    private func isPicture(_ url: String?, _ attributes: [String: String]) -> Bool {
        let type = attributes["type"]?.trimmed.lowercased() ?? ""
        if type.hasPrefix("image/") { return true }
        if ["audio/", "video/"].contains(where: type.hasPrefix) { return false }
        if let medium = attributes["medium"]?.trimmed.lowercased() { return medium == "image" }
        guard let url else { return false }
        let path = String(url.prefix { $0 != "?" && $0 != "#" })
        // Some programs write the suffix as the type, or the file name in the query.
        return isPictureName(path) || isPictureName("image.\(type)")
            || (url.contains("?") && isPictureName(url))
    }

    private mutating func append(_ text: String) {
        guard let index = elements.lastIndex(where: { $0.field != nil }) else { return }
        // The title inside an `image` element is not its URL.
        if elements[index].field == .itemImage, index < elements.count - 1 { return }
        let room = Self.longestField - elements[index].text.utf8.count
        guard text.utf8.count > room else { return elements[index].text += text }
        elements[index].text += String(decoding: text.utf8.prefix(room), as: UTF8.self)
        reached.insert(.text)
    }

    /// Ends an element, unless the element was ignored because it was nested too deeply.
    private mutating func end(toDepth depth: Int) {
        if elements.count > depth { end() }
    }

    private mutating func end() {
        guard let element = elements.popLast() else { return }
        if let field = element.field { take(element.text, for: field, element.bases) }
        guard entry != nil else { return }
        switch (element.name.prefix, element.name.local) {
        case ("media", "group"): entry?.endGroup()
        case ("media", "content"): entry?.endMedia()
        case let (_, local)
        where element.name.isOwn && (local == "item" || local == "entry")
            && !elements.contains(where: { $0.name.isOwn && $0.name.local == local }):
            if let finished = entry?.finished() { document.entries.append(finished) }
            reached.formUnion(entry?.reached ?? [])
            entry = nil
        default: break
        }
    }

    // MARK: Text fields

    private mutating func take(_ text: String, for field: Field, _ bases: [String]) {
        guard !text.isEmpty else { return }
        guard entry != nil else {
            switch field {
            case .title: document.title = document.title ?? Self.plain(text)
            case .link: document.link = document.link ?? text.trimmed.nonEmpty
            default: break
            }
            return
        }
        switch field {
        case .identity: fill(\.identity, with: text.trimmed.nonEmpty)
        case .title: fill(\.title, with: Self.plain(text))
        case .link: fill(\.link, with: text.trimmed.nonEmpty)
        case .author: fill(\.author, with: Self.plain(text))
        case .date: fill(\.date, with: FeedDate.seconds(text))
        case .changed: fill(\.changed, with: FeedDate.seconds(text))
        case .content:
            let inner = innerBases(bases)
            if entry?.content == nil { entry?.contentBases = inner }
            fill(\.content, with: text)
        case .summary:
            let inner = innerBases(bases)
            if entry?.summary == nil { entry?.summaryBases = inner }
            fill(\.summary, with: text)
        case .itemImage: if let url = text.trimmed.nonEmpty { entry?.add(image: url) }
        case .mediaTitle: entry?.take(mediaTitle: Self.plain(text))
        case .mediaDescription: entry?.take(mediaDescription: Self.plain(text))
        case .mediaCredit: entry?.take(mediaCredit: Self.plain(text))
        }
    }

    /// Sets a field of the item; if a field occurs more than once, the first value is kept.
    private mutating func fill<Value>(
        _ field: WritableKeyPath<EntryBuilder, Value?>,
        with value: Value?
    ) {
        if entry?[keyPath: field] == nil { entry?[keyPath: field] = value }
    }

    /// Returns the text without markup.
    ///
    /// Titles may contain markup, often in violation of the format.
    private static func plain(_ text: String) -> String? {
        (try? HTMLFragment(text))?.text.nonEmpty
    }
}
