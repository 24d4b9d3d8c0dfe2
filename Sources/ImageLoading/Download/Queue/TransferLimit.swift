/// An observed limit on simultaneous transfers, determined like TCP's congestion window: halved
/// after a refusal, raised by one after a period without refusals.
///
/// Some servers accept two connections from one address and reset the third, and a process may have
/// fewer descriptors than transfers. This type has no side effects.
struct TransferLimit: Hashable, Sendable {
    /// The number of responses per permitted transfer after which the limit is raised by one.
    static let answersPerStep = 8
    /// The maximum number of times that `answersPerStep` is doubled.
    ///
    /// It is doubled once for each raise that turned out to be too high.
    static let longestDoubling = 6

    /// The current limit, or nil if no transfer has been refused or the limit has risen to the
    /// permitted number of transfers again.
    private(set) var limit: Int?
    /// The total number of responses.
    private(set) var answerCount = 0
    /// Whether the last reduction was the first one that followed a raise.
    ///
    /// Only a reduction after a raise reveals the actual limit.
    private(set) var isFound = false
    /// The number of reductions that followed a raise.
    private var excessCount = 0
    private var hasRisen = false
    /// The number of the last transfer that had been started when the limit was last reduced.
    private var lastStarted = 0
    private var answersSinceStep = 0

    /// Records that a transfer was refused while `running` transfers, including this transfer, were
    /// running.
    ///
    /// Returns true if the limit was reduced.
    ///
    /// `number` is the position of the transfer in the order in which transfers started, and
    /// `lastStarted` is the position of the last transfer that was started. Transfers that were
    /// already running when the limit was last reduced reveal nothing about the new limit. A
    /// transfer that ran alone was not refused because of other transfers.
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

    /// Records a response; `most` is the number of transfers that are permitted if there is no
    /// observed limit.
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
