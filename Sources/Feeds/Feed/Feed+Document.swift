import Decoders
package import ImageLoading
internal import SystemSupport

/// Methods for feeds that consist of entries: RSS, Atom, JSON Feed, and the posts of a social
/// network.
///
/// In HTML pages and file listings, each image is an entry.
extension Feed {
    /// Creates a feed from the images of a document's entries, in document order.
    ///
    /// Throws if no entry contains an image.
    package init(
        document: FeedDocument,
        title: String,
        base: FeedBase,
        origin: RequestOrigin
    ) throws(FeedError) {
        // URLs in a saved Atom feed are relative to the URL from which it was loaded.
        let documentBase = base.moved(to: document.ownURL.flatMap(base.link) ?? document.link)
        let group = AlternativeGroup()
        var items: [FeedItem] = []
        var bareCount = 0
        for entry in document.entries {
            if entry.pictures.isEmpty { bareCount += 1 }
            // The base of the entry takes precedence over the page of the feed.
            let ownBase = entry.bases.reduce(documentBase) { $0.moved(to: $1, isExplicit: true) }
            let parser = FeedLineParser(base: ownBase, origin: origin)
            let page = entry.link ?? document.link
            // Other bases are tried only if the feed's own base does not yield an image.
            let others = {
                [page, document.link].map { documentBase.moved(to: $0, isExplicit: true) }
            }
            for (index, picture) in entry.pictures.enumerated() {
                var picture = picture
                if document.kind == .page { picture.url = ownBase.pathInPage(picture.url) }
                let bases = picture.isRelativeToPage ? [page].compactMap(\.self) : picture.bases
                let pictureBase = bases.reduce(ownBase) { $0.moved(to: $1, isExplicit: true) }
                let parser =
                    bases.isEmpty ? parser : FeedLineParser(base: pictureBase, origin: origin)
                let hasBase = !entry.bases.isEmpty || !picture.bases.isEmpty
                let alternatives =
                    document.kind == .entries
                    ? parser.alternatives(
                        to: picture.url,
                        others() + [hasBase ? pictureBase : base]
                    )
                    : []
                var item = Self.item(picture, index: index, entry: entry, parser: parser)
                if !alternatives.isEmpty {
                    item.details?.alternatives = AlternativeURLs(urls: alternatives, group: group)
                    // A relative version may have the same wrong base.
                    item.details?.versions.removeAll { version in
                        !picture.versions.contains { $0.url == version.url }
                    }
                }
                items.append(item)
            }
        }
        guard !items.isEmpty else {
            var error = Self.error(without: document, title, documentBase)
            error.nextPages = FeedPage.following(
                document.next,
                of: documentBase,
                title: title,
                origin: origin
            )
            throw error
        }
        Self.arrange(&items, kind: document.kind, base: base)
        self.init(items: items, title: title, origin: origin)
        isDocument = true
        addPages(FeedPage.following(document.next, of: documentBase, title: title, origin: origin))
        var remarks = document.remarks
        if bareCount > 0 {
            remarks.append("left out \(Self.entries(bareCount)) without an image")
        }
        if let line = document.firstErrorLine {
            remarks.append("invalid XML in line \(line); entries may be missing")
        }
        if !remarks.isEmpty { remark = "\(title): \(remarks.joined(separator: "; "))" }
    }

    /// Removes duplicate images from a page or listing and sorts a listing by name.
    ///
    /// A page may show the same image both small and large. If the URL of a listing contains a
    /// query, the listing is not sorted, because the user may have chosen another order.
    private static func arrange(
        _ items: inout [FeedItem],
        kind: FeedDocument.Kind,
        base: FeedBase
    ) {
        switch kind {
        case .entries: return
        case .page: break
        case .listing:
            if case .url(let address) = base, address.contains("?") { break }
            items = NaturalOrder.indices(of: items.map(\.caption)).map { items[$0] }
        }
        var seen: Set<String> = []
        items = items.filter { seen.insert($0.url).inserted }
    }

    /// Returns an error that explains why a document contains no images.
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

    /// Returns the distinct web URLs of the feeds in an OPML list, or nil if the bytes are not
    /// OPML.
    ///
    /// Also returns the number of feeds without a web URL.
    package static func addresses(
        inOPML bytes: [UInt8],
        title: String,
        base: FeedBase
    ) throws(FeedError) -> (urls: [String], unusable: Int)? {
        guard FeedFormat.sniffed(from: bytes) == .xml else { return nil }
        // Without its NUL bytes, ASCII text in UTF-16 can be searched like ASCII.
        let start = bytes.prefix(2048).filter { $0 != 0 }
        let head = String(decoding: start, as: UTF8.self).lowercased()
        guard head.contains("<opml") else { return nil }
        let document = try FeedDocument(xml: bytes, name: title, base: base)
        let urls = document.outlines.compactMap { base.link(Self.webURL(ofFeed: $0.url)) }
        var seen: Set<String> = []
        return (urls.filter { seen.insert($0).inserted }, document.outlines.count - urls.count)
    }

    /// Returns the URL of a feed without the `feed:` scheme, which some programs add.
    private static func webURL(ofFeed url: String) -> String {
        guard url.prefix(5).lowercased() == "feed:" else { return url }
        let rest = String(url.dropFirst(5))
        return rest.hasPrefix("//") ? "http:" + rest : rest
    }

    private static func entries(_ count: Int) -> String {
        count == 1 ? "1 entry" : "\(CountText.grouped(count)) entries"
    }

    private static func item(
        _ picture: FeedDocument.Picture,
        index: Int,
        entry: FeedDocument.Entry,
        parser: FeedLineParser
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

    /// Returns the caption of an image.
    ///
    /// The caption is the title of the image. If it has no title, the caption is the title of the
    /// entry, with the number of the image if there are several. Otherwise, the caption is the
    /// alternative text or the first 200 characters of the entry's text.
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
    /// Creates a document from XML; if this fails, the error contains the name of the feed.
    package init(xml bytes: [UInt8], name: String, base: FeedBase) throws(FeedError) {
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
            throw FeedError(name: name, notAFeed: error.text)
        }
    }

    /// Creates a document from HTML; if this fails, the error contains the name of the page.
    package init(html bytes: [UInt8], name: String) throws(FeedError) {
        do throws(FeedDocumentFault) {
            try self.init(html: bytes, isPictureName: Self.isPictureName)
        } catch {
            throw FeedError(name: name, fault: error.text)
        }
    }

    /// Strings that identify a feed of entries if they are near the start of the JSON text.
    private static let signs = [
        "jsonfeed.org/version", "\"media_attachments\"", "app.bsky.", "iiif.io/api/presentation",
    ]
    private static let signRange = 64 << 10

    /// Returns whether JSON is likely to be a feed of entries, based on its first 64 KiB
    /// (`signRange`).
    package static func promisesEntries(_ bytes: [UInt8]) -> Bool {
        let isBlank: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let text = bytes.dropFirst(FeedFormat.markByteCount(of: bytes)).drop(while: isBlank)
        guard text.first == UInt8(ascii: "{") || text.first == UInt8(ascii: "[") else {
            return false
        }
        // PHP writes each slash in a string as "\/".
        let head = String(decoding: text.prefix(signRange), as: UTF8.self)
            .replacing("\\/", with: "/")
        return signs.contains(where: head.contains) || hasVersion(of: text)
    }

    /// Returns whether the first value is an object with the version of a JSON Feed.
    ///
    /// The member may be at the end of the object, and its text may contain escapes.
    private static func hasVersion(of text: ArraySlice<UInt8>) -> Bool {
        text.withUnsafeBufferPointer { bytes in
            guard bytes.first == UInt8(ascii: "{"),
                let place = JSONText.value(at: [Array("version".utf8)], bytes),
                place.count < 256
            else { return false }
            let value = UnsafeBufferPointer(rebasing: bytes[place])
            let version = try? JSONValue(parsing: value).string
            return version?.contains("jsonfeed.org/version") == true
        }
    }

    /// Creates a document from JSON that is a feed of entries; returns nil for other JSON.
    ///
    /// Other JSON is a list of values, which may be long and is read incrementally.
    package init?(jsonOfEntries bytes: [UInt8]) {
        guard Self.promisesEntries(bytes), let json = try? JSONValue(parsing: bytes) else {
            return nil
        }
        self.init(json: json, isPictureName: Self.isPictureName)
    }

    private static func isPictureName(_ name: String) -> Bool {
        DecoderRegistry.standard.format(ofFileNamed: name) != nil
    }
}
