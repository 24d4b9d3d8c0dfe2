/// What a cache holds and how often it answered.
public struct CacheStatistics: Equatable, Sendable {
    /// Entries held: images in memory, files on disk.
    public var entryCount = 0
    /// Of those, thumbnails that are kept beside the pictures of which they are.
    public var thumbnailCount = 0
    /// Bytes held (disk: allocated blocks, `st_blocks * 512`).
    public var byteCount = 0
    /// The budget in bytes.
    public var byteLimit = 0
    /// Look-ups answered.
    public var hits = 0
    /// Look-ups not answered.
    public var misses = 0
    /// Entries removed to stay inside the budget.
    public var evictions = 0

    /// Makes empty statistics.
    public init() {}

    /// Entries without thumbnails, since one of these is no picture more.
    public var pictureCount: Int { entryCount - thumbnailCount }
}

/// A snapshot of everything the engine counts.
///
/// At rest, `started == succeeded + failed + cancelled`.
public struct LoadingStatistics: Equatable, Sendable {
    /// Loads started, one for each call of `load`.
    public var started = 0
    /// Loads that ended with an image.
    public var succeeded = 0
    /// Loads that ended with an error other than cancelling.
    public var failed = 0
    /// Of those, background loads: a prefetcher's, and those that ask whether a stale picture has
    /// changed.
    public var failedInBackground = 0
    /// Loads that were cancelled.
    public var cancelled = 0
    /// Of those, loads whose binding asked for the same URL in another way, such as a larger size.
    public var replaced = 0
    /// Loads that joined one under way.
    public var coalesced = 0
    /// Transfers running.
    public var liveTransfers = 0
    /// Transfers waiting for a slot.
    public var queuedTransfers = 0
    /// Transfers started.
    public var transfersStarted = 0
    /// Transfers stopped because no listener was left.
    public var transfersCancelled = 0
    /// Body bytes received.
    public var bytesReceived = 0
    /// Body bytes announced but not received, because the transfer was stopped.
    public var bytesSaved = 0
    /// Transfers stopped because what had come made the picture (`stopWhenSufficient`).
    public var transfersStoppedEarly = 0
    /// Body bytes announced and not needed by such transfers; not among `bytesSaved`.
    public var bytesNotNeeded = 0
    /// Transfers tried again after a failure that may pass.
    public var retries = 0
    /// Transfers that resumed at the bytes of an earlier one.
    public var transfersResumed = 0
    /// Body bytes that a resumed transfer did not have to fetch again.
    public var bytesResumed = 0
    /// Transfers that finish to disk without a listener, because the rest is cheaper than a new
    /// connection or because it was asked for (`continueInBackground`).
    public var transfersDetached = 0
    /// Answers 304: the cached body is still good.
    public var notModified = 0
    /// Loads answered with a stale picture, because the server allows it or can't be reached.
    public var staleAnswers = 0
    /// Decodes that were dropped before they began or ended.
    public var decodesSaved = 0
    /// How long decoding and processing took, previews included.
    public var decodeTimes = DurationHistogram()
    /// Hosts that are not asked at the moment, because they failed too often in a row.
    public var unavailableHosts = 0
    /// Files of the disk cache that were found damaged and deleted.
    public var damagedFiles = 0
    /// Loads that waited for another process which was fetching the same URL.
    public var leaseWaits = 0
    /// URLs that are not asked again for a while.
    public var rememberedFailures = 0
    /// The memory cache.
    public var memoryCache = CacheStatistics()
    /// What is given up because memory is short; nil if nobody watches that.
    public var memoryStage: MemoryStage?
    /// The disk cache.
    public var diskCache = CacheStatistics()
    /// Whether something is being written, deleted or looked through, so that the figures of
    /// `diskCache` may still change although every load has ended.
    public var isDiskBusy = false
    /// Pictures that could not be kept on disk: it is full, or its directory can't be written.
    public var diskWriteFailures = 0
    /// What went wrong on the disk last, in words; nil if nothing did.
    public var diskFailureText: String?

    /// Makes empty statistics.
    public init() {}
}
