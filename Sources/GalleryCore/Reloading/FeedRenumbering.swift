internal import BitCollections

/// Which items of a feed that was read again are those of before.
///
/// An item is known again by its address and the entry that it stands in; else by its address alone, and
/// else, as with addresses that are signed anew for everybody who asks, by its entry and its place among
/// that entry's pictures. Of equal ones the first is the first.
///
/// A million items take a while: not for the UI thread.
public struct FeedRenumbering: Equatable, Sendable {
    private static let gone = UInt32.max

    /// By the number of before, the one of now.
    private var numbers: [UInt32]
    /// The items that were not there before.
    let added: BitSet
    /// How many items are no longer there.
    public private(set) var goneCount: Int

    /// How many items were not there before.
    public var addedCount: Int { added.count }

    /// Whether every item is there still, with its number, and no other.
    public var isIdentity: Bool {
        goneCount == 0 && added.isEmpty
            && numbers.indices.allSatisfy { numbers[$0] == UInt32($0) }
    }

    /// What an item's number is now; nil if it is gone.
    public subscript(item: Int) -> Int? {
        guard numbers.indices.contains(item), numbers[item] != Self.gone else { return nil }
        return Int(numbers[item])
    }

    /// Compares two readings of a feed.
    public init(from old: Feed, to new: Feed) {
        var matching = ItemMatching(oldCount: old.count, newCount: new.count)
        matching.matchEnds(old: old.itemHash(of:), new: new.itemHash(of:))
        matching.matchRest(old: { old.itemHash(of: $0) }, new: { new.itemHash(of: $0) })
        matching.matchRest(old: { old.addressHash(of: $0) }, new: { new.addressHash(of: $0) })
        matching.matchRest(old: { old.placeHash(of: $0) }, new: { new.placeHash(of: $0) })
        numbers = matching.numbers
        added = matching.added
        goneCount = matching.oldRest.count
    }

    /// The last item of before that is still there.
    var lastKept: Int? { numbers.lastIndex { $0 != Self.gone } }

    /// Items of before from `first` on, all of them gone by now, are still there, from number `start` on.
    mutating func keepRest(from first: Int, at start: Int) {
        let rest = first..<numbers.count
        for (place, item) in rest.enumerated() { numbers[item] = UInt32(start + place) }
        goneCount -= rest.count
    }

    /// Numbers of before as those of now, without the ones that are gone.
    func callAsFunction(_ items: some Sequence<Int>) -> [Int] { items.compactMap { self[$0] } }

    /// The same of a set.
    public func callAsFunction(_ items: Set<Int>) -> Set<Int> { Set(items.compactMap { self[$0] }) }

    func callAsFunction(_ items: BitSet) -> BitSet {
        var mapped = BitSet()
        for item in items { self[item].map { _ = mapped.insert($0) } }
        return mapped
    }

    func callAsFunction<Value>(_ values: [Int: Value]) -> [Int: Value] {
        values.reduce(into: [:]) { mapped, pair in
            if let item = self[pair.key] { mapped[item] = pair.value }
        }
    }
}

/// Pairs of items of two readings, found in several passes.
private struct ItemMatching {
    private(set) var numbers: [UInt32]
    /// The items without a partner, in their order.
    private(set) var oldRest: [Int] = []
    private var newRest: [Int] = []
    private let counts: (old: Int, new: Int)

    init(oldCount: Int, newCount: Int) {
        counts = (oldCount, newCount)
        numbers = Array(repeating: .max, count: oldCount)
    }

    var added: BitSet {
        var added = BitSet()
        for item in newRest { added.insert(item) }
        return added
    }

    /// Most feeds grow and lose items at their ends: what is equal from the first item on, and from the
    /// last one back, needs no table.
    mutating func matchEnds(old: (Int) -> Int, new: (Int) -> Int) {
        let most = min(counts.old, counts.new)
        var start = 0
        while start < most, old(start) == new(start) {
            numbers[start] = UInt32(start)
            start += 1
        }
        var tail = 0
        while tail < most - start, old(counts.old - 1 - tail) == new(counts.new - 1 - tail) {
            numbers[counts.old - 1 - tail] = UInt32(counts.new - 1 - tail)
            tail += 1
        }
        oldRest = Array(start..<counts.old - tail)
        newRest = Array(start..<counts.new - tail)
    }

    /// Pairs what is left by a key; nil is a key of nothing.
    mutating func matchRest(old: (Int) -> Int?, new: (Int) -> Int?) {
        guard !oldRest.isEmpty, !newRest.isEmpty else { return }
        // By key, the places in `oldRest` of the first and of the following ones: of a million equal
        // ones each costs the same.
        var firsts: [Int: Int] = [:]
        var nexts = Array(repeating: -1, count: oldRest.count)
        for place in oldRest.indices.reversed() {
            guard let key = old(oldRest[place]) else { continue }
            nexts[place] = firsts.updateValue(place, forKey: key) ?? -1
        }
        guard !firsts.isEmpty else { return }
        newRest = newRest.filter { item in
            guard let key = new(item), let place = firsts[key] else { return true }
            firsts[key] = nexts[place] < 0 ? nil : nexts[place]
            numbers[oldRest[place]] = UInt32(item)
            return false
        }
        oldRest = oldRest.filter { numbers[$0] == .max }
    }
}

extension Feed {
    /// Stands for an item's feed, address and entry; for this run of the program alone, so that nobody
    /// can write two items that look the same.
    fileprivate func itemHash(of item: Int) -> Int {
        withLeaf(of: item) { feed, item in
            var hasher = feed.addressHasher(of: item)
            hasher.combine(feed.entry(of: item)?.entry)
            return hasher.finalize()
        }
    }

    fileprivate func addressHash(of item: Int) -> Int? {
        withLeaf(of: item) { $0.addressHasher(of: $1).finalize() }
    }

    /// Of an item's entry, and its place in that.
    fileprivate func placeHash(of item: Int) -> Int? {
        withLeaf(of: item) { feed, item in
            feed.entry(of: item).map { entry in
                var hasher = Hasher()
                hasher.combine(feed.title)
                hasher.combine(entry)
                return hasher.finalize()
            }
        }
    }

    /// The same name and the same base in both readings: what stands in a line tells what it names.
    private func addressHasher(of item: Int) -> Hasher {
        var hasher = Hasher()
        hasher.combine(title)
        let hasTarget = withTarget(of: item) { target in
            hasher.combine(bytes: UnsafeRawBufferPointer(target))
            return true
        }
        if hasTarget != true { hasher.combine(self[item].url) }
        return hasher
    }

    private func entry(of item: Int) -> FeedEntryPlace? {
        guard case .items(let items) = searchable else { return nil }
        return items[item].details?.entry
    }
}
