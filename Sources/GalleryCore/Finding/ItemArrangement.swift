internal import BitCollections
internal import Feeds

/// The property by which items are sorted.
package enum SortKey: String, CaseIterable, Hashable, Sendable {
    case feed, name, date, size, dimensions, host, random
}

/// The filter and the order of the visible items of a feed.
package struct ItemArrangement: Hashable, Sendable {
    /// The filter, which is empty if all items are shown.
    package var filter = FilterQuery(terms: [])
    package var key = SortKey.feed
    package var isReversed = false
    /// The seed of a random order.
    package var seed: UInt64 = 0
    /// The maximum number of items, or nil for all items.
    package var sampleCount: Int?

    /// Whether all items are shown in the order of the feed.
    var isPlain: Bool { filter.isEmpty && isUnsorted }

    /// Whether the items are in the order of the feed, with no limit on their number.
    var isUnsorted: Bool { key == .feed && !isReversed && sampleCount == nil }
}

/// The item properties that the gallery knows but the feed does not contain.
package struct KnownItems: Equatable, Sendable {
    var facts: [Int: FileFacts] = [:]
    var failed: Set<Int> = []
    var loaded: Set<Int> = []
    var marked = BitSet()
    var unread = BitSet()
    /// The labels, keyed by the URL of the image.
    var labels: [String: UInt8] = [:]
}

/// The properties of a local file, read from the file system.
package struct LocalFileFacts: Hashable, Sendable {
    /// The size of the file in bytes.
    package let byteCount: Int
    /// The modification time, in nanoseconds since 1970.
    package let modified: Int

    package init(byteCount: Int, modified: Int) {
        self.byteCount = byteCount
        self.modified = modified
    }
}

/// A request to search the visible items.
package struct SearchRequest: Equatable, Sendable {
    let needle: TextNeedle
    let order: ItemOrder
    /// The position at which the search starts.
    let start: Int
}

/// The result of a search.
package enum SearchAnswer: Equatable, Sendable {
    /// The position of the match nearest to the start of the search.
    ///
    /// It is reported before the search is complete.
    case nearest(Int)
    /// The positions of all matches, in ascending order.
    case all([UInt32])
}
