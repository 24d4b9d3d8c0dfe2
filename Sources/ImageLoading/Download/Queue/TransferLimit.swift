/// An observed limit on simultaneous transfers.
///
/// Like TCP's congestion window, it is halved after a refusal and raised by one after a period
/// without refusals. Some servers accept two connections from one address and reset the third, and
/// a process may have too few file descriptors for all transfers. This type has no side effects.
struct TransferLimit: Hashable, Sendable {
    /// The factor that determines when the limit is raised by one.
    ///
    /// It is raised after `limit * answersPerStep` responses.
    static let answersPerStep = 8
    /// The maximum number of times that `answersPerStep` is doubled.
    ///
    /// It is doubled each time a raised limit turns out to be too high.
    static let longestDoubling = 6

    /// The current limit, or nil for no limit.
    ///
    /// There is no limit before the first refusal, or after the limit has risen to the permitted
    /// number of transfers.
    private(set) var limit: Int?
    /// The total number of responses.
    private(set) var answerCount = 0
    /// Whether the last reduction was the first one after an increase.
    ///
    /// Only such a reduction shows the actual limit of the host or the process.
    private(set) var isFound = false
    /// The number of reductions that followed a raise.
    private var excessCount = 0
    private var hasRisen = false
    /// The number of the newest transfer when the limit was last reduced (see `refused`).
    private var lastStarted = 0
    private var answersSinceStep = 0

    /// Records the refusal of a transfer and returns whether the limit was reduced.
    ///
    /// `running` is the number of running transfers, including this one. Transfers are numbered in
    /// the order they start: `number` is the number of the refused transfer, and `lastStarted` is
    /// the number of the newest transfer.
    ///
    /// If the transfer was already running when the limit was last reduced, its refusal does not
    /// apply to the new limit. A transfer that ran alone was not refused because of others.
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

    /// Records a response.
    ///
    /// `most` is the permitted number of transfers if there is no observed limit.
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
