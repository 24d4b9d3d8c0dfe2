internal import Decoders
internal import FeedDocuments
internal import ImageLoading

/// Feeds of entries: RSS, Atom, JSON Feed, posts; pages and listings, whose pictures are entries.
extension Feed {
    /// Makes a feed of the pictures of a document's entries, in their order.
    ///
    /// Throws if no entry has one.
    init(
        document: FeedDocument,
        title: String,
        base: FeedBase,
        origin: RequestOrigin
    ) throws(FeedError) {
        let documentBase = base.moved(to: document.link)
        var items: [FeedItem] = []
        var bareCount = 0
        for entry in document.entries {
            if entry.pictures.isEmpty { bareCount += 1 }
            // What the entry says goes before the page that the feed belongs to.
            let base = entry.bases.reduce(documentBase) { $0.moved(to: $1, isExplicit: true) }
            let parser = FeedLineParser(base: base, origin: origin)
            for (index, picture) in entry.pictures.enumerated() {
                var picture = picture
                if document.kind == .page { picture.url = base.pathInPage(picture.url) }
                items.append(Self.item(picture, index, entry, parser))
            }
        }
        guard !items.isEmpty else {
            var error = Self.error(without: document, title, documentBase)
            error.nextPages = FeedPage.following(document.next, of: documentBase, title, origin)
            throw error
        }
        Self.arrange(&items, document.kind, base)
        self.init(items: items, title: title, origin: origin)
        isDocument = true
        addPages(FeedPage.following(document.next, of: documentBase, title, origin))
        var remarks = document.remarks
        if bareCount > 0 {
            remarks.append("left out \(Self.entries(bareCount)) without an image")
        }
        if let line = document.firstErrorLine {
            remarks.append("invalid XML in line \(line); entries may be missing")
        }
        if !remarks.isEmpty { remark = "\(title): \(remarks.joined(separator: "; "))" }
    }

    /// A page shows a picture once, though it stands there in small and in large; a listing is in the
    /// order of names, unless another was asked for.
    private static func arrange(
        _ items: inout [FeedItem],
        _ kind: FeedDocument.Kind,
        _ base: FeedBase
    ) {
        switch kind {
        case .entries: return
        case .page: break
        case .listing:
            if case .url(let address) = base, address.contains("?") { break }
            let keys = items.map { NaturalOrder.key(of: $0.caption) }
            let order = items.indices.sorted { left, right in
                keys[left] == keys[right]
                    ? left < right : keys[left].lexicographicallyPrecedes(keys[right])
            }
            items = order.map { items[$0] }
        }
        var seen: Set<String> = []
        items = items.filter { seen.insert($0.url).inserted }
    }

    /// Why a document shows nothing.
    private static func error(
        without document: FeedDocument,
        _ title: String,
        _ base: FeedBase
    ) -> FeedError {
        let count = document.entries.count
        let fault =
            switch document.kind {
            case .page: "the page has no images"
            case .listing: "none of the listed files is an image"
            case .entries where count == 0: "has no entries"
            case .entries: "none of its entries has an image (\(count))"
            }
        var error = FeedError(([title + ": " + fault] + document.remarks).joined(separator: "; "))
        if document.kind == .page {
            error.feedURL = document.outlines.lazy.compactMap { base.link($0.url) }.first
        }
        return error
    }

    /// The feeds that a list of feeds names (OPML), those on the web; nil if some bytes are no such list.
    public static func addresses(
        inOPML bytes: [UInt8],
        title: String,
        base: FeedBase
    ) throws(FeedError) -> [String]? {
        guard FeedFormat.sniffed(from: bytes) == .xml else { return nil }
        // Without the zeros of UTF-16 its letters are those of ASCII.
        let start = bytes.prefix(2048).filter { $0 != 0 }
        let head = String(decoding: start, as: UTF8.self).lowercased()
        guard head.contains("<opml") else { return nil }
        let document = try FeedDocument(xml: bytes, name: title, base: base)
        return document.outlines.compactMap { base.link($0.url) }
    }

    private static func entries(_ count: Int) -> String {
        count == 1 ? "1 entry" : "\(CountText.grouped(count)) entries"
    }

    private static func item(
        _ picture: FeedDocument.Picture,
        _ index: Int,
        _ entry: FeedDocument.Entry,
        _ parser: FeedLineParser
    ) -> FeedItem {
        let caption = caption(of: picture, index, entry)
        let target = parser.base.withScheme(picture.url)
        var item = parser.item(target: target, caption: caption.map(FileText.shown))
        var details = FeedItemDetails()
        details.title = entry.title
        details.author = picture.credit ?? entry.author
        details.date = entry.date
        details.alternativeText = picture.alternativeText
        details.link = entry.link.flatMap { parser.base.link($0) }.map { URLParts.withoutLogin($0) }
        details.entry = entry.identity.map {
            FeedEntryPlace(entry: TextHash.of($0), index: index)
        }
        details.size = picture.size.map { PixelSize(width: $0.width, height: $0.height) }
        details.blurHash = picture.blurHash.flatMap(BlurHash.init)
        details.versions = picture.versions.compactMap { version in
            parser.allowed(version.url).map { PictureVersion(url: $0, width: version.width) }
        }
        if let text = entry.text { details.fields = [.init(name: "text", value: text)] }
        item.details = details
        return item
    }

    /// A title of its own, else that of the entry with its place among the entry's pictures, else words.
    private static func caption(
        of picture: FeedDocument.Picture,
        _ index: Int,
        _ entry: FeedDocument.Entry
    ) -> String? {
        if let title = picture.title { return title }
        if let title = entry.title {
            let count = entry.pictures.count
            return count == 1 ? title : "\(title) (\(index + 1)/\(count))"
        }
        return picture.alternativeText ?? entry.text.map { String($0.prefix(200)) }
    }
}

extension FeedDocument {
    /// Reads XML; an error names the feed.
    init(xml bytes: [UInt8], name: String, base: FeedBase) throws(FeedError) {
        let head = String(decoding: bytes.prefix(1024), as: UTF8.self)
        if head.contains("<ListBucketResult"),
            let listing = FeedDocument(
                bucket: bytes,
                address: base.address,
                isPictureName: Self.isPictureName
            )
        {
            self = listing
            return
        }
        do throws(FeedDocumentFault) {
            try self.init(xml: bytes, isPictureName: Self.isPictureName)
        } catch {
            throw FeedError(name: name, fault: error.text)
        }
    }

    /// Reads HTML; an error names the page.
    init(html bytes: [UInt8], name: String) throws(FeedError) {
        do throws(FeedDocumentFault) {
            try self.init(html: bytes, isPictureName: Self.isPictureName)
        } catch {
            throw FeedError(name: name, fault: error.text)
        }
    }

    /// What these are said to be stands near the start.
    private static let signs = [
        "jsonfeed.org/version", "\"media_attachments\"", "app.bsky.", "iiif.io/api/presentation",
    ]
    private static let signRange = 64 << 10

    /// Whether some bytes are JSON that says near its start that it is a feed of entries.
    static func promisesEntries(_ bytes: [UInt8]) -> Bool {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let text = bytes.dropFirst(FeedFormat.markByteCount(of: bytes)).drop(while: isBlank)
        guard text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[") else {
            return false
        }
        let head = String(decoding: text.prefix(signRange), as: UTF8.self)
        return signs.contains(where: head.contains)
    }

    /// Reads JSON if it is a feed of entries; other JSON is a list of values, which may be long, and is
    /// not read as a whole.
    init?(jsonOfEntries bytes: [UInt8]) {
        guard Self.promisesEntries(bytes), let json = try? JSONValue(parsing: bytes) else {
            return nil
        }
        self.init(json: json, isPictureName: Self.isPictureName)
    }

    private static func isPictureName(_ name: String) -> Bool {
        DecoderRegistry.standard.format(ofFileNamed: name) != nil
    }
}

extension FeedBase {
    /// The URL of a feed that has one.
    var address: String? {
        if case .url(let address) = self { address } else { nil }
    }

    /// The base that a document names itself; only addresses of the web count, so that no document
    /// of the network can name files.
    ///
    /// The page that a feed belongs to is a base for a feed that was saved as a file, which lies
    /// nowhere near its pictures; one from the network has its own address.
    fileprivate func moved(to address: String?, isExplicit: Bool = false) -> FeedBase {
        if case .url = self, !isExplicit { return self }
        return address.flatMap { link($0) }.map { .url($0) } ?? self
    }

    /// The address of a page; nil for what is none of the web.
    func link(_ reference: String) -> String? {
        let reference = withScheme(reference)
        let address =
            switch self {
            case _ where LineParts.schemeByteCount(of: reference.utf8) != nil: reference
            case .url(let base): URLParts(base).resolving(reference)
            case .directory, .tree, .archive: reference
            }
        let start = address.prefix(8).lowercased()
        guard start.hasPrefix("http://") || start.hasPrefix("https://") else { return nil }
        return PercentCoding.tidied(address)
    }

    /// In a page that was saved as a file addresses are coded as they are in any page, and not the names
    /// of files as they are.
    fileprivate func pathInPage(_ address: String) -> String {
        guard case .directory = self, LineParts.schemeByteCount(of: address.utf8) == nil,
            !address.hasPrefix("//")
        else { return address }
        return PercentCoding.decoded(address.prefix { $0 != "?" && $0 != "#" })
    }

    /// What leaves the scheme to the page it stands in means the web in a file as well.
    func withScheme(_ address: String) -> String {
        guard case .directory = self, address.hasPrefix("//") else { return address }
        return "https:" + address
    }
}
