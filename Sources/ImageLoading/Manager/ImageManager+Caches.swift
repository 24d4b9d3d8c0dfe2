import SystemSupport

extension ImageManager {
    /// A snapshot of all counters, taken without I/O.
    public var statistics: LoadingStatistics {
        let counters = engine.counters.withLock { $0 }
        let transfers = engine.downloader.statistics
        var statistics = LoadingStatistics()
        statistics.started = counters.started
        statistics.succeeded = counters.succeeded
        statistics.failed = counters.failed
        statistics.failedInBackground = counters.failedInBackground
        statistics.cancelled = counters.cancelled
        statistics.replaced = counters.replaced
        statistics.coalesced = counters.coalesced
        statistics.decodesSaved = counters.decodesSaved
        statistics.decodeTimes = counters.decodeTimes
        statistics.notModified = counters.notModified
        statistics.staleAnswers = counters.staleAnswers
        statistics.leaseWaits = counters.leaseWaits
        statistics.liveTransfers = transfers.live
        statistics.queuedTransfers = transfers.queued
        statistics.transfersStarted = transfers.transfersStarted
        statistics.transfersCancelled = transfers.transfersCancelled
        statistics.bytesReceived = transfers.bytesReceived
        statistics.bytesSaved = transfers.bytesSaved
        statistics.transfersStoppedEarly = transfers.transfersStoppedEarly
        statistics.bytesNotNeeded = transfers.bytesNotNeeded
        statistics.retries = transfers.retries
        statistics.transfersResumed = transfers.transfersResumed
        statistics.bytesResumed = transfers.bytesResumed
        statistics.transfersDetached = transfers.transfersDetached
        statistics.unavailableHosts = transfers.unavailableHosts
        statistics.rememberedFailures = engine.failures.withLock { $0.count }
        statistics.memoryCache = engine.cache.memory.statistics
        statistics.memoryStage = memoryStage
        // `isBusy` is read before the counters, so a write that ends between the two reads causes
        // one more query instead of being missed.
        statistics.isDiskBusy = engine.cache.disk?.isBusy ?? false
        statistics.diskCache = engine.cache.disk?.statistics ?? CacheStatistics()
        let diskFailures = engine.cache.disk?.failures ?? DiskCacheFailures()
        statistics.diskWriteFailures = diskFailures.writeCount
        statistics.damagedFiles = diskFailures.damagedCount
        statistics.diskFailureText = diskFailures.lastText
        return statistics
    }

    // MARK: Whole caches

    /// Empties the memory cache and returns the number and size of the removed images.
    @discardableResult
    public func clearMemory() -> CacheStatistics {
        engine.cache.memory.removeAll()
    }

    /// Empties the disk cache and clears all remembered failures.
    ///
    /// Running loads do not store their bodies in the emptied cache. Returns the number and size of
    /// the removed files.
    @discardableResult
    public func clearDisk() async -> CacheStatistics {
        clearFailures()
        return await engine.cache.disk?.clear() ?? CacheStatistics()
    }

    /// Deletes expired files from the disk cache.
    ///
    /// If the cache still exceeds its size limit, the least recently used files are deleted too,
    /// until less than half of the limit is used. Returns the number and size of the deleted files.
    @discardableResult
    public func cleanDisk() async -> CacheStatistics {
        await engine.cache.disk?.clean() ?? CacheStatistics()
    }

    // MARK: Limits

    /// The size limit of the memory cache in bytes.
    ///
    /// If the limit is 0, nothing is stored; `Int.max` means no limit. All limits can be changed at
    /// any time. A lower limit is enforced immediately.
    public var memoryByteLimit: Int {
        get { engine.cache.memory.byteLimit }
        set { engine.cache.memory.byteLimit = newValue }
    }

    /// The maximum number of images in memory.
    ///
    /// If the limit is 0, nothing is stored; `Int.max` means no limit.
    public var memoryCountLimit: Int {
        get { engine.cache.memory.countLimit }
        set { engine.cache.memory.countLimit = newValue }
    }

    /// How long an image in memory may be used; nil means no limit.
    ///
    /// An image that was stored with its own time to live ignores this property.
    public var memoryTimeToLive: Duration? {
        get { engine.cache.memory.timeToLive }
        set { engine.cache.memory.timeToLive = newValue }
    }

    /// The size limit of the disk cache in bytes.
    ///
    /// If the limit is 0, nothing is stored; `Int.max` means no limit. Without a disk cache, the
    /// limit is nil, and setting it has no effect.
    public var diskByteLimit: Int? {
        get { engine.cache.disk?.byteLimit }
        set { if let newValue { engine.cache.disk?.byteLimit = newValue } }
    }

    /// How long an unused body stays on disk.
    ///
    /// Nil means no limit, or no disk cache.
    public var diskMaximumAge: Duration? {
        get { engine.cache.disk?.maximumAge }
        set { engine.cache.disk?.maximumAge = newValue }
    }

    // MARK: Failures

    /// The failures that currently prevent requests, sorted by URL or host.
    public var rememberedFailures: [RememberedFailure] {
        let now = engine.clock.uptime()
        return engine.failures.withLock { $0.list(at: now) }
    }

    /// Returns the remembered error that a load of `request` would report without being attempted.
    ///
    /// Returns nil if the load would be attempted. The description of the error includes the time
    /// until the next attempt is allowed.
    public func rememberedFailure(of request: ImageRequest) -> ImageLoadingError? {
        guard let key = try? engine.resolver.key(for: request) else { return nil }  // a bad URL
        let now = engine.clock.uptime()
        return engine.failures.withLock { $0.error(for: key.url, at: now) }
    }

    /// Clears all remembered failures, so every URL and every host may be requested again.
    public func clearFailures() {
        engine.failures.withLock { $0.removeAll() }
        engine.downloader.clearUnavailableHosts()
    }

    /// Waits until all pending bodies, images and thumbnails have been written to disk.
    ///
    /// Call this method before the process ends.
    public func flush() async {
        await engine.desktopThumbnails?.settle()
        guard let disk = engine.cache.disk else { return }
        await engine.downloader.settle()
        await engine.bodyStore.pending.settle()
        await engine.thumbnails?.settle()
        await disk.flush()
    }
}
