extension ImageManager {
    /// Everything that is counted, at this moment; no I/O.
    public var statistics: LoadingStatistics {
        let counters = counters.withLock { $0 }
        let transfers = downloader.statistics
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
        statistics.rememberedFailures = failures.withLock { $0.count }
        statistics.memoryCache = cache.memory.statistics
        statistics.memoryStage = memoryStage
        // Before the figures: what ends in between is asked about once more, not missed.
        statistics.isDiskBusy = cache.disk?.isBusy ?? false
        statistics.diskCache = cache.disk?.statistics ?? CacheStatistics()
        let diskFailures = cache.disk?.failures ?? DiskCacheFailures()
        statistics.diskWriteFailures = diskFailures.writeCount
        statistics.damagedFiles = diskFailures.damagedCount
        statistics.diskFailureText = diskFailures.lastText
        return statistics
    }

    /// Empties the memory cache; returns what was freed (row C19).
    @discardableResult
    public func clearMemory() -> CacheStatistics {
        cache.memory.removeAll()
    }

    /// Empties the disk cache and forgets failures; loads under way don't refill it (rows C20, F29,
    /// T20).
    ///
    /// Returns what was freed.
    @discardableResult
    public func clearDisk() async -> CacheStatistics {
        clearFailures()
        return await cache.disk?.clear() ?? CacheStatistics()
    }

    /// Deletes expired files, then the oldest while over budget (rows C21-C25); returns what was
    /// deleted.
    @discardableResult
    public func cleanDisk() async -> CacheStatistics {
        await cache.disk?.clean() ?? CacheStatistics()
    }

    /// What is not asked at the moment because it failed, in alphabetical order.
    public var rememberedFailures: [RememberedFailure] {
        let now = clock.uptime()
        return failures.withLock { $0.list(at: now) }
    }

    /// Makes every URL and every host worth asking again.
    public func clearFailures() {
        failures.withLock { $0.removeAll() }
        downloader.clearUnavailableHosts()
    }

    /// Waits until everything stored so far is on disk; call before the process ends.
    public func flush() async {
        await cache.disk?.flush()
    }
}
