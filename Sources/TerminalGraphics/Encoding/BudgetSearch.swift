internal import Glibc

/// Looks for the finest of some levels at which an encoder's bytes are within a limit, in few tries.
///
/// Level 0 is the finest; each one further takes a like share fewer bytes. Pictures differ, so the
/// first try is a guess and the next ones are drawn from what the tries came to.
struct BudgetSearch {
    /// How often a picture is encoded at most: a try costs as much as what it may gain is worth.
    static let tryLimit = 4

    /// The coarsest level.
    let last: Int
    /// The bytes that are allowed.
    let limit: Int
    /// By how much the logarithm of the bytes falls from one level to the next, as a first guess.
    let shrinkage: Double

    /// The finest result found, or the coarsest there is if none is within the limit.
    ///
    /// `first` is the level to begin with; `make` encodes at a level and says how many bytes came of
    /// it.
    func finest<Result>(
        first: Int,
        make: (Int) -> (result: Result, byteCount: Int)
    ) -> Result {
        var tooLarge: (level: Int, byteCount: Int)?
        var fitting: (level: Int, byteCount: Int, result: Result)?
        var level = min(max(0, first), last)
        for _ in 0..<Self.tryLimit {
            let (result, byteCount) = make(level)
            if byteCount <= limit {
                fitting = (level, byteCount, result)
                // Close enough: another try gains less than it costs.
                if level == 0 || byteCount * 16 >= limit * 15 { break }
            } else {
                guard level < last else { return result }
                tooLarge = (level, byteCount)
            }
            guard let next = next(tooLarge, fitting.map { ($0.level, $0.byteCount) }) else { break }
            level = next
        }
        return fitting?.result ?? make(last).result
    }

    /// The level to try between those known; nil if there is none.
    private func next(
        _ tooLarge: (level: Int, byteCount: Int)?,
        _ fitting: (level: Int, byteCount: Int)?
    ) -> Int? {
        let low = (tooLarge?.level ?? -1) + 1
        let high = fitting.map { $0.level - 1 } ?? last
        guard low <= high else { return nil }
        guard let known = tooLarge ?? fitting else { return low }
        var shrinkage = shrinkage
        if let tooLarge, let fitting, fitting.byteCount < tooLarge.byteCount {
            let ratio = log(Double(tooLarge.byteCount) / Double(fitting.byteCount))
            shrinkage = ratio / Double(fitting.level - tooLarge.level)
        }
        let distance = log(Double(known.byteCount) / Double(max(1, limit))) / shrinkage
        return min(max(low, known.level + Int(distance.rounded(.up))), high)
    }
}
