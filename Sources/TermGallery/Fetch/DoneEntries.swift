/// The addresses that an earlier run is done with, by their fingerprints: 8 bytes for each, and a bit.
///
/// One that stands in the list several times is done as often as the earlier run has told of it. Of 10⁸
/// lines one is skipped wrongly with a probability of 0.0005 if 10⁸ are done.
struct DoneEntries {
    /// Sorted, by the highest byte of the fingerprint.
    private var groups = [[UInt64]](repeating: [], count: 256)
    /// A bit for each: those of an address that are taken are the first of them.
    private var taken: [[UInt64]] = []
    private(set) var count = 0

    /// Nothing is done.
    init() {}

    /// Calls `body` with a place for the address of each line that is done.
    init(_ body: ((String) -> Void) throws -> Void) rethrows {
        var groups = groups
        try body { url in
            let fingerprint = Fingerprint.of(url)
            groups[Int(fingerprint >> 56)].append(fingerprint)
        }
        for index in groups.indices {
            // A copy of its size: what an array grows by is up to as much again.
            groups[index] = groups[index].sorted()
            count += groups[index].count
        }
        taken = groups.map { [UInt64](repeating: 0, count: ($0.count + 63) / 64) }
        self.groups = groups
    }

    /// Whether an address is done; each that was told of counts once.
    mutating func take(_ url: @autoclosure () -> String) -> Bool {
        guard count > 0 else { return false }
        let fingerprint = Fingerprint.of(url())
        let group = Int(fingerprint >> 56)
        let all = groups[group]
        let first = Self.partition(0..<all.count) { all[$0] >= fingerprint }
        let end = Self.partition(first..<all.count) { all[$0] > fingerprint }
        let free = Self.partition(first..<end) { !isTaken($0, group) }
        guard free < end else { return false }
        taken[group][free / 64] |= 1 << UInt64(free % 64)
        return true
    }

    private func isTaken(_ index: Int, _ group: Int) -> Bool {
        taken[group][index / 64] >> UInt64(index % 64) & 1 == 1
    }

    /// The first index of which `isBehind` is true; it is so of all that follow.
    private static func partition(_ range: Range<Int>, isBehind: (Int) -> Bool) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if isBehind(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
