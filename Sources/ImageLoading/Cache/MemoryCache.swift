public import Decoders

/// Decoded pictures, the ones that were not used for longest leave first.
///
/// `NSCache` will not do on Linux: once full it drops what is new (fact P1). All methods may be
/// called on any thread, and return after a few hundred nanoseconds at most: no I/O, no waiting.
public final class MemoryCache: Sendable {
    private let store: Protected<MemoryStore>

    /// Makes an empty cache.
    ///
    /// 0 means no limit (row C4).
    public init(byteLimit: Int = MemoryBudget.current().byteLimit, countLimit: Int = 0) {
        store = Protected(MemoryStore(byteLimit: byteLimit, countLimit: countLimit))
    }

    /// The picture at this size; counts as a hit or a miss.
    public func image(for key: ImageKey) -> DecodedImage? {
        store.withLock { $0.image(for: key) }
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
        // Held until the lock is left: freeing a large picture takes longer than all the rest.
        let removed = store.withLock { store in
            guard begun == nil || begun == store.generation else { return [] as [DecodedImage] }
            return store.insert(image, for: key)
        }
        withExtendedLifetime(removed) {}
    }

    /// Removes a URL's pictures at all sizes.
    public func remove(_ url: ImageURL) {
        let removed = store.withLock { $0.remove(url: url.cacheKey) }
        withExtendedLifetime(removed) {}
    }

    /// Removes all pictures and returns how many and how large they were; leaves the counters and
    /// the disk alone (row C19).
    @discardableResult
    public func removeAll() -> CacheStatistics {
        let removed = store.withLock { $0.removeAll() }
        return removed.freed
    }

    /// What is held and how often it was asked for.
    public var statistics: CacheStatistics { store.withLock(\.statistics) }
}
