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
