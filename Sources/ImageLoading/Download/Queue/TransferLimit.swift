/// An observed limit of simultaneous transfers, determined like TCP's congestion window: halved
/// after a refusal, raised by one after a period without refusals.
///
/// Some servers accept two connections from one address and reset the third, and a process may have
/// fewer descriptors than transfers. This type has no side effects.
struct TransferLimit: Hashable, Sendable {
    /// The number of responses per transfer of the limit before it is raised by one.
    static let answersPerStep = 8
    /// The maximum number of times that this number doubles, once for each raise that was one too
    /// many.
    static let longestDoubling = 6

    /// The current limit, or nil if no transfer has been refused.
    private(set) var limit: Int?
    /// The total number of responses.
    private(set) var answerCount = 0
    /// Whether the last reduction was the first after a raise.
    ///
    /// Only such a reduction reveals the actual limit.
    private(set) var isFound = false
    /// The number of reductions after a raise.
    private var excessCount = 0
    private var hasRisen = false
    /// The last transfer that had been started at that time.
    private var lastStarted = 0
    private var answersSinceStep = 0

    /// Records that a transfer was refused while `running` transfers ran, including itself.
    ///
    /// Returns true if the limit was reduced.
    ///
    /// `number` counts the transfers in the order of starting. Transfers that were running when the
    /// limit was reduced say nothing about the new limit, and a single transfer was not refused
    /// because of others.
    mutating func refused(_ number: Int, running: Int, lastStarted: Int) -> Bool {
        guard running > 1, number > self.lastStarted else { return false }
        self.lastStarted = lastStarted
        limit = max(1, min(limit ?? running, running) / 2)
        if hasRisen { excessCount += 1 }
        isFound = hasRisen && excessCount == 1
        hasRisen = false
        answersSinceStep = 0
        return true
    }

    /// Records a response; `most` is the number of permitted transfers without a limit.
    mutating func answered(most: Int) {
        answerCount += 1
        guard let limit else { return }
        answersSinceStep += 1
        let doublings = min(excessCount, Self.longestDoubling)
        guard answersSinceStep >= (limit * Self.answersPerStep) << doublings else { return }
        answersSinceStep = 0
        hasRisen = true
        self.limit = limit + 1 < most ? limit + 1 : nil
    }
}
