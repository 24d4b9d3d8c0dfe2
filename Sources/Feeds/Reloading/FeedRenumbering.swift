package import BitCollections

/// The mapping of item indices from one version of a feed to the next.
///
/// An item is recognized by its URL and its entry or, if that finds no match, by its URL only. If
/// URLs differ for each request, the item is recognized by its entry and its position in the entry.
/// Equal items are matched in order.
///
/// Comparing a million items takes some time, so don't compare feeds on the UI thread.
package struct FeedRenumbering: Equatable, Sendable {
    private static let gone = UInt32.max

    /// The new index of each existing item.
    private var numbers: [UInt32]
    /// The indices of the new items.
    package let added: BitSet
    /// The number of removed items.
    package private(set) var goneCount: Int

    package var addedCount: Int { added.count }

    /// Whether nothing changed.
    package var isIdentity: Bool {
        goneCount == 0 && added.isEmpty
            && numbers.indices.allSatisfy { numbers[$0] == UInt32($0) }
    }

    /// Returns the new index of an item, or nil if the item was removed.
    package subscript(item: Int) -> Int? {
        guard numbers.indices.contains(item), numbers[item] != Self.gone else { return nil }
        return Int(numbers[item])
    }

    /// Creates the mapping by comparing two versions of a feed.
    package init(from old: Feed, to new: Feed) {
        var matching = ItemMatching(oldCount: old.count, newCount: new.count)
        matching.matchEnds(old: old.itemHash(of:), new: new.itemHash(of:))
        matching.matchRest(old: { old.itemHash(of: $0) }, new: { new.itemHash(of: $0) })
        matching.matchRest(old: { old.addressHash(of: $0) }, new: { new.addressHash(of: $0) })
        matching.matchRest(old: { old.placeHash(of: $0) }, new: { new.placeHash(of: $0) })
        numbers = matching.numbers
        added = matching.added
        goneCount = matching.oldRest.count
    }

    /// The index of the last item that was not removed, or nil if all items were removed.
    package var lastKept: Int? { numbers.lastIndex { $0 != Self.gone } }

    /// Keeps all existing items starting at index `first` and assigns them new indices starting at
    /// `start`.
    ///
    /// Before the call, these items are counted as removed.
    package mutating func keepRest(from first: Int, at start: Int) {
        let rest = first..<numbers.count
        for (place, item) in rest.enumerated() { numbers[item] = UInt32(start + place) }
        goneCount -= rest.count
    }

    /// Returns the new indices of items; removed items are skipped.
    package func callAsFunction(_ items: some Sequence<Int>) -> [Int] {
        items.compactMap { self[$0] }
    }

    /// Returns the new indices of a set of items; removed items are skipped.
    package func callAsFunction(_ items: Set<Int>) -> Set<Int> {
        Set(items.compactMap { self[$0] })
    }

    package func callAsFunction(_ items: BitSet) -> BitSet {
        var mapped = BitSet()
        for item in items { self[item].map { _ = mapped.insert($0) } }
        return mapped
    }

    package func callAsFunction<Value>(_ values: [Int: Value]) -> [Int: Value] {
        values.reduce(into: [:]) { mapped, pair in
            if let item = self[pair.key] { mapped[item] = pair.value }
        }
    }
}

/// Compares two versions of a feed and matches their items in several passes.
private struct ItemMatching {
    private(set) var numbers: [UInt32]
    /// The unmatched items of the old version, in order.
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

    /// Matches equal items at both ends of the feeds, without a hash table.
    ///
    /// This pass comes first, because most feeds grow and shrink only at their ends.
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

    /// Matches the remaining items by a key; items with a nil key are not matched.
    mutating func matchRest(old: (Int) -> Int?, new: (Int) -> Int?) {
        guard !oldRest.isEmpty, !newRest.isEmpty else { return }
        // For each key, `firsts` contains its first position in `oldRest`, and `nexts` contains its
        // next position after each position, so a million equal items take linear time.
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
    /// Returns a hash of an item's feed, URL and entry.
    ///
    /// The hash is valid only in this process, so an attacker cannot construct two items with the
    /// same hash.
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

    /// Returns a hash of an item's feed, entry, and position in the entry, or nil if the item has
    /// no entry.
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

    /// Returns a hasher that contains the feed's title and the item's URL.
    ///
    /// If possible, the URL is used as written in the feed.
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
