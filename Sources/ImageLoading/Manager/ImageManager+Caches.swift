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
        statistics.coalesced = counters.coalesced
        statistics.decodesSaved = counters.decodesSaved
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

    // MARK: One image

    /// Whether memory has the image, at any size; no I/O.
    public func isInMemory(_ request: ImageRequest) -> Bool {
        guard let key = try? engine.resolver.key(for: request) else { return false }  // a bad URL
        return engine.cache.memory.anyImage(for: key.url) != nil
    }

    /// Whether the disk cache has the image's body, fresh or not.
    public func isOnDisk(_ request: ImageRequest) async -> Bool {
        guard let key = try? engine.resolver.key(for: request) else { return false }  // a bad URL
        return await engine.cache.disk?.contains(key.url) ?? false
    }

    /// Puts a body into the disk cache as if it had been downloaded, and forgets that its URL failed.
    ///
    /// It is used until it is cleaned away or refreshed. Throws for a bad URL.
    public func store(
        _ bytes: [UInt8],
        for request: ImageRequest
    ) throws(ImageLoadingError) {
        let key = try engine.resolver.key(for: request)
        engine.cache.memory.remove(key.url)
        engine.cache.disk?.store(bytes, for: key.url)
        engine.failures.withLock { $0.forget(key.url) }
    }

    /// Removes an image from both caches at all sizes; it is gone when this returns.
    ///
    /// Throws for a bad URL.
    public func removeCached(_ request: ImageRequest) async throws(ImageLoadingError) {
        let key = try engine.resolver.key(for: request)
        engine.cache.memory.remove(key.url)
        await engine.cache.disk?.remove(key.url)
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
        await engine.cache.disk?.flush()
    }
}
