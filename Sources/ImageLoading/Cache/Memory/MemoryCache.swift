public import Decoders

/// Decoded pictures, the ones that were not used for longest leave first.
///
/// `NSCache` will not do on Linux: once full it drops what is new (fact P1). All methods may be
/// called on any thread, and return after a few hundred nanoseconds at most: no I/O, no waiting.
///
/// A picture that had to leave while someone still shows it is found again as long as that lasts
/// (row F25); it takes no memory that isn't taken anyway, and is not counted here.
public final class MemoryCache: Sendable {
    private let store: Protected<MemoryStore>
    private let tracer: Tracer

    /// Makes an empty cache.
    ///
    /// 0 means no limit (row C4).
    public convenience init(
        byteLimit: Int = MemoryBudget.current().byteLimit,
        countLimit: Int = 0
    ) {
        self.init(byteLimit: byteLimit, countLimit: countLimit, tracer: .silent)
    }

    init(byteLimit: Int, countLimit: Int = 0, tracer: Tracer) {
        store = Protected(MemoryStore(byteLimit: byteLimit, countLimit: countLimit))
        self.tracer = tracer
    }

    /// The picture at this size; counts as a hit or a miss.
    public func image(for key: ImageKey) -> DecodedImage? {
        var removal = MemoryRemoval()
        let image = store.withLock { $0.image(for: key, &removal) }
        report(removal)
        return image
    }

    /// The largest picture of a URL at whatever size, to be shown while the right one loads.
    ///
    /// Counts neither as a hit or miss nor as a use.
    public func anyImage(for url: ImageURL) -> DecodedImage? {
        store.withLock { $0.largestImage(ofURL: url.cacheKey) }
    }

    /// What to hand to `insert` at the end of a load that begins now.
    public var generation: CacheGeneration { store.withLock(\.generation) }

    /// Adds a picture, then removes others until the budget holds.
    ///
    /// A picture that is larger than the budget by itself is not kept, and neither is what it would
    /// have replaced.
    ///
    /// `begun` is the `generation` that was read when the load started: the picture is not kept if
    /// the cache was cleared since (row F29). nil stands for a load that took no time.
    public func insert(
        _ image: DecodedImage,
        for key: ImageKey,
        begun: CacheGeneration? = nil
    ) {
        var removal = MemoryRemoval()
        store.withLock { store in
            guard begun == nil || begun == store.generation else { return }
            store.insert(image, for: key, &removal)
        }
        report(removal)
    }

    /// Removes a URL's pictures at all sizes.
    public func remove(_ url: ImageURL) {
        let removed = store.withLock { $0.remove(url: url.cacheKey) }
        withExtendedLifetime(removed) {}
    }

    /// Removes what was not used for longest until `byteCount` bytes are left; returns what left.
    ///
    /// With 0 everything leaves but what someone still shows. Unlike `removeAll`, loads under way
    /// are kept when they end. The reason, in a word or two, goes into the trace.
    @discardableResult
    public func trim(toByteCount byteCount: Int, reason: String = "trimmed") -> CacheStatistics {
        var removal = MemoryRemoval()
        store.withLock { $0.trim(toByteCount: byteCount, &removal) }
        if removal.entryCount > 0 {
            tracer.record(.purged(.memory, byteCount: removal.byteCount, reason: reason))
        }
        return removal.statistics
    }

    /// Removes all pictures and returns how many and how large they were; leaves the counters and
    /// the disk alone (row C19).
    @discardableResult
    public func removeAll() -> CacheStatistics {
        let removed = store.withLock { $0.removeAll() }
        let freed = removed.freed
        tracer.record(.purged(.memory, byteCount: freed.byteCount, reason: "cleared"))
        return freed
    }

    /// What is held and how often it was asked for.
    public var statistics: CacheStatistics { store.withLock(\.statistics) }

    /// Ends the life of what left, too.
    private func report(_ removal: consuming MemoryRemoval) {
        guard removal.entryCount > 0 else { return }
        tracer.record(
            .evicted(.memory, count: removal.entryCount, byteCount: removal.byteCount)
        )
    }
}

/// Stands for the time between two clearings of a cache.
///
/// A load asks for it before it starts and hands it over with its result, which is dropped if the
/// cache was cleared meanwhile: else a cleared cache would fill again with what the clearing was
/// meant to get rid of (row F29).
public struct CacheGeneration: Hashable, Sendable {
    var number = 0
}
