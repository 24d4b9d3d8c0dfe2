internal import BitCollections
internal import FeedDocuments
public import ImageLoading

/// A list of images to browse; items are made when they are asked for.
public struct Feed: Sendable {
    /// What it is called: file name, URL, or folder.
    public let title: String
    /// Who wrote it: decides which schemes its images may use.
    public let origin: RequestOrigin
    /// What a person should know of it, on one line: which files of a folder are left out.
    public var remark: String?
    /// Whether more items may come: whoever writes it has not ended.
    public var isOpen = false
    /// Whether that is so because its sources are still being read.
    public var isBeingRead = false
    /// Whether pages after the first have been read.
    var hasLaterPages = false
    /// Where it goes on, in the order in which that is to be read.
    public internal(set) var nextPages: [FeedPage] = []
    /// Whether its last items are to be shown first: those of folders that are watched.
    public var isNewestFirst = false
    /// What it is known by, if what is read of it is kept from one gallery to the next.
    public var subscription: UInt64?
    /// Whether it was read of a document with entries.
    var isDocument = false
    /// The items whose files the person has deleted from the gallery.
    var deletedItems = BitSet()
    private let content: Content

    private enum Content: Sendable {
        case items([FeedItem])
        case lines(FeedLines, FeedLineParser)
        case records(FeedRecords, RecordParser)
        /// `ends` has the number of items up to the end of each feed: thousands of files may be
        /// named on a command line, and each is a feed.
        case joined([Feed], ends: [Int])
    }

    /// Makes a feed of items that are known: the images of a folder, files named one by one.
    public init(items: [FeedItem], title: String, origin: RequestOrigin = .local) {
        self.title = title
        self.origin = origin
        content = .items(items)
    }

    /// Joins feeds in order; each keeps its own origin.
    public init(joining feeds: [Feed]) {
        title = feeds.map(\.title).joined(separator: ", ")
        let remarks = feeds.compactMap(\.remark)
        remark = remarks.isEmpty ? nil : remarks.joined(separator: "; ")
        origin = feeds.map(\.origin).first(where: \.isRemote) ?? .local
        isOpen = feeds.contains(where: \.isOpen)
        nextPages = feeds.flatMap(\.nextPages)
        content = .joined(feeds, ends: Self.ends(of: feeds))
    }

    /// The number of items up to the end of each feed.
    private static func ends(of feeds: [Feed]) -> [Int] {
        var count = 0
        return feeds.map { feed in
            count += feed.count
            return count
        }
    }

    /// Reads a feed: RSS, Atom, JSON Feed or posts of a social network; a page of HTML, or a listing of
    /// files; plain text with a URL or path a line and, after white space, perhaps a
    /// caption, where blank lines and lines that begin with `#` are skipped; a table; a list of values of
    /// JSON.
    ///
    /// Only the starts of lines and records are looked for; what can't be used becomes an item with a
    /// `problem`. Throws if the bytes as a whole are no feed.
    public init(
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
        let bytes = FeedFormat.isWideXML(bytes) ? bytes : FeedText.utf8(bytes, options)
        if options.urlKey == nil, let document = FeedDocument(jsonOfEntries: bytes) {
            try self.init(document: document, title: title, base: base, origin: origin)
            return
        }
        switch FeedFormat.sniffed(from: bytes, name: title, options: options) {
        case .unusable(let fault): throw FeedError(name: title, fault: fault)
        case .object:
            guard let list = RecordList(inObject: bytes, options: options) else {
                let fault =
                    "is a JSON object without a list of images, and not a JSON Feed"
                throw FeedError(name: title, fault: fault)
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
            let records = FeedRecords(bytes, format)
            if let list = RecordList(inOnly: records, options: options) {
                try self.init(list: list, title: title, parser: parser, options: options)
            } else {
                try self.init(records: records, title: title, parser: parser, options: options)
            }
        case .plainText:
            parser.takesWholeLines = options.endsEntriesWithZero
            let lines = FeedLines(bytes, endingWithZero: options.endsEntriesWithZero)
            guard lines.count > 0 else { throw FeedError(name: title, fault: "contains no images") }
            self.init(lines: lines, title: title, parser: parser)
        }
        // Names of files may be no UTF-8; captions of pictures of the web are in another encoding.
        if self[0].url.hasPrefix("http"), !bytes.isUTF8 {
            let hint =
                "\(title): contains invalid UTF-8; if it is an older file, try --encoding latin1"
            remark = remark.map { "\($0); \(hint)" } ?? hint
        }
    }

    /// Makes a feed of records that were found, with the layout that the first of them have.
    private init(
        records: FeedRecords,
        title: String,
        parser: FeedLineParser,
        options: FeedOptions
    ) throws(FeedError) {
        guard records.count > 0 else { throw FeedError(name: title, fault: "contains no images") }
        let finder = RecordLayoutFinder(records: records, options: options, title: title)
        let found = try finder.find()
        let items = found.hasHeading ? records.withoutHeading : records
        guard items.count > 0 else { throw FeedError(name: title, fault: "contains no images") }
        self.init(
            records: items,
            title: title,
            parser: RecordParser(layout: found.layout, lineParser: parser)
        )
        let cut = records.isCut ? "\(title): truncated" : nil
        let remarks = [found.remark, cut].compactMap(\.self)
        remark = remarks.isEmpty ? nil : remarks.joined(separator: "; ")
    }

    /// Makes a feed of the list that an object holds.
    init(
        list: RecordList,
        title: String,
        parser: FeedLineParser,
        options: FeedOptions
    ) throws(FeedError) {
        try self.init(records: list.records, title: title, parser: parser, options: options)
        remark = remark.map { "\($0), of \(list.remark)" }
    }

    /// Makes a feed of records whose layout is known.
    init(records: FeedRecords, title: String, parser: RecordParser) {
        self.title = title
        origin = parser.lineParser.origin
        content = .records(records, parser)
    }

    /// Makes a feed of lines that were found.
    init(lines: FeedLines, title: String, parser: FeedLineParser) {
        self.title = title
        origin = parser.origin
        content = .lines(lines, parser)
    }

    /// Makes one feed of pieces that were read one after the other.
    init(pieces: [Feed], title: String, origin: RequestOrigin) {
        self.title = title
        self.origin = origin
        content = .joined(pieces, ends: Self.ends(of: pieces))
    }

    /// The same with others behind its items, which keep their indices.
    func appending(_ piece: Feed) -> Feed {
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

    /// The number of items.
    public var count: Int {
        switch content {
        case .items(let items): items.count
        case .lines(let lines, _): lines.count
        case .records(let records, _): records.count
        case .joined(_, let ends): ends.last ?? 0
        }
    }

    /// The item at an index below `count`; a line or record is parsed by each call.
    public subscript(index: Int) -> FeedItem {
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

    /// What can be searched without making items.
    enum Searchable {
        case items([FeedItem])
        case lines(FeedLines)
        case records(FeedRecords, RecordParser)
        case joined([Feed], ends: [Int])
    }

    var searchable: Searchable {
        switch content {
        case .items(let items): .items(items)
        case .lines(let lines, _): .lines(lines)
        case .records(let records, let parser): .records(records, parser)
        case .joined(let feeds, let ends): .joined(feeds, ends: ends)
        }
    }

    /// Who wrote an item's URL down.
    public func origin(at index: Int) -> RequestOrigin {
        guard case .joined(let feeds, let ends) = content else { return origin }
        let place = Self.place(of: index, ends: ends)
        return feeds[place.feed].origin(at: place.index)
    }

    /// Which feed holds an index, and where: the first that ends behind it.
    static func place(of index: Int, ends: [Int]) -> (feed: Int, index: Int) {
        let feed = ends.partitioningIndex { $0 > index }
        precondition(feed < ends.count, "the index is below the count")
        return (feed, feed == 0 ? index : index - ends[feed - 1])
    }
}

/// Files that the person has deleted from the gallery.
extension Feed {
    /// The same feed without the files of some items, which keep their index, and with others' again.
    public func changing(deleted: [Int], returned: [Int]) -> Feed {
        var feed = self
        for item in deleted { feed.deletedItems.insert(item) }
        for item in returned { feed.deletedItems.remove(item) }
        return feed
    }

    /// The feed as it is now, of which the same files are deleted.
    ///
    /// That of a watched folder knows better itself.
    public func keepingDeleted(of feed: Feed?) -> Feed {
        guard !isNewestFirst, let feed else { return self }
        var kept = self
        kept.deletedItems = feed.deletedItems
        return kept
    }
}
