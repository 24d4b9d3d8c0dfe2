public import Decoders
internal import Synchronization
internal import SystemSupport

/// An in-memory cache for decoded images that evicts the least recently used image first.
///
/// `NSCache` is unsuitable on Linux because it drops new objects when it is full. All methods are
/// thread-safe and return within a few hundred nanoseconds, without I/O or waiting.
///
/// Lookups also find evicted images that a view still shows. Such an image uses no additional
/// memory and is not counted in the statistics.
public final class MemoryCache: Sendable {
    private let store: Protected<MemoryStore>
    private let clock: LoadingClock
    private let tracer: Tracer
    /// Whether a time to live has ever been set; until then, lookups do not read the clock.
    private let hasTimeToLive: Atomic<Bool>

    /// Creates an empty cache.
    ///
    /// A limit of 0 stores nothing, and `Int.max` means no limit. Negative limits count as 0.
    ///
    /// `timeToLive` limits how long an image is valid after its insertion; nil means no limit. It
    /// can be overridden for each image.
    public convenience init(
        byteLimit: Int = MemoryCache.defaultByteLimit(),
        countLimit: Int = .max,
        timeToLive: Duration? = nil,
        clock: LoadingClock = .system
    ) {
        self.init(
            byteLimit: byteLimit,
            countLimit: countLimit,
            timeToLive: timeToLive,
            clock: clock,
            tracer: .silent
        )
    }

    init(
        byteLimit: Int,
        countLimit: Int = .max,
        timeToLive: Duration? = nil,
        clock: LoadingClock,
        tracer: Tracer
    ) {
        let store = MemoryStore(
            byteLimit: byteLimit,
            countLimit: countLimit,
            timeToLive: timeToLive
        )
        self.store = Protected(store)
        self.clock = clock
        self.tracer = tracer
        hasTimeToLive = Atomic(timeToLive != nil)
    }

    /// Returns the default memory budget: a tenth of the memory available to the machine or to the
    /// process's control group, but at most 256 MiB.
    ///
    /// Reads a few files in `/proc` and `/sys`.
    public static func defaultByteLimit() -> Int { MemoryBudget.current().byteLimit }

    // MARK: Looking up

    /// Returns the image for a key, or nil.
    ///
    /// The call counts as a hit or a miss in the statistics, and as a use of the image.
    public func image(for key: ImageKey) -> DecodedImage? {
        let now = timeIfNeeded
        var removal = MemoryRemoval()
        let image = store.withLock { $0.image(for: key, at: now, &removal) }
        report(removal)
        return image
    }

    /// Returns the largest cached image of a URL, to be shown while the requested size loads.
    ///
    /// The call does not count as a hit or a miss and does not affect the eviction order.
    public func anyImage(for url: ImageURL) -> DecodedImage? {
        let now = timeIfNeeded
        return store.withLock { $0.largestImage(ofURL: url.cacheKey, at: now) }
    }

    /// Returns whether the cache has an image for the key, without counting a lookup.
    public func contains(_ key: ImageKey) -> Bool {
        let now = timeIfNeeded
        return store.withLock { $0.contains(key, at: now) }
    }

    // MARK: Storing and removing

    /// Adds an image, then evicts other images until the limits are met.
    ///
    /// If the image alone exceeds the budget, it is not stored, but an older image with the same
    /// key is removed. If `timeToLive` is not nil, it replaces the cache's time to live for this
    /// image.
    public func insert(
        _ image: DecodedImage,
        for key: ImageKey,
        timeToLive: Duration? = nil
    ) {
        insert(image, for: key, timeToLive: timeToLive, begun: nil)
    }

    /// The current generation, which changes when the cache is cleared.
    ///
    /// A load reads it at the start and passes it to `insert` at the end.
    var generation: CacheGeneration { store.withLock(\.generation) }

    /// Adds an image that a load produced.
    ///
    /// `begun` is the `generation` that was read when the load started. If the cache was cleared
    /// since then, the image is not stored. Pass nil to skip this check.
    func insert(
        _ image: DecodedImage,
        for key: ImageKey,
        timeToLive: Duration? = nil,
        begun: CacheGeneration?
    ) {
        if timeToLive != nil { hasTimeToLive.store(true, ordering: .relaxed) }
        let life = MemoryStore.Life(start: clock.uptime(), length: timeToLive)
        var removal = MemoryRemoval()
        let alarm = store.withLock { store -> Duration? in
            guard begun == nil || begun == store.generation else { return nil }
            store.insert(image, for: key, life, &removal)
            return store.takeAlarm(for: life)
        }
        report(removal)
        if let alarm { setAlarm(at: alarm) }
    }

    /// Removes the image for a key; other sizes of the same image remain.
    public func remove(_ key: ImageKey) {
        let removed = store.withLock { $0.remove(key) }
        withExtendedLifetime(removed) {}
    }

    /// Removes all sizes of an image.
    public func remove(_ url: ImageURL) {
        let removed = store.withLock { $0.remove(url: url.cacheKey) }
        withExtendedLifetime(removed) {}
    }

    /// Removes the least recently used images until at most `byteCount` bytes remain.
    ///
    /// Returns the number and size of the removed images. With 0, all images are removed, but
    /// lookups still find those that a view shows. Unlike `removeAll`, this method does not prevent
    /// running loads from storing their images. `reason` is one or two words for the trace.
    @discardableResult
    public func trim(toByteCount byteCount: Int, reason: String = "trimmed") -> CacheStatistics {
        var removal = MemoryRemoval()
        store.withLock { $0.trim(toByteCount: byteCount, &removal) }
        reportPurge(removal, reason: reason)
        return removal.statistics
    }

    /// Removes all images and returns their number and size.
    ///
    /// The counters of hits, misses and evictions do not change. The disk cache is not cleared.
    @discardableResult
    public func removeAll() -> CacheStatistics {
        let removed = store.withLock { $0.removeAll() }
        let freed = removed.freed
        tracer.record(.purged(.memory, byteCount: freed.byteCount, reason: "cleared"))
        return freed
    }

    // MARK: Limits and statistics

    /// The budget in bytes; 0 stores nothing, and `Int.max` means no limit.
    ///
    /// If the budget is lowered, excess images are removed before the setter returns.
    public var byteLimit: Int {
        get { store.withLock(\.byteLimit) }
        set { changeLimits { $0.setByteLimit(newValue, &$1) } }
    }

    /// The maximum number of images; 0 stores nothing, and `Int.max` means no limit.
    ///
    /// If the limit is lowered, excess images are removed before the setter returns.
    public var countLimit: Int {
        get { store.withLock(\.countLimit) }
        set { changeLimits { $0.setCountLimit(newValue, &$1) } }
    }

    /// How long an image is valid after its insertion; nil means no limit.
    ///
    /// Images that were inserted with their own time to live are not affected. A new value also
    /// applies to the images already in the cache. Using an image does not extend its time to live.
    /// Lookups do not find expired images, and their memory is freed within a second.
    public var timeToLive: Duration? {
        get { store.withLock(\.timeToLive) }
        set {
            if newValue != nil { hasTimeToLive.store(true, ordering: .relaxed) }
            store.withLock { $0.timeToLive = newValue }
            removeExpired()
        }
    }

    /// The size and the counters of the cache.
    public var statistics: CacheStatistics { store.withLock(\.statistics) }

    private func changeLimits(_ change: (inout MemoryStore, inout MemoryRemoval) -> Void) {
        var removal = MemoryRemoval()
        store.withLock { change(&$0, &removal) }
        report(removal)
    }

    // MARK: Expiry

    /// The current uptime, or nil if nothing can expire.
    ///
    /// Reading the clock takes as long as the rest of a lookup, so it is read only if necessary,
    /// and before the lock is taken.
    private var timeIfNeeded: Duration? {
        hasTimeToLive.load(ordering: .relaxed) ? clock.uptime() : nil
    }

    private func removeExpired() {
        let now = clock.uptime()
        var removal = MemoryRemoval()
        let alarm = store.withLock { $0.removeExpired(at: now, &removal) }
        reportPurge(removal, reason: "expired")
        if let alarm { setAlarm(at: alarm) }
    }

    private func setAlarm(at time: Duration) {
        clock.notify(at: time) { [weak self] in self?.removeExpired() }
    }

    // MARK: Reporting

    /// Records an eviction in the trace and frees the evicted images.
    private func report(_ removal: consuming MemoryRemoval) {
        guard removal.entryCount > 0 else { return }
        tracer.record(
            .evicted(.memory, count: removal.entryCount, byteCount: removal.byteCount)
        )
    }

    private func reportPurge(_ removal: borrowing MemoryRemoval, reason: String) {
        guard removal.entryCount > 0 else { return }
        tracer.record(.purged(.memory, byteCount: removal.byteCount, reason: reason))
    }
}

/// The number of times a cache has been cleared.
///
/// A load reads the generation when it starts and passes it on with its result. If the cache was
/// cleared in the meantime, the result is not stored. Otherwise, running loads would refill the
/// cleared cache.
struct CacheGeneration: Hashable, Sendable {
    var number = 0
}
