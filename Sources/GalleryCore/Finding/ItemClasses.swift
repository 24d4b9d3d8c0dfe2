internal import BitCollections
internal import ImageLoading

/// The items of a feed by something that many have in common: their hosts, the endings of their names.
///
/// Made once of a feed, by one look at each item; then a test is made of each class, and of a million
/// items a filter takes what a few hundred comparisons take.
struct ItemClasses: Sendable {
    /// What the items of each class have in common.
    private var names: [[UInt8]] = []
    /// The class of each item; the first is that of items that have nothing.
    private var classOfItem: [UInt32] = []

    /// The classes of hosts; files have none.
    static func hosts(
        of feed: Feed,
        _ isCancelled: () -> Bool
    ) throws(FeedArranger.Cancelled) -> ItemClasses {
        try ItemClasses(of: feed, isCancelled) { items, builder in
            feed.forEachHost(of: items) { builder.append($0) }
        }
    }

    /// The classes of what stands behind the last dot of file names, in lower case.
    static func suffixes(
        of feed: Feed,
        _ isCancelled: () -> Bool
    ) throws(FeedArranger.Cancelled) -> ItemClasses {
        try ItemClasses(of: feed, isCancelled) { items, builder in
            feed.forEachSuffix(of: items) { builder.append($0) }
        }
    }

    /// How many items are looked at before one asks whether they are still wanted.
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

    /// The items whose class passes a test; those of no class don't.
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

    /// Puts items into classes one after the other.
    struct Builder {
        fileprivate var names: [[UInt8]] = [[]]
        fileprivate var classOfItem: [UInt32] = []
        /// What was met, as it is spelled, and the class of each.
        private var spellings = NumberedTexts()
        private var classOfSpelling: [UInt32] = []

        fileprivate init(itemCount: Int) { classOfItem.reserveCapacity(itemCount) }

        /// The next item, of which capital letters of ASCII are taken for small ones; nil where it has
        /// nothing.
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
