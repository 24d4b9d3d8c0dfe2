/// Items of a feed that are looked for: a bit for each of a number that is known from the start.
struct ItemBits: Equatable, Sendable {
    private var words: [UInt64]
    /// The number of items of the feed.
    let limit: Int

    /// Makes an empty set, or one of all items.
    init(limit: Int, isFull: Bool = false) {
        self.limit = limit
        words = Array(repeating: isFull ? .max : 0, count: (limit + 63) / 64)
        if isFull, !limit.isMultiple(of: 64) { words[words.count - 1] = (1 << (limit % 64)) - 1 }
    }

    init(_ items: some Sequence<Int>, limit: Int) {
        self.init(limit: limit)
        for item in items where (0..<limit).contains(item) { insert(item) }
    }

    var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    func contains(_ item: Int) -> Bool {
        (0..<limit).contains(item) && words[item >> 6] & (1 << (item & 63)) != 0
    }

    mutating func insert(_ item: Int) { words[item >> 6] |= 1 << (item & 63) }

    mutating func formIntersection(_ other: ItemBits) {
        for index in words.indices { words[index] &= other.words[index] }
    }

    mutating func subtract(_ other: ItemBits) {
        for index in words.indices { words[index] &= ~other.words[index] }
    }

    /// The items in the order of the feed.
    var items: [UInt32] {
        var items: [UInt32] = []
        items.reserveCapacity(count)
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                items.append(UInt32(index << 6 + rest.trailingZeroBitCount))
                rest &= rest - 1
            }
        }
        return items
    }

    /// Keeps the items for which something holds.
    mutating func filter(_ isKept: (Int) throws -> Bool) rethrows {
        for item in items where try !isKept(Int(item)) {
            words[Int(item) >> 6] &= ~(1 << (UInt64(item) & 63))
        }
    }
}
