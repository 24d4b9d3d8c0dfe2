extension ImageManager {
    /// Everything that is counted, at this moment; no I/O.
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
        // Before the figures: what ends in between is asked about once more, not missed.
        statistics.isDiskBusy = engine.cache.disk?.isBusy ?? false
        statistics.diskCache = engine.cache.disk?.statistics ?? CacheStatistics()
        let diskFailures = engine.cache.disk?.failures ?? DiskCacheFailures()
        statistics.diskWriteFailures = diskFailures.writeCount
        statistics.damagedFiles = diskFailures.damagedCount
        statistics.diskFailureText = diskFailures.lastText
        return statistics
    }

    // MARK: All of them

    /// Empties the memory cache; returns what was freed.
    @discardableResult
    public func clearMemory() -> CacheStatistics {
        engine.cache.memory.removeAll()
    }

    /// Empties the disk cache and forgets failures; loads under way don't refill it.
    ///
    /// Returns what was freed.
    @discardableResult
    public func clearDisk() async -> CacheStatistics {
        clearFailures()
        return await engine.cache.disk?.clear() ?? CacheStatistics()
    }

    /// Deletes expired files, then the oldest while over budget; returns what was
    /// deleted.
    @discardableResult
    public func cleanDisk() async -> CacheStatistics {
        await engine.cache.disk?.clean() ?? CacheStatistics()
    }

    // MARK: Limits

    /// The budget of the memory cache in bytes: 0 keeps nothing, `Int.max` is no limit.
    ///
    /// This and the other limits may be changed at any time; a lower one is kept at once.
    public var memoryByteLimit: Int {
        get { engine.cache.memory.byteLimit }
        set { engine.cache.memory.byteLimit = newValue }
    }

    /// How many images memory keeps: 0 keeps nothing, `Int.max` is no limit.
    public var memoryCountLimit: Int {
        get { engine.cache.memory.countLimit }
        set { engine.cache.memory.countLimit = newValue }
    }

    /// How long an image may be used from memory, unless it was stored with a time of its own; nil is
    /// no limit.
    public var memoryTimeToLive: Duration? {
        get { engine.cache.memory.timeToLive }
        set { engine.cache.memory.timeToLive = newValue }
    }

    /// The budget of the disk cache in bytes: 0 keeps nothing, `Int.max` is no limit; nil without a
    /// disk cache, where setting it has no effect.
    public var diskByteLimit: Int? {
        get { engine.cache.disk?.byteLimit }
        set { if let newValue { engine.cache.disk?.byteLimit = newValue } }
    }

    /// How long a body that is not used stays on disk; nil is no limit, or no disk cache.
    public var diskMaximumAge: Duration? {
        get { engine.cache.disk?.maximumAge }
        set { engine.cache.disk?.maximumAge = newValue }
    }

    // MARK: Failures

    /// What is not asked at the moment because it failed, in alphabetical order.
    public var rememberedFailures: [RememberedFailure] {
        let now = engine.clock.uptime()
        return engine.failures.withLock { $0.list(at: now) }
    }

    /// What a load of `request` would fail with now without being tried, because it failed before;
    /// nil if it would be tried.
    ///
    /// Its description says for how long.
    public func rememberedFailure(of request: ImageRequest) -> ImageLoadingError? {
        guard let key = try? engine.resolver.key(for: request) else { return nil }  // a bad URL
        let now = engine.clock.uptime()
        return engine.failures.withLock { $0.error(for: key.url, at: now) }
    }

    /// Makes every URL and every host worth asking again.
    public func clearFailures() {
        engine.failures.withLock { $0.removeAll() }
        engine.downloader.clearUnavailableHosts()
    }

    /// Waits until everything stored so far is on disk; call before the process ends.
    public func flush() async {
        await engine.desktopThumbnails?.settle()
        guard let disk = engine.cache.disk else { return }
        await engine.downloader.settle()
        await engine.bodyStore.pending.settle()
        await engine.thumbnails?.settle()
        await disk.flush()
    }
}
