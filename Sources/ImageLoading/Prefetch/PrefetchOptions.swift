/// How one list is prefetched.
public struct PrefetchOptions: Hashable, Sendable {
    /// How far a prefetched picture comes.
    public enum Destination: String, Hashable, Sendable, CaseIterable {
        /// Decoded at the size asked for, into the memory cache (and its bytes to disk).
        case memory
        /// Only the bytes, into the disk cache.
        case disk
    }

    /// Where the pictures go.
    public var destination: Destination
    /// The most urgent that a load of the list may be; a request's own priority counts below it.
    ///
    /// So a list made of plain requests, whose priority is `high`, never stands in the way of what
    /// is on the screen (row PF1).
    public var highestPriority: LoadPriority
    /// How many bytes from the network the list may spend; nil for any number.
    ///
    /// A body's length is known only as it comes: what is under way when the budget is spent goes
    /// on, nothing is started any more.
    public var byteBudget: Int?
    /// Cancels the lists given before (row PF2).
    ///
    /// Loads under way that the new list wants too go on.
    public var replacesEarlierLists: Bool

    /// Makes options; by default into memory, at low priority, without a budget, beside other
    /// lists.
    public init(
        destination: Destination = .memory,
        highestPriority: LoadPriority = .low,
        byteBudget: Int? = nil,
        replacesEarlierLists: Bool = false
    ) {
        self.destination = destination
        self.highestPriority = highestPriority
        self.byteBudget = byteBudget
        self.replacesEarlierLists = replacesEarlierLists
    }
}
