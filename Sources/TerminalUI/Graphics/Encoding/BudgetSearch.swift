/// Searches for the finest level at which an encoder's output is within a limit.
///
/// Level 0 is the finest. The first attempt uses the finest level that is expected to fit. After
/// each attempt, the expected sizes of the remaining levels are corrected by the ratio of the
/// actual to the expected size.
struct BudgetSearch {
    /// The maximum number of attempts for an image.
    ///
    /// Each attempt encodes the whole image, so further attempts are not worth the time. If no
    /// attempt is within the limit, the image is also encoded at the coarsest level.
    static let tryLimit = 4

    /// The maximum number of bytes in a result.
    let limit: Int
    /// The expected number of bytes at each level.
    ///
    /// The array is not empty, and its values decrease from level to level.
    let expected: [Double]
    /// The ratio of the actual to the expected size, measured on a part of the image.
    var shareOfExpected = 1.0
    /// Whether the first result within the limit is accepted, even if a finer level may fit.
    var isHasty = false

    /// The coarsest level.
    private var last: Int { expected.count - 1 }

    /// The level of the first attempt.
    var first: Int { finest(of: 0...last, shareOfExpected: shareOfExpected) ?? last }

    /// Returns the finest result found within the limit, or the coarsest result if none fits.
    ///
    /// `make` encodes at a level, and returns the result and its number of bytes.
    func finest<Result>(make: (Int) -> (result: Result, byteCount: Int)) -> Result {
        var levels = 0...last
        var fitting: Result?
        var level = first
        for _ in 0..<Self.tryLimit {
            let (result, byteCount) = make(level)
            if byteCount <= limit {
                fitting = result
                // This is close enough: another attempt would gain less than it costs.
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

    /// Returns the finest of `levels` at which the expected output is within the limit, or nil if
    /// no level fits.
    ///
    /// `share` is the ratio of the actual to the expected size, which is assumed to be the same for
    /// all levels.
    private func finest(of levels: ClosedRange<Int>, shareOfExpected share: Double) -> Int? {
        levels.first { expected[$0] * share <= Double(limit) }
    }
}
