extension RandomAccessCollection {
    /// The first index whose element satisfies a predicate that, once true, holds for all that
    /// follow; the end if none does.
    ///
    /// By binary search.
    func partitioningIndex(where isBehind: (Element) -> Bool) -> Index {
        var low = startIndex
        var count = count
        while count > 0 {
            let half = count / 2
            let middle = index(low, offsetBy: half)
            if isBehind(self[middle]) {
                count = half
            } else {
                low = index(after: middle)
                count -= half + 1
            }
        }
        return low
    }
}
