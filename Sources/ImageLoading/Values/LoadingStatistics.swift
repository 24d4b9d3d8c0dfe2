/// The size of a cache, and its hits and misses.
public struct CacheStatistics: Equatable, Sendable {
    /// The number of entries: images in memory, files on disk.
    public var entryCount = 0
    /// The number of entries that are thumbnails, stored in addition to the images they were made
    /// from.
    public var thumbnailCount = 0
    /// The size of all entries in bytes (on disk: allocated blocks, `st_blocks * 512`).
    public var byteCount = 0
    /// The budget in bytes.
    public var byteLimit = 0
    /// The number of lookups that found an entry.
    public var hits = 0
    /// The number of lookups that found no entry.
    public var misses = 0
    /// The number of entries removed to meet the budget.
    public var evictions = 0

    /// Creates empty statistics.
    public init() {}

    /// The number of entries that are not thumbnails, because a thumbnail is not an additional
    /// image.
    public var pictureCount: Int { entryCount - thumbnailCount }
}

/// A snapshot of all counters of the engine.
///
/// If no load is running, `started == succeeded + failed + cancelled`.
public struct LoadingStatistics: Equatable, Sendable {
    /// The number of loads started, one for each call to `load`.
    public var started = 0
    /// The number of loads that ended with an image.
    public var succeeded = 0
    /// The number of loads that ended with an error other than cancellation.
    public var failed = 0
    /// The number of failed loads in the background: loads of a prefetcher, and loads that check
    /// whether a stale image has changed.
    public var failedInBackground = 0
    /// The number of loads that were cancelled.
    public var cancelled = 0
    /// The number of cancelled loads whose binding requested the same URL in another form, such as
    /// at a larger size.
    public var replaced = 0
    /// The number of loads that joined a running load.
    public var coalesced = 0
    /// The number of running transfers.
    public var liveTransfers = 0
    /// The number of transfers that wait for a slot.
    public var queuedTransfers = 0
    /// The number of transfers started.
    public var transfersStarted = 0
    /// The number of transfers stopped because no listener was left.
    public var transfersCancelled = 0
    /// The number of body bytes received.
    public var bytesReceived = 0
    /// The number of body bytes announced but not received, because the transfer was stopped.
    public var bytesSaved = 0
    /// The number of transfers stopped because the received bytes were sufficient for the image
    /// (`stopWhenSufficient`).
    public var transfersStoppedEarly = 0
    /// The number of body bytes announced but not received by transfers stopped early; not included
    /// in `bytesSaved`.
    public var bytesNotNeeded = 0
    /// The number of times that a transfer was retried after a failure that may be temporary.
    public var retries = 0
    /// The number of transfers that resumed after the bytes of an earlier transfer.
    public var transfersResumed = 0
    /// The number of body bytes that resumed transfers did not have to request again.
    public var bytesResumed = 0
    /// The number of transfers that continued to disk without a listener, because receiving the
    /// rest is cheaper than opening a new connection, or because of the option
    /// `continueInBackground`.
    public var transfersDetached = 0
    /// The number of times that a server confirmed the cached body, with status 304 or by sending
    /// the same bytes again.
    public var notModified = 0
    /// The number of loads that returned a stale image, because the server permits it, cannot be
    /// reached or must not be contacted.
    public var staleAnswers = 0
    /// The number of decodes that were cancelled before they ended, or skipped because the same
    /// bytes had failed before.
    public var decodesSaved = 0
    /// The durations of decoding and processing, including previews.
    public var decodeTimes = DurationHistogram()
    /// The number of hosts that are not contacted at the moment, because they failed too many times
    /// in a row.
    public var unavailableHosts = 0
    /// The number of files of the disk cache that were damaged and therefore deleted.
    public var damagedFiles = 0
    /// The number of loads that waited for another process, which was requesting the same URL.
    public var leaseWaits = 0
    /// The number of URLs and hosts that are remembered as failed and are not requested again for a
    /// while.
    public var rememberedFailures = 0
    /// The statistics of the memory cache.
    public var memoryCache = CacheStatistics()
    /// The current stage of the response to memory pressure, or nil if memory pressure is not
    /// monitored.
    public var memoryStage: MemoryStage?
    /// The statistics of the disk cache.
    public var diskCache = CacheStatistics()
    /// Whether files are being written, deleted or scanned, so that the values of `diskCache` may
    /// change even after all loads have ended.
    public var isDiskBusy = false
    /// The number of entries and metadata updates that could not be written to the disk cache, for
    /// example because the disk was full or the directory was not writable.
    public var diskWriteFailures = 0
    /// A description of the latest disk failure; nil if no failure occurred.
    public var diskFailureText: String?

    /// Creates empty statistics.
    public init() {}
}
