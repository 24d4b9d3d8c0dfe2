package import ImageLoading

/// An entry of a list that is read once: an image, and the fields of its record other than the URL.
package struct ListEntry: Sendable {
    /// The image with its caption, but without other details of the record.
    package let item: FeedItem
    /// The origin of the URL, which determines the schemes and hosts that the URL may have.
    package let origin: RequestOrigin
    /// The fields of the record other than the URL, in order, including the caption; empty for a
    /// line of text.
    package let fields: [Field]
    /// The length of the line or record in bytes.
    package let byteCount: Int

    /// A member of an object, or a column of a table.
    package struct Field: Hashable, Sendable {
        package let name: String
        /// The value as single-line JSON.
        package let json: String

        package init(name: String, json: String) {
            (self.name, self.json) = (name, json)
        }
    }

    package init(
        item: FeedItem,
        origin: RequestOrigin = .local,
        fields: [Field] = [],
        byteCount: Int = 0
    ) {
        (self.item, self.origin, self.fields, self.byteCount) = (item, origin, fields, byteCount)
    }
}

/// Some entries of a list that is read in several steps, or all entries of a feed.
///
/// The entries are removed from the list, so a list of any length needs memory for only one piece
/// at a time.
package struct ListPiece: Sendable {
    private let feed: Feed
    /// The offset of the piece's bytes in the list.
    private let offset: Int

    /// Creates a piece from the entries of a complete feed.
    package init(_ feed: Feed) {
        self.init(feed: feed, offset: 0)
    }

    package init(feed: Feed, offset: Int) {
        (self.feed, self.offset) = (feed, offset)
    }

    package var count: Int { feed.count }

    /// Returns the entry at an index below `count`; each call parses the entry again.
    package subscript(index: Int) -> ListEntry {
        feed.entry(at: index, offset: offset)
    }
}

extension Feed {
    /// Returns the entry at an index: the item, and the fields of its record other than the URL.
    ///
    /// `offset` is the position of the feed's bytes in the list.
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
