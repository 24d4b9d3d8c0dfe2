internal import Decoders
internal import Feeds

/// Sorts the items of a feed.
///
/// The sort keys are computed once and stored contiguously. Names are compared by the first 8 bytes
/// of their keys as integers, and by their complete keys only if these integers are equal.
struct ItemSorter {
    let feed: Feed
    let known: KnownItems
    let dates: ItemDates

    init(known: KnownItems, dates: ItemDates) {
        (feed, self.known, self.dates) = (dates.feed, known, dates)
    }

    /// Returns all items sorted by a key.
    ///
    /// The newest and largest items come first. Items with an unknown value come last, in the order
    /// of the feed. `check` throws an error if the result is no longer needed.
    func sorted(by key: SortKey, seed: UInt64, check: () throws -> Void) throws -> [UInt32] {
        switch key {
        case .feed: identity
        case .name: try byName(check)
        case .host: try byHost(check)
        case .random: shuffled(seed)
        case .date:
            try byNumber(check) { dates.nanoseconds(of: $0) }
        case .size:
            try byNumber(check) { known.facts[$0]?.byteCount ?? dates.file(of: $0)?.byteCount }
        case .dimensions: try byNumber(check) { known.facts[$0]?.size?.pixelCount }
        }
    }

    private var identity: [UInt32] { (0..<UInt32(feed.count)).map { $0 } }

    private func byNumber(
        _ check: () throws -> Void,
        _ number: (Int) -> Int?
    ) throws -> [UInt32] {
        var numbers: [Int] = []
        numbers.reserveCapacity(feed.count)
        for item in 0..<feed.count {
            // `number` may read a file, so cancellation is checked often.
            if item.isMultiple(of: 32) { try check() }
            numbers.append(number(item) ?? .min)
        }
        return try identity.sorted { one, other in
            try check()
            let (left, right) = (numbers[Int(one)], numbers[Int(other)])
            return left == right ? one < other : left > right
        }
    }

    private func byHost(_ check: () throws -> Void) throws -> [UInt32] {
        // Hosts are grouped by hash, because comparing a million strings would take seconds. Hosts
        // with the same hash form one group.
        var names: [UInt64: (name: String, number: UInt32)] = [:]
        var numbers: [UInt32] = []
        numbers.reserveCapacity(feed.count)
        for item in 0..<feed.count {
            if item.isMultiple(of: 256) { try check() }
            let hash = feed.withHost(of: item, Self.hash) ?? 0
            if let known = names[hash] {
                numbers.append(known.number)
            } else {
                numbers.append(UInt32(names.count))
                names[hash] = (feed.host(of: item) ?? "", UInt32(names.count))
            }
        }
        var ranks = [UInt32](repeating: 0, count: names.count)
        // Local files, which have no host, come last.
        let order = names.values.sorted { one, other in
            (one.name.isEmpty ? 1 : 0, one.name) < (other.name.isEmpty ? 1 : 0, other.name)
        }
        for (rank, entry) in order.enumerated() { ranks[Int(entry.number)] = UInt32(rank) }
        var groups = [[UInt32]](repeating: [], count: names.count)
        for item in 0..<feed.count { groups[Int(ranks[Int(numbers[item])])].append(UInt32(item)) }
        return Array(groups.joined())
    }

    /// Returns the hash of the lowercase host.
    private static func hash(_ host: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64 {
        TextHash.of(bytes: host.lazy.map(\.lowercasedASCII))
    }

    private func byName(_ check: () throws -> Void) throws -> [UInt32] {
        var keys = NameKeys(count: feed.count)
        for item in 0..<feed.count {
            if item.isMultiple(of: 256) { try check() }
            keys.append(feed.caption(of: item))
        }
        return try keys.sorted(check)
    }

    private func shuffled(_ seed: UInt64) -> [UInt32] {
        var generator = SplitMix(state: seed)
        return identity.shuffled(using: &generator)
    }
}

/// The sort keys of names, stored in one buffer.
private struct NameKeys {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    /// The first 8 bytes of each item's sort key, and the item.
    private var heads: [(head: UInt64, item: UInt32)] = []

    init(count: Int) {
        ends.reserveCapacity(count)
        heads.reserveCapacity(count)
    }

    mutating func append(_ name: String) {
        let start = bytes.count
        NaturalOrder.append(name, to: &bytes)
        var head: UInt64 = 0
        for offset in 0..<8 {
            head = head << 8 | UInt64(start + offset < bytes.count ? bytes[start + offset] : 0)
        }
        heads.append((head, UInt32(ends.count)))
        ends.append(bytes.count)
    }

    func sorted(_ check: () throws -> Void) throws -> [UInt32] {
        try bytes.withUnsafeBufferPointer { bytes in
            try ends.withUnsafeBufferPointer { ends in
                func rest(_ item: UInt32) -> Slice<UnsafeBufferPointer<UInt8>> {
                    let start = item == 0 ? 0 : ends[Int(item) - 1]
                    return bytes[min(start + 8, ends[Int(item)])..<ends[Int(item)]]
                }
                return try heads.sorted { one, other in
                    try check()
                    if one.head != other.head { return one.head < other.head }
                    let (left, right) = (rest(one.item), rest(other.item))
                    if left.lexicographicallyPrecedes(right) { return true }
                    if right.lexicographicallyPrecedes(left) { return false }
                    return one.item < other.item
                }.map(\.item)
            }
        }
    }
}

/// A random number generator that produces the same numbers from the same seed on every machine.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
