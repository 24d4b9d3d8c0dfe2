/// Bodies of images in a flat directory, a file for each URL, without an index (see
/// `CacheDirectory` for the layout).
///
/// Reads go through two threads of its own, writes and deletes through a third, one after the
/// other; so no look-up ever waits for a store or a sweep. What is in the directory is learned by
/// one scan in the background, which begins with the first use: a program that shows local images
/// alone never pays for it. Look-ups work from the start. Nothing that happens on the disk fails a
/// load: a file that can't be read is a miss, a body that can't be written is dropped and counted
/// in `failures`. All methods may be called on any thread.
public final class DiskCache: Sendable {
    /// The largest body that is stored or read, in bytes.
    public static let maximumBodyByteCount = 65 << 20

    /// What it was opened with; `state` has the limits, which may change.
    let settings: DiskCacheConfiguration
    let directory: CacheDirectory
    let clock: LoadingClock
    let tracer: Tracer
    let state: Protected<DiskCacheState>
    let readers = WorkerPool(name: "disk-read", threadCount: 2)
    /// Only for the writer thread.
    let sweepLock: LockFile
    let writer = WorkerPool(name: "disk-write", threadCount: 1, order: .oldestFirst)

    /// Opens the cache; does no I/O.
    public convenience init(configuration: DiskCacheConfiguration, clock: LoadingClock) {
        self.init(configuration: configuration, clock: clock, tracer: .silent)
    }

    /// `calls` is the door for tests: file calls that fail.
    init(
        configuration: DiskCacheConfiguration,
        clock: LoadingClock,
        tracer: Tracer,
        calls: FileCalls = FileCalls()
    ) {
        settings = configuration
        self.clock = clock
        self.tracer = tracer
        directory = CacheDirectory(path: configuration.directory, calls: calls)
        sweepLock = LockFile(directory: directory)
        state = Protected(
            DiskCacheState(
                byteLimit: configuration.byteLimit,
                maximumAge: configuration.maximumAge
            )
        )
    }

    // MARK: Looking up

    /// The body stored for a URL and what was noted with it; nil if there is none, or if the task
    /// was cancelled before the read began (which counts as nothing).
    ///
    /// Checked on the way: a damaged body is a miss, and deleted.
    func entry(for url: ImageURL, priority: LoadPriority = .high) async -> DiskEntry? {
        let key = key(of: url)
        let staged = state.withLock { state -> DiskEntry? in
            let entry = state.staged(key.body, owner: key.owner)
            if entry != nil { state.noteHit() }
            return entry
        }
        if let staged { return staged }
        // Cancelled: the caller is gone, and with it the reason to say why.
        return try? await readers.run(priority: priority) { _ in self.readBody(key) }.get()
    }

    /// What there is of a URL.
    struct Holding: Sendable {
        var body: DiskEntry?
        /// Looked for only if there is no body.
        var partial: DiskEntry?
    }

    /// The body stored for a URL, or else part of it, by one visit to the readers; nil if the task was
    /// cancelled before that began.
    ///
    /// Counts as `entry` does.
    func holding(of url: ImageURL, priority: LoadPriority) async -> Holding? {
        let key = key(of: url)
        let staged = state.withLock { state in
            let holding = Holding(
                body: state.staged(key.body, owner: key.owner),
                partial: state.staged(key.partial, owner: key.owner)
            )
            if holding.body != nil { state.noteHit() }
            return holding
        }
        guard staged.body == nil else { return staged }
        return try? await readers.run(priority: priority) { _ in
            if let body = try? self.readBody(key).get() { return Holding(body: body) }
            return Holding(partial: staged.partial ?? self.read(key, .partial))
        }
    }

    /// The body stored for a URL; as `entry`, without what was noted.
    public func data(for url: ImageURL, priority: LoadPriority = .high) async -> [UInt8]? {
        await entry(for: url, priority: priority)?.bytes
    }

    /// Whether a look-up would find something; counts as nothing, and checks nothing.
    public func contains(_ url: ImageURL) async -> Bool {
        let key = key(of: url)
        if state.withLock({ $0.staged(key.body, owner: key.owner) != nil }) { return true }
        return await readers.runToEnd(priority: .normal) { self.path(of: key) != nil }
    }

    /// The path of the file that has a URL's body, byte for byte; nil if there is none.
    ///
    /// A body that was stored is written before this returns. The file belongs to the cache: read
    /// it, or link or copy it; it may be deleted or replaced at any time, and a reader that has it
    /// open is not disturbed by that. It may lie in a read-only directory of the configuration.
    /// Counts as nothing, and checks nothing.
    public func path(for url: ImageURL) async -> String? {
        let key = key(of: url)
        let isStaged = state.withLock { $0.staged(key.body, owner: key.owner) != nil }
        if isStaged { await flush() }
        return await readers.runToEnd(priority: .normal) { self.path(of: key) }
    }

    /// Where a URL's entries lie; every use of the cache begins with it.
    func key(of url: ImageURL) -> DiskKey {
        scanOnce()
        return DiskKey(url, naming: settings.naming)
    }

    // MARK: Storing

    /// What to hand to `store` at the end of a load that begins now.
    var generation: CacheGeneration { state.withLock(\.generation) }

    /// Stores a body as it is, in place of an older one.
    ///
    /// Returns at once; look-ups find it from then on. A partial of the same URL is dropped.
    ///
    /// Empty bodies and those larger than `maximumBodyByteCount` or the whole budget are not stored.
    public func store(_ bytes: [UInt8], for url: ImageURL) {
        store(bytes, metadata: [], for: url)
    }

    /// As above, with what is to be known of the body.
    ///
    /// `begun` is the `generation` that was read when the load started: the body is dropped if the
    /// cache was cleared since. nil stands for a load that took no time. With more metadata than
    /// `DiskEntry.maximumMetadataByteCount` nothing is stored.
    func store(
        _ bytes: [UInt8],
        metadata: [UInt8] = [],
        for url: ImageURL,
        begun: CacheGeneration? = nil
    ) {
        stage(DiskEntry(bytes: bytes, metadata: metadata), as: .body, for: url, begun: begun)
    }

    /// Replaces what is noted of a stored body, which stays as it is: the server said that it is
    /// still good.
    ///
    /// Returns at once, and look-ups find it a moment later, after `flush` at the latest. Nothing
    /// happens if there is no such body, or if there is too much metadata.
    func updateMetadata(_ metadata: [UInt8], for url: ImageURL) {
        guard metadata.count <= DiskEntry.maximumMetadataByteCount else { return }
        let key = key(of: url)
        state.withLock {
            $0.replaceStagedMetadata(of: key.body, owner: key.owner, with: metadata)
        }
        // In any case: the writer may have taken the staged entry already.
        writer.submit(priority: .normal) { self.amend(key, metadata: metadata) }
    }

    /// Removes a URL's body, what was made of it and part of it; all of it is gone from the disk
    /// when this returns.
    public func remove(_ url: ImageURL) async {
        let file = key(of: url).file
        state.withLock { $0.unstageAll(of: file) }
        await writer.runToEnd(priority: .normal) { self.deleteAll(of: file) }
    }

    /// As `remove`, without waiting for the disk; look-ups may find it until then.
    func removeSoon(_ url: ImageURL) {
        let file = key(of: url).file
        state.withLock { $0.unstageAll(of: file) }
        writer.submit(priority: .normal) { self.deleteAll(of: file) }
    }

    /// Returns when all stores so far are on the disk, or have failed.
    public func flush() async {
        guard state.withLock(\.isInUse) else { return }
        await writer.runToEnd(priority: .normal) {}
    }

    /// Returns when the directory has been looked through, and the statistics are complete.
    public func waitForScan() async {
        scanOnce()
        // The scan puts itself back into the queue after each slice, at this priority.
        while !state.withLock(\.isScanned) {
            await writer.runToEnd(priority: .low) {}
        }
    }

    // MARK: Limits

    /// Where it lies and how much it may hold at this moment.
    public var configuration: DiskCacheConfiguration {
        var configuration = settings
        state.withLock { state in
            configuration.byteLimit = state.byteLimit
            configuration.maximumAge = state.maximumAge
        }
        return configuration
    }

    /// The budget in bytes of allocated blocks: 0 keeps nothing, `Int.max` is no limit.
    ///
    /// What no longer fits in a lower one is deleted at once in the background, the longest unused
    /// first; `isBusy` says how long that takes.
    public var byteLimit: Int {
        get { state.withLock(\.byteLimit) }
        set {
            scanOnce()
            state.withLock { $0.setByteLimit(newValue) }
            writer.submit(priority: .normal) { self.evictIfNeeded() }
        }
    }

    /// How long a file may go unused, in whole seconds; nil and anything negative mean for ever.
    ///
    /// What has expired is deleted by `clean`. Setting this deletes it at once in the background.
    public var maximumAge: Duration? {
        get { state.withLock(\.maximumAge) }
        set {
            scanOnce()
            state.withLock { $0.maximumAge = newValue }
            writer.submit(priority: .low) { self.deleteExpiredSoon() }
        }
    }

    // MARK: Figures

    /// What is held and how often it was asked for.
    ///
    /// From memory, without I/O; what lies in the directory is only counted once the scan has seen
    /// it, which it begins to with the first use or the first look at this.
    public var statistics: CacheStatistics {
        scanOnce()
        return state.withLock(\.statistics)
    }

    /// Whether stores, deletes or a look through the directory are under way.
    public var isBusy: Bool { !writer.isIdle }

    /// What went wrong so far.
    public var failures: DiskCacheFailures { state.withLock(\.failures) }
}

/// What went wrong on the disk.
///
/// None of it fails a load: the cache just doesn't have the image.
public struct DiskCacheFailures: Hashable, Sendable {
    /// Bodies that were not stored: a full disk, a directory that can't be written.
    public var writeCount = 0
    /// Look-ups that ended in an error other than "no such file", and damaged files.
    public var readCount = 0
    /// Files that were found damaged and deleted: torn by a crash, or changed from outside.
    public var damagedCount = 0
    /// Files that could not be deleted; they still count.
    public var deleteCount = 0
    /// Why the directory could not be read when it was looked through last; nil if it could, or is
    /// not there.
    public var directoryText: String?
    /// The latest failure in words, for people; nil if there was none.
    public var lastText: String?

    /// Makes a record without failures.
    public init() {}
}
