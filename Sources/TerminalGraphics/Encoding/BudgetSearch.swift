/// Looks for the finest of some levels at which an encoder's bytes are within a limit, in few tries.
///
/// Level 0 is the finest. The first try is at the level that is expected to fit; by how much that
/// one was wrong, the others are taken to be wrong, too.
struct BudgetSearch {
    /// How often a picture is encoded at most: a try costs as much as what it may gain is worth.
    static let tryLimit = 4

    /// The bytes that are allowed.
    let limit: Int
    /// The bytes expected of each level, fewer of each than of the one before; not empty.
    let expected: [Double]
    /// The share of what is expected that a sample of the picture took.
    var shareOfExpected = 1.0
    /// Whether the first result that is within the limit is taken, though a finer one might be.
    var isHasty = false

    /// The coarsest level.
    private var last: Int { expected.count - 1 }

    /// The level of the first try.
    var first: Int { finest(of: 0...last, shareOfExpected: shareOfExpected) ?? last }

    /// The finest result found, or the coarsest there is if none is within the limit.
    ///
    /// `make` encodes at a level and says how many bytes came of it.
    func finest<Result>(make: (Int) -> (result: Result, byteCount: Int)) -> Result {
        var levels = 0...last
        var fitting: Result?
        var level = first
        for _ in 0..<Self.tryLimit {
            let (result, byteCount) = make(level)
            if byteCount <= limit {
                fitting = result
                // Close enough: another try gains less than it costs.
                guard !isHasty, level > levels.lowerBound, byteCount * 16 < limit * 15 else {
                    return result
                }
                levels = levels.lowerBound...(level - 1)
            } else {
                guard level < levels.upperBound else { return fitting ?? result }
                levels = (level + 1)...levels.upperBound
            }
            let share = Double(byteCount) / max(1, expected[level])
            if let next = finest(of: levels, shareOfExpected: share) {
                level = next
            } else if let fitting {
                return fitting
            } else {
                level = levels.upperBound
            }
        }
        return fitting ?? make(last).result
    }

    /// The finest level that will be within the limit if all take that share of what is expected.
    private func finest(of levels: ClosedRange<Int>, shareOfExpected share: Double) -> Int? {
        levels.first { expected[$0] * share <= Double(limit) }
    }
}
