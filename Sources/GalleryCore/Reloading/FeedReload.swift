/// What came of reading a feed again.
public struct FeedReload: Sendable {
    /// The feed as it is now, and which of its items are those of before; nil if it is as it was.
    public var change: Change?
    /// What could not be read, one line each; of that the items of before are still there.
    public var faults: [String] = []
    /// Whether nobody is waiting for it: only what is news is said.
    public var isQuiet = false

    /// A feed that is another one than before.
    public struct Change: Sendable {
        /// All of it.
        public var feed: Feed
        /// Where the items of before are in it.
        public let numbers: FeedRenumbering

        /// Compares two readings of a feed; takes a while.
        ///
        /// Only its first page is read again. What was read of the others stays behind it, unless
        /// nothing in it is known: then nobody knows what lies between.
        public init(from old: Feed, to new: Feed) {
            var numbers = FeedRenumbering(from: old, to: new)
            feed = new
            if old.hasLaterPages, let last = numbers.lastKept {
                feed = new.followed(by: old, from: last + 1)
                numbers.keepRest(from: last + 1, at: new.count)
            }
            self.numbers = numbers
        }
    }

    /// Makes the result of a reading.
    public init(change: Change?, faults: [String] = [], isQuiet: Bool = false) {
        (self.change, self.faults, self.isQuiet) = (change, faults, isQuiet)
    }
}

extension FeedReload {
    /// "3 new, 1 gone", and what could not be read; nil if it is nothing that has to be said.
    func notice(after lastFaults: [String]) -> Notice? {
        var parts: [String] = []
        let (added, gone) = (change?.numbers.addedCount ?? 0, change?.numbers.goneCount ?? 0)
        if added > 0 { parts.append("\(CountText.grouped(added)) new") }
        if gone > 0 { parts.append("\(CountText.grouped(gone)) gone") }
        let news = parts.joined(separator: ", ")
        guard let fault = faults.first else {
            if news.isEmpty { return isQuiet ? nil : Notice("nothing new") }
            return Notice(news)
        }
        // What can't be read at ten in a row need not be said ten times.
        if isQuiet, faults == lastFaults { return news.isEmpty ? nil : Notice(news) }
        let others = faults.count > 1 ? ", and \(faults.count - 1) more" : ""
        let start = news.isEmpty ? "not read again" : "\(news); not read again"
        return Notice("\(start)\(others): \(fault)", .warning)
    }
}
