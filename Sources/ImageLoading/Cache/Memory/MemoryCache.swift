public import Decoders
internal import Synchronization

/// Decoded images; the ones that were not used for longest leave first.
///
/// `NSCache` will not do on Linux: once full it drops what is new. All methods may be called on any
/// thread, and return after a few hundred nanoseconds at most: no I/O, no waiting.
///
/// An image that had to leave while a view still shows it is found again as long as that lasts; it
/// takes no memory that isn't taken anyway, and is not counted here.
public final class MemoryCache: Sendable {
    private let store: Protected<MemoryStore>
    private let clock: LoadingClock
    private let tracer: Tracer
    /// Set with the first time to live: until then a look-up need not ask what time it is.
    private let hasTimeToLive: Atomic<Bool>

    /// Makes an empty cache.
    ///
    /// A limit of 0 keeps nothing, `Int.max` is no limit; negative ones count as 0. `timeToLive` is
    /// how long an image may be used after it was inserted, unless it came with a time of its own;
    /// nil is no limit.
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

    /// A tenth of the memory that the machine, or the process's control group, has; 256 MiB at most.
    ///
    /// Does a little I/O in `/proc` and `/sys`.
    public static func defaultByteLimit() -> Int { MemoryBudget.current().byteLimit }

    // MARK: Looking up

    /// The image at this size; counts as a hit or a miss.
    public func image(for key: ImageKey) -> DecodedImage? {
        let now = timeIfNeeded
        var removal = MemoryRemoval()
        let image = store.withLock { $0.image(for: key, at: now, &removal) }
        report(removal)
        return image
    }

    /// The largest image of a URL at whatever size, to be shown while the right one loads.
    ///
    /// Counts neither as a hit or miss nor as a use.
    public func anyImage(for url: ImageURL) -> DecodedImage? {
        let now = timeIfNeeded
        return store.withLock { $0.largestImage(ofURL: url.cacheKey, at: now) }
    }

    /// Whether `image(for:)` would find the image at this very size; counts as nothing.
    public func contains(_ key: ImageKey) -> Bool {
        let now = timeIfNeeded
        return store.withLock { $0.contains(key, at: now) }
    }

    // MARK: Storing and removing

    /// Adds an image, then removes others until the budget holds.
    ///
    /// An image that is larger than the budget by itself is not kept, and neither is what it would
    /// have replaced. `timeToLive` takes the place of the cache's for this image.
    public func insert(
        _ image: DecodedImage,
        for key: ImageKey,
        timeToLive: Duration? = nil
    ) {
        insert(image, for: key, timeToLive: timeToLive, begun: nil)
    }

    /// What to hand to `insert` at the end of a load that begins now.
    var generation: CacheGeneration { store.withLock(\.generation) }

    /// As above; `begun` is the `generation` that was read when the load started.
    ///
    /// The image is not kept if the cache was cleared since. nil stands for a load that took no
    /// time.
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

    /// Removes the image at this size, and no other of its URL.
    public func remove(_ key: ImageKey) {
        let removed = store.withLock { $0.remove(key) }
        withExtendedLifetime(removed) {}
    }

    /// Removes a URL's images at all sizes.
    public func remove(_ url: ImageURL) {
        let removed = store.withLock { $0.remove(url: url.cacheKey) }
        withExtendedLifetime(removed) {}
    }

    /// Removes what was not used for longest until `byteCount` bytes are left; returns what left.
    ///
    /// With 0 everything leaves but what a view still shows. Unlike `removeAll`, loads under way
    /// are kept when they end. The reason, in a word or two, goes into the trace.
    @discardableResult
    public func trim(toByteCount byteCount: Int, reason: String = "trimmed") -> CacheStatistics {
        var removal = MemoryRemoval()
        store.withLock { $0.trim(toByteCount: byteCount, &removal) }
        reportPurge(removal, reason: reason)
        return removal.statistics
    }

    /// Removes all images and returns how many and how large they were; leaves the counters and
    /// the disk alone.
    @discardableResult
    public func removeAll() -> CacheStatistics {
        let removed = store.withLock { $0.removeAll() }
        let freed = removed.freed
        tracer.record(.purged(.memory, byteCount: freed.byteCount, reason: "cleared"))
        return freed
    }

    // MARK: Limits and figures

    /// The budget in bytes: 0 keeps nothing, `Int.max` is no limit.
    ///
    /// A lower one is kept at once: what no longer fits is gone when the setter returns.
    public var byteLimit: Int {
        get { store.withLock(\.byteLimit) }
        set { changeLimits { $0.setByteLimit(newValue, &$1) } }
    }

    /// How many images may be kept: 0 keeps nothing, `Int.max` is no limit.
    ///
    /// Takes effect as `byteLimit` does.
    public var countLimit: Int {
        get { store.withLock(\.countLimit) }
        set { changeLimits { $0.setCountLimit(newValue, &$1) } }
    }

    /// How long an image may be used after it was inserted, unless it came with a time of its own;
    /// nil is no limit.
    ///
    /// Setting it holds for the images that are there, too. A use does not lengthen it. What has
    /// expired is not found any more, and its memory is freed within a second.
    public var timeToLive: Duration? {
        get { store.withLock(\.timeToLive) }
        set {
            if newValue != nil { hasTimeToLive.store(true, ordering: .relaxed) }
            store.withLock { $0.timeToLive = newValue }
            removeExpired()
        }
    }

    /// What is held and how often it was asked for.
    public var statistics: CacheStatistics { store.withLock(\.statistics) }

    private func changeLimits(_ change: (inout MemoryStore, inout MemoryRemoval) -> Void) {
        var removal = MemoryRemoval()
        store.withLock { change(&$0, &removal) }
        report(removal)
    }

    // MARK: Expiry

    /// Read before the lock is taken, and only if something may expire: it costs as much as the
    /// rest of a look-up.
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

    // MARK: Telling

    /// Ends the life of what left, too.
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

/// Stands for the time between two clearings of a cache.
///
/// A load asks for it before it starts and hands it over with its result, which is dropped if the
/// cache was cleared meanwhile: else a cleared cache would fill again with what the clearing was
/// meant to get rid of.
struct CacheGeneration: Hashable, Sendable {
    var number = 0
}
