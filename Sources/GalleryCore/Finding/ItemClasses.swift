internal import BitCollections
import Feeds
internal import ImageLoading

/// The items of a feed, grouped by a common property such as the host or the file suffix.
///
/// The groups are created in a single pass over all items. A filter then compares one value per
/// group instead of one per item, so a feed of a million items may need only a few hundred
/// comparisons.
struct ItemClasses: Sendable {
    /// The common value of each group; group 0 has no value.
    private var names: [[UInt8]] = []
    /// The group of each item, or 0 if the item has no value.
    private var classOfItem: [UInt32] = []

    /// Returns the items grouped by host.
    ///
    /// Local files have no host.
    static func hosts(
        of feed: Feed,
        _ isCancelled: () -> Bool
    ) throws(FeedArranger.Cancelled) -> ItemClasses {
        try ItemClasses(of: feed, isCancelled) { items, builder in
            feed.forEachHost(of: items) { builder.append($0) }
        }
    }

    /// Returns the items grouped by lowercase file suffix.
    static func suffixes(
        of feed: Feed,
        _ isCancelled: () -> Bool
    ) throws(FeedArranger.Cancelled) -> ItemClasses {
        try ItemClasses(of: feed, isCancelled) { items, builder in
            feed.forEachSuffix(of: items) { builder.append($0) }
        }
    }

    /// The number of items between two checks for cancellation.
    private static let sliceCount = 4_096

    private init(
        of feed: Feed,
        _ isCancelled: () -> Bool,
        _ append: (Range<Int>, inout Builder) -> Void
    ) throws(FeedArranger.Cancelled) {
        var builder = Builder(itemCount: feed.count)
        var start = 0
        while start < feed.count {
            if isCancelled() { throw FeedArranger.Cancelled() }
            let end = min(start + Self.sliceCount, feed.count)
            append(start..<end, &builder)
            start = end
        }
        (names, classOfItem) = (builder.names, builder.classOfItem)
    }

    /// Returns the items in groups whose value passes a test.
    ///
    /// Items without a value never pass.
    func items(where holds: (UnsafeBufferPointer<UInt8>) -> Bool) -> BitSet {
        var isKept = names.map { name in name.withUnsafeBufferPointer(holds) }
        isKept[0] = false
        guard isKept.contains(true) else { return BitSet() }
        var items = BitSet(reservingCapacity: classOfItem.count)
        for (item, place) in classOfItem.enumerated() where isKept[Int(place)] {
            items.insert(item)
        }
        return items
    }

    /// Assigns items to groups, one item at a time.
    struct Builder {
        fileprivate var names: [[UInt8]] = [[]]
        fileprivate var classOfItem: [UInt32] = []
        /// The distinct values as spelled in the feed.
        ///
        /// `classOfSpelling` contains the group of each spelling.
        private var spellings = NumberedTexts()
        private var classOfSpelling: [UInt32] = []

        fileprivate init(itemCount: Int) { classOfItem.reserveCapacity(itemCount) }

        /// Adds the next item and its value, which is nil if the item has no value.
        ///
        /// ASCII letters are compared without regard to case.
        mutating func append(_ bytes: Slice<UnsafeBufferPointer<UInt8>>?) {
            guard let bytes, !bytes.isEmpty else { return classOfItem.append(0) }
            classOfItem.append(place(of: UnsafeBufferPointer(rebasing: bytes)))
        }

        private mutating func place(of bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
            if let known = spellings.number(of: bytes) { return classOfSpelling[known] }
            let name = bytes.map(\.lowercasedASCII)
            let known = name.withUnsafeBufferPointer { spellings.number(of: $0) }
            let place = known.map { classOfSpelling[$0] } ?? UInt32(names.count)
            if known == nil {
                names.append(name)
                name.withUnsafeBufferPointer { spellings.append($0) }
                classOfSpelling.append(place)
            }
            if !bytes.elementsEqual(name) {
                spellings.append(bytes)
                classOfSpelling.append(place)
            }
            return place
        }
    }
}
