/// The size of a cache and its hits and misses.
public struct CacheStatistics: Equatable, Sendable {
    /// The number of entries: images in memory, files on disk.
    public var entryCount = 0
    /// The number of thumbnails among the entries.
    ///
    /// Thumbnails are stored in addition to their images.
    public var thumbnailCount = 0
    /// The size of all entries in bytes; on disk, the size of the allocated blocks (`st_blocks *
    /// 512`).
    public var byteCount = 0
    /// The size limit of the cache in bytes.
    public var byteLimit = 0
    /// The number of lookups that found an entry.
    public var hits = 0
    /// The number of lookups that found no entry.
    public var misses = 0
    /// The number of entries that were removed to keep the cache within its size limit.
    public var evictions = 0

    /// Creates empty statistics.
    public init() {}

    /// The number of entries that are not thumbnails.
    ///
    /// Thumbnails do not count, because they show images that are already counted.
    public var pictureCount: Int { entryCount - thumbnailCount }
}

/// A snapshot of all counters of the engine.
///
/// While no load is running, `started == succeeded + failed + cancelled`.
public struct LoadingStatistics: Equatable, Sendable {
    /// The number of loads started, one for each call to `load`.
    public var started = 0
    /// The number of loads that ended with an image.
    public var succeeded = 0
    /// The number of loads that ended with an error other than cancellation.
    public var failed = 0
    /// The number of failed loads in the background.
    ///
    /// These are loads of a prefetcher and loads that check whether a stale image has changed.
    public var failedInBackground = 0
    /// The number of loads that were cancelled.
    public var cancelled = 0
    /// The number of loads cancelled because their view requested the same URL in a different form,
    /// such as a larger size.
    public var replaced = 0
    /// The number of loads that joined a running load of the same image.
    public var coalesced = 0
    /// The number of running transfers.
    public var liveTransfers = 0
    /// The number of transfers waiting for a slot.
    public var queuedTransfers = 0
    /// The number of transfers started.
    public var transfersStarted = 0
    /// The number of transfers that were stopped because all listeners had left.
    public var transfersCancelled = 0
    /// The number of body bytes received.
    public var bytesReceived = 0
    /// The number of bytes that were announced but not received, because a transfer was stopped.
    public var bytesSaved = 0
    /// The number of transfers that were stopped because the received bytes were sufficient
    /// (`LoadingOptions.stopWhenSufficient`).
    public var transfersStoppedEarly = 0
    /// The number of bytes that were announced but not received, because the received bytes were
    /// sufficient.
    ///
    /// These bytes are not included in `bytesSaved`.
    public var bytesNotNeeded = 0
    /// The number of times a transfer was retried after a transient failure.
    public var retries = 0
    /// The number of transfers that continued an earlier transfer.
    public var transfersResumed = 0
    /// The number of bytes that resumed transfers did not have to receive again.
    public var bytesResumed = 0
    /// The number of transfers that continued after all listeners had left.
    ///
    /// A transfer continues if receiving the rest is cheaper than opening a new connection, or if
    /// the `continueInBackground` option is set.
    public var transfersDetached = 0
    /// The number of times a server confirmed a cached body, with status 304 or by sending the same
    /// bytes again.
    public var notModified = 0
    /// The number of loads that returned a stale image.
    ///
    /// A stale image is returned if the server allows that, is unreachable, or must not be
    /// contacted.
    public var staleAnswers = 0
    /// The number of decodes that were skipped, or cancelled before they ended.
    ///
    /// A decode is skipped if the same bytes could not be decoded before.
    public var decodesSaved = 0
    /// The times spent on decoding and processing, including previews.
    public var decodeTimes = DurationHistogram()
    /// The number of hosts that are not contacted for a while, because they failed too many times
    /// in succession.
    public var unavailableHosts = 0
    /// The number of files in the disk cache that were deleted because they were damaged.
    public var damagedFiles = 0
    /// The number of loads that waited while another process requested the same URL.
    public var leaseWaits = 0
    /// The number of URLs and hosts that have failed and are not requested again for a while.
    public var rememberedFailures = 0
    /// The statistics of the memory cache.
    public var memoryCache = CacheStatistics()
    /// The current stage of the response to memory pressure, or nil if memory pressure is not
    /// monitored.
    public var memoryStage: MemoryStage?
    /// The statistics of the disk cache.
    public var diskCache = CacheStatistics()
    /// Whether files are being written, deleted or scanned.
    ///
    /// While this is true, the values of `diskCache` may change, even if all loads have ended.
    public var isDiskBusy = false
    /// The number of entries and metadata updates that could not be written to the disk cache, for
    /// example because the disk was full.
    public var diskWriteFailures = 0
    /// A description of the latest disk failure; nil if no failure occurred.
    public var diskFailureText: String?

    /// Creates empty statistics.
    public init() {}
}
