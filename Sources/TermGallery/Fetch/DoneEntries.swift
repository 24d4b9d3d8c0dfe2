/// The set of URLs that an earlier run has finished.
///
/// Each URL is stored as a fingerprint of 8 bytes and one bit. A URL that occurs several times in
/// the list is skipped as many times as the earlier run reported it. With 10⁸ lines and 10⁸
/// finished URLs, the probability that any line is skipped by mistake is 0.0005.
struct DoneEntries {
    /// The sorted fingerprints, grouped by their highest byte.
    private var groups = [[UInt64]](repeating: [], count: 256)
    /// One bit per fingerprint, which is set when the fingerprint has been used to skip a URL.
    ///
    /// Equal fingerprints are used in order.
    private var taken: [[UInt64]] = []
    private(set) var count = 0

    /// Creates an empty set.
    init() {}

    /// Creates a set of the URLs that `body` adds.
    ///
    /// `body` receives a closure, which it must call with the URL of each finished line.
    init(_ body: ((String) -> Void) throws -> Void) rethrows {
        var groups = groups
        try body { url in
            let fingerprint = Fingerprint.of(url)
            groups[Int(fingerprint >> 56)].append(fingerprint)
        }
        for index in groups.indices {
            // Sorting creates a copy without the array's spare capacity, which can be as large as
            // its content.
            groups[index] = groups[index].sorted()
            count += groups[index].count
        }
        taken = groups.map { [UInt64](repeating: 0, count: ($0.count + 63) / 64) }
        self.groups = groups
    }

    /// Returns whether an earlier run has finished a URL.
    ///
    /// If so, marks one of the reports about the URL as used.
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

    /// Returns the first index in `range` for which `isBehind` is true.
    ///
    /// If `isBehind` is true for an index, it must also be true for all later indices.
    private static func partition(_ range: Range<Int>, isBehind: (Int) -> Bool) -> Int {
        var (low, high) = (range.lowerBound, range.upperBound)
        while low < high {
            let middle = low + (high - low) / 2
            if isBehind(middle) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
