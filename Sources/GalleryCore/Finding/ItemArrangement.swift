internal import BitCollections

/// By what items are put in order.
public enum SortKey: String, CaseIterable, Hashable, Sendable {
    case feed, name, date, size, dimensions, host, random
}

/// What is to be shown of a feed, and in which order.
public struct ItemArrangement: Hashable, Sendable {
    /// What an item has to be; empty for all items.
    public var filter = FilterQuery(terms: [])
    /// By what they are put in order.
    public var key = SortKey.feed
    /// Whether the last comes first.
    public var isReversed = false
    /// Of which of all random orders; another for each time one is asked for.
    public var seed: UInt64 = 0
    /// How many of them; nil for all.
    public var sampleCount: Int?

    /// Whether that is the feed as it is.
    var isPlain: Bool { filter.isEmpty && isUnsorted }

    /// Whether what is kept stands as in the feed, and all of it.
    var isUnsorted: Bool { key == .feed && !isReversed && sampleCount == nil }
}

/// What the gallery knows of items beside what the feed says.
public struct KnownItems: Equatable, Sendable {
    var facts: [Int: FileFacts] = [:]
    var failed: Set<Int> = []
    var loaded: Set<Int> = []
    var marked = BitSet()
    var unread = BitSet()
    /// By the addresses of pictures.
    var labels: [String: UInt8] = [:]
}

/// A file of this machine, as the system describes it.
public struct LocalFileFacts: Hashable, Sendable {
    /// The bytes of the file.
    public let byteCount: Int
    /// When it was changed, in nanoseconds since 1970.
    public let modified: Int

    /// Makes facts.
    public init(byteCount: Int, modified: Int) {
        self.byteCount = byteCount
        self.modified = modified
    }
}

/// A text to be looked for among the items that are shown.
public struct SearchRequest: Equatable, Sendable {
    let needle: TextNeedle
    let order: ItemOrder
    /// The position from which the nearest match is looked for.
    let start: Int
}

/// Where a text was found.
public enum SearchAnswer: Equatable, Sendable {
    /// The first position from the start on, while the others are still looked for.
    case nearest(Int)
    /// All positions, in their order.
    case all([UInt32])
}
