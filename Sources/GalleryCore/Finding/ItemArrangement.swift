internal import BitCollections
internal import Feeds

/// The property by which items are sorted.
package enum SortKey: String, CaseIterable, Hashable, Sendable {
    case feed, name, date, size, dimensions, host, random
}

/// The visible items of a feed, and their order.
package struct ItemArrangement: Hashable, Sendable {
    /// The filter; empty for all items.
    package var filter = FilterQuery(terms: [])
    /// The sort key.
    package var key = SortKey.feed
    /// Whether the order is reversed.
    package var isReversed = false
    /// The seed of a random order.
    package var seed: UInt64 = 0
    /// The maximum number of items; nil for all.
    package var sampleCount: Int?

    /// Whether the arrangement equals the order of the feed, without a filter.
    var isPlain: Bool { filter.isEmpty && isUnsorted }

    /// Whether the items have the order of the feed, without a limit.
    var isUnsorted: Bool { key == .feed && !isReversed && sampleCount == nil }
}

/// The known properties of items, in addition to those in the feed.
package struct KnownItems: Equatable, Sendable {
    var facts: [Int: FileFacts] = [:]
    var failed: Set<Int> = []
    var loaded: Set<Int> = []
    var marked = BitSet()
    var unread = BitSet()
    /// The labels, by the URL of the image.
    var labels: [String: UInt8] = [:]
}

/// The properties of a local file from the file system.
package struct LocalFileFacts: Hashable, Sendable {
    /// The size of the file in bytes.
    package let byteCount: Int
    /// The modification time, in nanoseconds since 1970.
    package let modified: Int

    /// Creates a value.
    package init(byteCount: Int, modified: Int) {
        self.byteCount = byteCount
        self.modified = modified
    }
}

/// A search in the visible items.
package struct SearchRequest: Equatable, Sendable {
    let needle: TextNeedle
    let order: ItemOrder
    /// The position from which the nearest match is searched.
    let start: Int
}

/// The result of a search.
package enum SearchAnswer: Equatable, Sendable {
    /// The first position after the start, before the search is complete.
    case nearest(Int)
    /// All positions in order.
    case all([UInt32])
}
