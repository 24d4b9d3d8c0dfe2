/// A set of items by their numbers: a bit for each, so that a million of them take 125 kB, and a copy
/// for the history nothing until one of both changes.
struct ItemSet: Equatable, Sendable {
    private var words: [UInt64] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    /// All of them, the smallest number first.
    var items: [Int] {
        var items: [Int] = []
        items.reserveCapacity(count)
        for (index, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                items.append(index * 64 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        return items
    }

    func contains(_ item: Int) -> Bool {
        let index = item >> 6
        return item >= 0 && index < words.count && words[index] & bit(item) != 0
    }

    /// Returns whether it is new.
    @discardableResult
    mutating func insert(_ item: Int) -> Bool {
        guard item >= 0, !contains(item) else { return false }
        let missing = (item >> 6) + 1 - words.count
        if missing > 0 { words += [UInt64](repeating: 0, count: missing) }
        words[item >> 6] |= bit(item)
        count += 1
        return true
    }

    /// Returns whether it was there.
    @discardableResult
    mutating func remove(_ item: Int) -> Bool {
        guard contains(item) else { return false }
        words[item >> 6] &= ~bit(item)
        count -= 1
        return true
    }

    private func bit(_ item: Int) -> UInt64 { 1 << UInt64(item & 63) }
}
