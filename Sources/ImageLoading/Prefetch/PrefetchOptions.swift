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

/// What became of one request of a list.
public enum PrefetchOutcome: Sendable, Equatable {
    /// It is in the cache now; this level had it.
    case loaded(ImageSource)
    /// It can't be had.
    case failed(ImageLoadingError)
    /// It was cancelled: its list, or the load itself.
    case cancelled
    /// It was not even tried.
    case skipped(SkipReason)

    /// Why a request was not tried.
    public enum SkipReason: Sendable, Hashable {
        /// The list's byte budget is spent.
        case budgetSpent
        /// Prefetching was not allowed at the moment (see `ImagePrefetcher.init`).
        case notAllowed
    }
}

/// How far a list is.
public struct PrefetchProgress: Hashable, Sendable {
    /// Requests that have an outcome, whatever it is.
    public let finished: Int
    /// Requests in the list.
    public let total: Int
}

/// A list at its end: how many requests had which outcome (row PF4).
public struct PrefetchSummary: Hashable, Sendable {
    /// Requests that are in the cache now.
    public internal(set) var loaded = 0
    /// Requests that failed.
    public internal(set) var failed = 0
    /// Requests that were cancelled.
    public internal(set) var cancelled = 0
    /// Requests that were not tried.
    public internal(set) var skipped = 0
    /// Body bytes from the network, those of failed loads included.
    public internal(set) var bytesReceived = 0

    /// Requests that have an outcome.
    public var finished: Int { loaded + failed + cancelled + skipped }

    mutating func count(_ outcome: PrefetchOutcome) {
        switch outcome {
        case .loaded: loaded += 1
        case .failed: failed += 1
        case .cancelled: cancelled += 1
        case .skipped: skipped += 1
        }
    }
}

/// What a list's listener hears: one `outcome` for each request, then one `completed`.
public enum PrefetchEvent: Sendable {
    /// A request of the list is done with, and so the list is so far (row PF3).
    case outcome(PrefetchOutcome, of: ImageRequest, PrefetchProgress)
    /// The end, also of an empty (row PF5) or cancelled list (row PF6).
    case completed(PrefetchSummary)
}

/// What a prefetcher has done and still has to do, over all its lists.
public struct PrefetchStatistics: Hashable, Sendable {
    /// Requests that wait in a list.
    public internal(set) var waiting = 0
    /// Loads under way.
    public internal(set) var running = 0
    /// Outcomes so far.
    public internal(set) var ended = PrefetchSummary()

    /// Makes empty statistics.
    public init() {}
}
