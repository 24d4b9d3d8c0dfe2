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
    /// is on the screen. `PrefetchToken.priority` changes it while the list runs.
    public var highestPriority: LoadPriority
    /// How many bytes from the network the list may spend; nil for any number.
    ///
    /// A body's length is known only as it comes: what is under way when the budget is spent runs
    /// to its end, and nothing more is started.
    public var byteBudget: Int?
    /// Whether the list cancels those given before it.
    ///
    /// Loads under way that the new list wants too are taken over.
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

/// One list of a prefetcher: cancels it, and says how urgent it is, while it runs.
///
/// It doesn't keep the prefetcher alive, and does nothing after the list's end. Usable on any
/// thread; nothing blocks.
public struct PrefetchToken: Sendable {
    private let id: PrefetchListID
    private weak var prefetcher: ImagePrefetcher?

    init(_ id: PrefetchListID, of prefetcher: ImagePrefetcher) {
        self.id = id
        self.prefetcher = prefetcher
    }

    /// Ends the list: each request that has no outcome yet gets `.cancelled`, then the list
    /// completes.
    public func cancel() {
        prefetcher?.cancel(id)
    }

    /// The most urgent that a load of the list may be, at first `PrefetchOptions.highestPriority`;
    /// `low` after its end.
    ///
    /// Setting it changes the loads that wait and those under way; a request's own priority counts
    /// below it.
    public var priority: LoadPriority {
        get { prefetcher?.priority(of: id) ?? .low }
        nonmutating set { prefetcher?.setPriority(newValue, of: id) }
    }
}

extension PrefetchToken: Hashable {
    /// Tokens are equal if they stand for the same list of the same prefetcher.
    public static func == (left: PrefetchToken, right: PrefetchToken) -> Bool {
        left.id == right.id && left.prefetcher === right.prefetcher
    }

    /// Hashes the list.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
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

/// A list at its end: how many requests had which outcome.
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
    /// A request of the list is done with, and so the list is so far.
    case outcome(PrefetchOutcome, of: ImageRequest, PrefetchProgress)
    /// The end, also of an empty or a cancelled list.
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
