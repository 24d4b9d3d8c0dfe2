/// How often one download has been tried.
struct AttemptHistory: Hashable, Sendable {
    /// Attempts that ended without a whole body.
    private(set) var count = 0
    /// Those of them since one brought the body further.
    ///
    /// A connection that breaks every megabyte is resumed again and again, and gets there.
    private(set) var fruitlessCount = 0

    mutating func noteFailure(broughtBytes: Bool) {
        count += 1
        fruitlessCount = broughtBytes ? 1 : fruitlessCount + 1
    }
}
