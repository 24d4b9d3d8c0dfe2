public import ImageLoading

/// One entry of a list of which nothing is looked at twice: the picture, and what else stands there.
public struct ListEntry: Sendable {
    /// The picture; of what a record says of it nothing but the caption is made.
    public let item: FeedItem
    /// Who wrote its address down.
    public let origin: RequestOrigin
    /// The other fields of a record in its order, the caption among them; empty of a line of text.
    public let fields: [Field]
    /// Bytes of the line or record.
    public let byteCount: Int

    /// A field of an object, or a column of a table.
    public struct Field: Hashable, Sendable {
        /// The member's name, or the column's.
        public let name: String
        /// The value as JSON, on one line.
        public let json: String

        /// Makes a field.
        public init(name: String, json: String) {
            (self.name, self.json) = (name, json)
        }
    }

    /// Makes an entry.
    public init(
        item: FeedItem,
        origin: RequestOrigin = .local,
        fields: [Field] = [],
        byteCount: Int = 0
    ) {
        (self.item, self.origin, self.fields, self.byteCount) = (item, origin, fields, byteCount)
    }
}

/// Entries that were taken out of a list as it was read.
public struct ListPiece: Sendable {
    private let feed: Feed
    /// Where its bytes begin among all those of the list.
    private let offset: Int

    /// The entries of a feed that was read as a whole.
    public init(_ feed: Feed) {
        self.init(feed: feed, offset: 0)
    }

    init(feed: Feed, offset: Int) {
        (self.feed, self.offset) = (feed, offset)
    }

    /// How many there are.
    public var count: Int { feed.count }

    /// The entry at an index below `count`, parsed by each call.
    public subscript(index: Int) -> ListEntry {
        feed.entry(at: index, offset: offset)
    }
}

extension Feed {
    /// An item with the other fields of its record; `offset` is where the feed's bytes begin in the list
    /// that it is a piece of.
    fileprivate func entry(at index: Int, offset: Int) -> ListEntry {
        switch searchable {
        case .items, .lines:
            let item = self[index]
            return ListEntry(item: item, origin: origin, byteCount: item.url.utf8.count)
        case .records(let records, let parser):
            let start = records.start(of: index)
            return records.withRecord(index) { record in
                let (item, fields) = parser.entry(record, at: offset + start)
                let count = record.count
                return ListEntry(item: item, origin: origin, fields: fields, byteCount: count)
            }
        case .joined(let feeds, let ends):
            let place = Self.place(of: index, ends: ends)
            return feeds[place.feed].entry(at: place.index, offset: offset)
        }
    }
}
