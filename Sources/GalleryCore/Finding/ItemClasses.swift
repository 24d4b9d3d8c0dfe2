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
        try ItemClasses(of: feed, isCancelled) { builder, item in
            feed.withHost(of: item) { builder.place(of: $0) } ?? 0
        }
    }

    /// The classes of what stands behind the last dot of file names, in lower case.
    static func suffixes(
        of feed: Feed,
        _ isCancelled: () -> Bool
    ) throws(FeedArranger.Cancelled) -> ItemClasses {
        try ItemClasses(of: feed, isCancelled) { builder, item in
            feed.withSuffix(of: item) { builder.place(of: $0) } ?? 0
        }
    }

    private init(
        of feed: Feed,
        _ isCancelled: () -> Bool,
        _ place: (inout Builder, Int) -> UInt32
    ) throws(FeedArranger.Cancelled) {
        var builder = Builder()
        classOfItem.reserveCapacity(feed.count)
        for item in 0..<feed.count {
            if item.isMultiple(of: 4096), isCancelled() { throw FeedArranger.Cancelled() }
            classOfItem.append(place(&builder, item))
        }
        names = builder.names
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

    /// Finds the class of some bytes: mostly the one of the item before.
    struct Builder {
        fileprivate var names: [[UInt8]] = [[]]
        /// By a hash; those that share one are looked through.
        private var places: [UInt64: [UInt32]] = [:]
        private var last: UInt32 = 0

        /// Letters of ASCII are taken for lower case.
        mutating func place(of bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt32 {
            guard !bytes.isEmpty else { return 0 }
            if isName(last, bytes) { return last }
            let hash = TextHash.of(bytes: bytes.lazy.map(\.lowercasedASCII))
            if let known = places[hash]?.first(where: { isName($0, bytes) }) {
                last = known
            } else {
                last = UInt32(names.count)
                names.append(bytes.map(\.lowercasedASCII))
                places[hash, default: []].append(last)
            }
            return last
        }

        private func isName(_ place: UInt32, _ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
            let name = names[Int(place)]
            guard name.count == bytes.count else { return false }
            var index = bytes.startIndex
            for byte in name {
                guard byte == bytes[index].lowercasedASCII else { return false }
                index += 1
            }
            return true
        }
    }
}
