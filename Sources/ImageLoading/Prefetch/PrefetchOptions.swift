/// The options for a list of images to prefetch.
public struct PrefetchOptions: Hashable, Sendable {
    /// The cache that images are prefetched into.
    public enum Destination: String, Hashable, Sendable, CaseIterable {
        /// Images are decoded at the requested size and stored in memory.
        ///
        /// Their bodies are stored in the disk cache.
        case memory
        /// Only bodies are stored, in the disk cache.
        case disk
    }

    /// The cache that the images are loaded into.
    public var destination: Destination
    /// The highest priority of the list's loads; a request with a lower priority keeps its own.
    ///
    /// With the default of `low`, a list never delays visible images, even though requests have
    /// high priority by default. To change the limit while the list runs, set
    /// `PrefetchToken.priority`.
    public var highestPriority: LoadPriority
    /// The number of bytes that the list may receive from the network; nil means no limit.
    ///
    /// When the budget is used up, no more loads start, but running loads continue. They may exceed
    /// the budget, because the length of a body is known only while it is being received.
    public var byteBudget: Int?
    /// Whether all earlier lists of the prefetcher end when this list is added.
    ///
    /// If an image of the new list is already being loaded, the new list takes over the load.
    public var replacesEarlierLists: Bool

    /// Creates options.
    ///
    /// By default, images are loaded into memory, at low priority, without a byte budget, and in
    /// parallel with other lists.
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

/// A handle that can cancel a list of a prefetcher and change its priority.
///
/// The token does not retain the prefetcher. After the list has ended, the token has no effect. It
/// may be used on any thread and never blocks.
public struct PrefetchToken: Sendable {
    private let id: PrefetchListID
    private weak var prefetcher: ImagePrefetcher?

    init(_ id: PrefetchListID, of prefetcher: ImagePrefetcher) {
        self.id = id
        self.prefetcher = prefetcher
    }

    /// Cancels the list.
    ///
    /// Each request without an outcome receives `.cancelled`, and then the list completes.
    public func cancel() {
        prefetcher?.cancel(id)
    }

    /// The highest priority of the list's loads.
    ///
    /// It is initially `PrefetchOptions.highestPriority`, and `low` after the list has ended. A
    /// change affects waiting and running loads. A request with a lower priority keeps its own.
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
    /// The image is in the cache; the value is the source it was loaded from.
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
    /// The number of body bytes received from the network, including bodies of failed loads.
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

/// The events of a prefetch list: one `outcome` per request, then one `completed`.
public enum PrefetchEvent: Sendable {
    /// The outcome of a request and the progress of the list.
    case outcome(PrefetchOutcome, of: ImageRequest, PrefetchProgress)
    /// The end of the list; this event is also sent for empty and cancelled lists.
    case completed(PrefetchSummary)
}

/// The completed and remaining work of a prefetcher across all its lists.
public struct PrefetchStatistics: Hashable, Sendable {
    /// The number of waiting requests.
    public internal(set) var waiting = 0
    /// The running loads, in the order of their lists.
    public internal(set) var loads: [PrefetchLoad] = []
    /// The outcomes of the finished requests and the number of bytes received for them.
    public internal(set) var ended = PrefetchSummary()

    /// The number of running loads.
    public var running: Int { loads.count }

    /// Creates empty statistics.
    public init() {}
}

/// A running load of a prefetcher.
public struct PrefetchLoad: Hashable, Sendable {
    /// The request from the list; its priority is at most that of the list.
    public let request: ImageRequest
    /// The progress of the transfer, or nil if no transfer has started.
    public internal(set) var progress: LoadProgress?

    var bytesReceived: Int { max(0, progress?.received ?? 0) }
}
