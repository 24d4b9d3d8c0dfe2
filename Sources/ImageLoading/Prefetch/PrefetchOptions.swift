/// The options of a prefetched list.
public struct PrefetchOptions: Hashable, Sendable {
    /// The destination of prefetched images.
    public enum Destination: String, Hashable, Sendable, CaseIterable {
        /// Images are decoded at the requested size into the memory cache, and their bodies are
        /// stored in the disk cache.
        case memory
        /// Bodies are stored in the disk cache only.
        case disk
    }

    /// The destination of the images.
    public var destination: Destination
    /// The highest priority of the list's loads; a request with a lower priority keeps its own.
    ///
    /// A list of plain requests, whose priority is `high`, therefore never delays visible images.
    /// Set `PrefetchToken.priority` to change the limit while the list runs.
    public var highestPriority: LoadPriority
    /// The number of bytes that the list may receive from the network; nil for no limit.
    ///
    /// When the budget is used up, no further load starts, but running loads run to completion. The
    /// budget can be exceeded, because the length of a body is known only while it is being
    /// received.
    public var byteBudget: Int?
    /// Whether the list ends all earlier lists of the prefetcher when it is added.
    ///
    /// The new list takes over running loads of images that it also contains.
    public var replacesEarlierLists: Bool

    /// Creates options; by default, images are loaded into memory, at low priority, without a
    /// budget, and in parallel with other lists.
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

/// A handle for a prefetcher's list, which can cancel the list and change its priority.
///
/// The token does not retain the prefetcher, and has no effect after the end of the list. It may be
/// used on any thread and never blocks.
public struct PrefetchToken: Sendable {
    private let id: PrefetchListID
    private weak var prefetcher: ImagePrefetcher?

    init(_ id: PrefetchListID, of prefetcher: ImagePrefetcher) {
        self.id = id
        self.prefetcher = prefetcher
    }

    /// Ends the list: each request without an outcome receives `.cancelled`, then the list
    /// completes.
    public func cancel() {
        prefetcher?.cancel(id)
    }

    /// The highest priority of the list's loads, initially `PrefetchOptions.highestPriority`; `low`
    /// after the end of the list.
    ///
    /// Setting it changes waiting and running loads; a request with a lower priority keeps its own.
    public var priority: LoadPriority {
        get { prefetcher?.priority(of: id) ?? .low }
        nonmutating set { prefetcher?.setPriority(newValue, of: id) }
    }
}

extension PrefetchToken: Hashable {
    /// Returns whether the tokens belong to the same list of the same prefetcher.
    public static func == (left: PrefetchToken, right: PrefetchToken) -> Bool {
        left.id == right.id && left.prefetcher === right.prefetcher
    }

    /// Hashes the identifier of the list.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
    }
}

/// The outcome of a request in a list.
public enum PrefetchOutcome: Sendable, Equatable {
    /// The image is in the cache; the value is its source.
    case loaded(ImageSource)
    /// The load failed.
    case failed(ImageLoadingError)
    /// The list or the load was cancelled.
    case cancelled
    /// The load was not attempted.
    case skipped(SkipReason)

    /// The reason why a load was not attempted.
    public enum SkipReason: Sendable, Hashable {
        /// The byte budget of the list is used up.
        case budgetSpent
        /// Prefetching was not allowed (see `ImagePrefetcher.init`).
        case notAllowed
    }
}

/// The progress of a list.
public struct PrefetchProgress: Hashable, Sendable {
    /// The number of requests with an outcome.
    public let finished: Int
    /// The number of requests in the list.
    public let total: Int
}

/// The result of a list: the number of requests per outcome.
public struct PrefetchSummary: Hashable, Sendable {
    /// The number of requests whose images are in the cache.
    public internal(set) var loaded = 0
    /// The number of failed requests.
    public internal(set) var failed = 0
    /// The number of cancelled requests.
    public internal(set) var cancelled = 0
    /// The number of requests that were not attempted.
    public internal(set) var skipped = 0
    /// The number of body bytes received from the network, including those of failed loads.
    public internal(set) var bytesReceived = 0

    /// The number of requests with an outcome.
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

/// The events of a list: one `outcome` per request, then one `completed`.
public enum PrefetchEvent: Sendable {
    /// The outcome of a request, and the progress of the list.
    case outcome(PrefetchOutcome, of: ImageRequest, PrefetchProgress)
    /// The end of the list, which is also reported for empty and cancelled lists.
    case completed(PrefetchSummary)
}

/// The completed and remaining work of a prefetcher, for all its lists.
public struct PrefetchStatistics: Hashable, Sendable {
    /// The number of waiting requests.
    public internal(set) var waiting = 0
    /// The number of running loads.
    public internal(set) var running = 0
    /// The outcomes of the finished requests.
    public internal(set) var ended = PrefetchSummary()

    /// Creates empty statistics.
    public init() {}
}
