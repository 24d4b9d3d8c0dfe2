/// How many transfers at once are worth trying, found out as TCP finds its window: half as many
/// after a refusal, one more after a while without.
///
/// Some servers take two connections from one address and reset the third; and a process may have
/// fewer descriptors than transfers. Pure.
struct TransferLimit: Hashable, Sendable {
    /// Answers for each transfer of the limit, before one more is tried.
    static let answersPerStep = 8
    /// So often that number doubles, each time one more was one too many.
    static let longestDoubling = 6

    /// Nil while nothing was refused.
    private(set) var limit: Int?
    /// Answers in all.
    private(set) var answerCount = 0
    /// Whether the last fall was the first after a rise: the others said that there were too many,
    /// this one how many are.
    private(set) var isFound = false
    /// Falls after a rise.
    private var excessCount = 0
    private var hasRisen = false
    /// The last transfer that had been started when it did.
    private var lastStarted = 0
    private var answersSinceStep = 0

    /// Takes note that a transfer was refused while so many ran, itself included; true if the limit
    /// fell.
    ///
    /// `number` counts the transfers as they are started. Those that were under way when the limit
    /// fell say nothing about the new one; and one that was alone was not refused for the others.
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

    /// Takes note of an answer; `most` is how many transfers there may be without a limit.
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
