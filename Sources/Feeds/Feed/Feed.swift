package import BitCollections
package import ImageLoading
internal import SystemSupport

/// A list of images that creates its items on demand.
package struct Feed: Sendable {
    /// The title: a URL, or the name of a file or folder.
    package let title: String
    /// The origin of the URLs, which determines the permitted schemes.
    package let origin: RequestOrigin
    /// A one-line remark for the user, for example about omitted files in a folder.
    package var remark: String?
    /// Whether more items may arrive, because sources are still being read or more pages follow.
    package var isOpen = false
    /// Whether the sources are still being read.
    package var isBeingRead = false
    /// Whether pages after the first have been read.
    package var hasLaterPages = false
    /// The next pages, in the order in which they should be read.
    package var nextPages: [FeedPage] = []
    /// The item to select when the feed is opened, or nil for the item that the user viewed last.
    package var startItem: Int?
    /// The folder that was listed, or nil if the user cannot enter its subfolders.
    package var folder: FeedFolder?
    /// Whether the last items are shown first, as in the feed of a watched folder.
    package var isNewestFirst = false
    /// The identifier under which the feed's viewed items are stored between sessions, or nil if
    /// they are not stored.
    package var subscription: UInt64?
    /// Whether the feed was read from a document with entries.
    package var isDocument = false
    /// The URLs of items that later files of their archive replace.
    ///
    /// In an archive that is shown while it is read, they are known when the whole archive has been
    /// read. See `withoutReplacedItems()`.
    package var replacedURLs: Set<String> = []
    /// The items that the user has deleted in the gallery.
    package var deletedItems = BitSet()
    private var content: Content

    private enum Content: Sendable {
        case items([FeedItem])
        case lines(FeedLines, FeedLineParser)
        case records(FeedRecords, RecordParser)
        /// Several feeds, joined in order.
        ///
        /// `ends` contains the cumulative item counts. There may be thousands of feeds, because
        /// each file on a command line is a feed.
        case joined([Feed], ends: [Int])
    }

    /// Creates a feed from a list of items, such as the images of a folder or individual files.
    package init(items: [FeedItem], title: String, origin: RequestOrigin = .local) {
        self.title = title
        self.origin = origin
        content = .items(items)
    }

    /// Joins feeds in order; each feed keeps its own origin.
    package init(joining feeds: [Feed]) {
        title = feeds.map(\.title).joined(separator: ", ")
        let remarks = feeds.compactMap(\.remark)
        remark = remarks.isEmpty ? nil : remarks.joined(separator: "; ")
        origin = feeds.map(\.origin).first(where: \.isRemote) ?? .local
        isOpen = feeds.contains(where: \.isOpen)
        nextPages = feeds.flatMap(\.nextPages)
        replacedURLs = feeds.reduce(into: []) { $0.formUnion($1.replacedURLs) }
        content = .joined(feeds, ends: Self.ends(of: feeds))
    }

    /// Returns the cumulative number of items at the end of each feed.
    private static func ends(of feeds: [Feed]) -> [Int] {
        var count = 0
        return feeds.map { feed in
            count += feed.count
            return count
        }
    }

    /// Parses a feed in any supported format: RSS, Atom, JSON Feed, posts of a social network, an
    /// HTML page, a file listing, plain text, a table, or a list of JSON values.
    ///
    /// A line of plain text contains a URL or a path and, after white space, an optional caption.
    /// Blank lines and lines that start with `#` are skipped.
    ///
    /// In plain text, tables and lists, only the start of each line or record is located here. An
    /// unusable line or record becomes an item with a `problem`. Throws if the bytes are not a
    /// feed.
    package init(
        parsing bytes: [UInt8],
        title: String,
        base: FeedBase,
        origin: RequestOrigin,
        options: FeedOptions = FeedOptions()
    ) throws(FeedError) {
        guard UInt32(exactly: bytes.count) != nil else {
            throw FeedError(name: title, fault: "is larger than 4 GiB")
        }
        var parser = FeedLineParser(base: base, origin: origin)
        let document = bytes
        let bytes = Charset.isWideXML(bytes) != nil ? bytes : FeedText.utf8(bytes, options)
        if options.urlKey == nil, let document = FeedDocument(jsonOfEntries: bytes) {
            try self.init(document: document, title: title, base: base, origin: origin)
            return
        }
        switch FeedFormat.sniffed(from: bytes, name: title, options: options) {
        case .unusable(let fault): throw FeedError(name: title, notAFeed: fault)
        case .object:
            guard let list = RecordList(inObject: bytes, options: options) else {
                let fault =
                    "is a JSON object without a list of images, and not a JSON Feed"
                throw FeedError(name: title, notAFeed: fault)
            }
            try self.init(list: list, title: title, parser: parser, options: options)
        case .xml:
            let document = try FeedDocument(xml: document, name: title, base: base)
            try self.init(document: document, title: title, base: base, origin: origin)
            return
        case .page:
            let document = try FeedDocument(html: document, name: title)
            try self.init(document: document, title: title, base: base, origin: origin)
            return
        case .records(let format):
            let all = FeedRecords(bytes, format)
            let records = RecordList.files(inMessages: all) ?? all
            if let list = RecordList(inOnly: records, options: options) {
                try self.init(list: list, title: title, parser: parser, options: options)
            } else {
                try self.init(records: records, title: title, parser: parser, options: options)
            }
        case .plainText:
            parser.takesWholeLines = options.endsEntriesWithZero
            let lines = FeedLines(bytes, endingWithZero: options.endsEntriesWithZero)
            guard lines.count > 0 else {
                throw FeedError(name: title, notAFeed: "contains no images")
            }
            self.init(lines: lines, title: title, parser: parser)
        }
        // File names need not be UTF-8, but in a feed of web URLs, invalid UTF-8 means that the
        // captions have a different encoding.
        if self[0].url.hasPrefix("http"), !bytes.isUTF8 {
            let hint =
                "\(title): contains invalid UTF-8; if it is an older file, try --encoding latin1"
            remark = remark.map { "\($0); \(hint)" } ?? hint
        }
    }

    /// Creates a feed of records and detects the URL and caption fields in the first records.
    private init(
        records: FeedRecords,
        title: String,
        parser: FeedLineParser,
        options: FeedOptions
    ) throws(FeedError) {
        guard records.count > 0 else {
            throw FeedError(name: title, notAFeed: "contains no images")
        }
        let finder = RecordLayoutFinder(records: records, options: options, title: title)
        let found = try finder.find()
        let items = found.hasHeading ? records.withoutHeading : records
        guard items.count > 0 else {
            throw FeedError(name: title, notAFeed: "contains no images")
        }
        self.init(
            records: items,
            title: title,
            parser: RecordParser(layout: found.layout, lineParser: parser)
        )
        let cut = records.isCut ? "\(title): truncated" : nil
        let remarks = [found.remark, cut].compactMap(\.self)
        remark = remarks.isEmpty ? nil : remarks.joined(separator: "; ")
    }

    /// Creates a feed from the list in a JSON object.
    package init(
        list: RecordList,
        title: String,
        parser: FeedLineParser,
        options: FeedOptions
    ) throws(FeedError) {
        try self.init(records: list.records, title: title, parser: parser, options: options)
        remark = remark.map { "\($0), of \(list.remark)" }
    }

    /// Creates a feed of records; `parser` extracts the URL and the caption of each record.
    package init(records: FeedRecords, title: String, parser: RecordParser) {
        self.title = title
        origin = parser.lineParser.origin
        content = .records(records, parser)
    }

    package init(lines: FeedLines, title: String, parser: FeedLineParser) {
        self.title = title
        origin = parser.origin
        content = .lines(lines, parser)
    }

    /// Creates a feed from pieces that were read one after another.
    package init(pieces: [Feed], title: String, origin: RequestOrigin) {
        self.title = title
        self.origin = origin
        content = .joined(pieces, ends: Self.ends(of: pieces))
    }

    /// Returns the feed with a piece appended; the existing items keep their indices.
    package func appending(_ piece: Feed) -> Feed {
        var feed: Feed
        if case .joined(let pieces, _) = content {
            feed = Feed(pieces: pieces + [piece], title: title, origin: origin)
        } else {
            var first = self
            first.deletedItems = BitSet()
            feed = Feed(pieces: [first, piece], title: title, origin: origin)
        }
        feed.deletedItems = deletedItems
        return feed
    }

    /// Returns the feed without the items whose URLs are in `replacedURLs`.
    ///
    /// The remaining items get new indices, and no item is marked as deleted. This method parses
    /// every item of a feed with replaced items, so don't call it on the UI thread.
    package func withoutReplacedItems() -> Feed {
        guard !replacedURLs.isEmpty else { return self }
        var feed = removing(replacedURLs)
        feed.replacedURLs = []
        feed.deletedItems = BitSet()
        return feed
    }

    private func removing(_ urls: Set<String>) -> Feed {
        var feed = self
        if case .joined(let feeds, _) = content {
            let feeds = feeds.map { $0.removing(urls) }
            feed.content = .joined(feeds, ends: Self.ends(of: feeds))
        } else {
            let kept = (0..<count).lazy.map { item(at: $0) }.filter { !urls.contains($0.url) }
            let items = Array(kept)
            if items.count < count { feed.content = .items(items) }
        }
        return feed
    }

    package var count: Int {
        switch content {
        case .items(let items): items.count
        case .lines(let lines, _): lines.count
        case .records(let records, _): records.count
        case .joined(_, let ends): ends.last ?? 0
        }
    }

    /// Returns the item at an index below `count`; each call parses the line or record again.
    package subscript(index: Int) -> FeedItem {
        var item = item(at: index)
        if deletedItems.contains(index) { item.isDeleted = true }
        return item
    }

    private func item(at index: Int) -> FeedItem {
        switch content {
        case .items(let items): return items[index]
        case .lines(let lines, let parser): return parser.item(lines[index])
        case .records(let records, let parser):
            let start = records.start(of: index)
            return records.withRecord(index) { parser.item($0, at: start) }
        case .joined(let feeds, let ends):
            let place = Self.place(of: index, ends: ends)
            return feeds[place.feed][place.index]
        }
    }

    /// The data that can be searched without creating items.
    package enum Searchable {
        case items([FeedItem])
        case lines(FeedLines)
        case records(FeedRecords, RecordParser)
        case joined([Feed], ends: [Int])
    }

    package var searchable: Searchable {
        switch content {
        case .items(let items): .items(items)
        case .lines(let lines, _): .lines(lines)
        case .records(let records, let parser): .records(records, parser)
        case .joined(let feeds, let ends): .joined(feeds, ends: ends)
        }
    }

    /// Returns the origin of an item's URL.
    package func origin(at index: Int) -> RequestOrigin {
        guard case .joined(let feeds, let ends) = content else { return origin }
        let place = Self.place(of: index, ends: ends)
        return feeds[place.feed].origin(at: place.index)
    }

    /// Returns the index of the feed that contains item `index`, and the item's index within that
    /// feed.
    ///
    /// `ends` contains the cumulative number of items at the end of each feed.
    package static func place(of index: Int, ends: [Int]) -> (feed: Int, index: Int) {
        let feed = ends.partitioningIndex { $0 > index }
        precondition(feed < ends.count, "the index is below the count")
        return (feed, feed == 0 ? index : index - ends[feed - 1])
    }
}
