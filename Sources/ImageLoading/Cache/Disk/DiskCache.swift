import SystemSupport

/// A cache of image bodies in a flat directory, with one file per URL and without an index (see
/// `CacheDirectory` for the layout).
///
/// Two threads read files, and a third thread writes and deletes files one after the other, so no
/// lookup ever waits for a store or a sweep. A background scan finds the files in the directory.
/// The scan starts on first use, so a program that shows only local images never performs it.
/// Lookups work before the scan is complete. Disk errors never fail a load: a file that cannot be
/// read is a miss, and a body that cannot be written is dropped and counted in `failures`. All
/// methods may be called on any thread.
public final class DiskCache: Sendable {
    /// The size of the largest body that is stored or read, in bytes.
    public static let maximumBodyByteCount = 65 << 20

    /// The configuration that was passed to the initializer.
    ///
    /// `state` holds the current limits, which may have been changed.
    let settings: DiskCacheConfiguration
    let directory: CacheDirectory
    let clock: LoadingClock
    let tracer: Tracer
    let state: Protected<DiskCacheState>
    let readers = WorkerPool(name: "disk-read", threadCount: 2)
    /// The lock that lets one process at a time delete files to enforce the budget; must be used on
    /// the writer thread only.
    let sweepLock: LockFile
    let writer = WorkerPool(name: "disk-write", threadCount: 1, order: .oldestFirst)

    /// Creates a cache; performs no I/O.
    public convenience init(configuration: DiskCacheConfiguration, clock: LoadingClock) {
        self.init(configuration: configuration, clock: clock, tracer: .silent)
    }

    /// Creates a cache; tests pass `calls` that simulate disk errors.
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

    /// Returns the body stored for a URL with its metadata, or nil if there is no body or the task
    /// was cancelled before the read began.
    ///
    /// The body is verified: a damaged body is a miss and is deleted. A cancelled lookup is not
    /// counted.
    func entry(for url: ImageURL, priority: LoadPriority = .high) async -> DiskEntry? {
        let key = key(of: url)
        let staged = state.withLock { state -> DiskEntry? in
            let entry = state.staged(key.body, owner: key.owner)
            if entry != nil { state.noteHit() }
            return entry
        }
        if let staged { return staged }
        // If the task was cancelled, no caller is left that needs the reason.
        return try? await readers.run(priority: priority) { _ in self.readBody(key) }.get()
    }

    /// The body or partial body of a URL.
    struct Holding: Sendable {
        var body: DiskEntry?
        /// The partial body, which is looked up only if there is no body.
        var partial: DiskEntry?
    }

    /// Returns the body stored for a URL or, if there is none, the partial body.
    ///
    /// The reader threads look up both in one job. Returns nil if the task was cancelled before the
    /// job began. The lookup is counted as in `entry`.
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

    /// Returns the body stored for a URL, or nil if there is no body or the task was cancelled
    /// before the read began.
    ///
    /// The call counts as a hit or a miss unless the task was cancelled. The body is verified: a
    /// damaged body is a miss and is deleted.
    public func data(for url: ImageURL, priority: LoadPriority = .high) async -> [UInt8]? {
        await entry(for: url, priority: priority)?.bytes
    }

    /// Returns whether a body is stored for a URL, without counting a lookup or verifying the body.
    public func contains(_ url: ImageURL) async -> Bool {
        let key = key(of: url)
        if state.withLock({ $0.staged(key.body, owner: key.owner) != nil }) { return true }
        return await readers.runToEnd(priority: .normal) { self.path(of: key) != nil }
    }

    /// Returns the path of the file that contains a URL's body, byte for byte, or nil if there is
    /// no such file.
    ///
    /// If the body still waits to be written, it is written before the method returns. The file
    /// belongs to the cache: callers may only read, link or copy it. The cache may delete or
    /// replace the file at any time, which does not affect a reader that has it open. The file may
    /// be in a read-only directory of the configuration. The call is not counted as a lookup and
    /// does not verify the body.
    public func path(for url: ImageURL) async -> String? {
        let key = key(of: url)
        let isStaged = state.withLock { $0.staged(key.body, owner: key.owner) != nil }
        if isStaged { await flush() }
        return await readers.runToEnd(priority: .normal) { self.path(of: key) }
    }

    /// Returns the key of a URL's entries, and starts the scan on the first call.
    ///
    /// Every lookup, store and removal for a URL begins with this call.
    func key(of url: ImageURL) -> DiskKey {
        scanOnce()
        return DiskKey(url, naming: settings.naming)
    }

    // MARK: Storing

    /// The current generation, which a load that begins now must pass to `store` at its end.
    var generation: CacheGeneration { state.withLock(\.generation) }

    /// Stores a body unchanged, replacing an older body.
    ///
    /// Returns immediately; lookups find the body from then on. A partial body of the same URL is
    /// dropped.
    ///
    /// Empty bodies are not stored, nor are bodies larger than `maximumBodyByteCount` or the whole
    /// budget.
    public func store(_ bytes: [UInt8], for url: ImageURL) {
        store(bytes, metadata: [], for: url)
    }

    /// Stores a body with its metadata, replacing an older body.
    ///
    /// `begun` is the `generation` that was read when the load started. The body is dropped if the
    /// cache was cleared after that. Pass nil to skip this check. Nothing is stored if the metadata
    /// is longer than `DiskEntry.maximumMetadataByteCount`.
    func store(
        _ bytes: [UInt8],
        metadata: [UInt8] = [],
        for url: ImageURL,
        begun: CacheGeneration? = nil
    ) {
        stage(DiskEntry(bytes: bytes, metadata: metadata), as: .body, for: url, begun: begun)
    }

    /// Replaces the metadata of a stored body after the server confirmed that the body is still
    /// valid.
    ///
    /// The body remains unchanged. Returns immediately; lookups find the new metadata a moment
    /// later, and at the latest after `flush`. Does nothing if there is no such body or the
    /// metadata is too long.
    func updateMetadata(_ metadata: [UInt8], for url: ImageURL) {
        guard metadata.count <= DiskEntry.maximumMetadataByteCount else { return }
        let key = key(of: url)
        state.withLock {
            $0.replaceStagedMetadata(of: key.body, owner: key.owner, with: metadata)
        }
        // The amendment is always needed, because the writer may already have taken the staged
        // entry.
        writer.submit(priority: .normal) { self.amend(key, metadata: metadata) }
    }

    /// Removes a URL's body, its partial body and the images made from it.
    ///
    /// When the method returns, all of them have been deleted from the disk.
    public func remove(_ url: ImageURL) async {
        let file = key(of: url).file
        state.withLock { $0.unstageAll(of: file) }
        await writer.runToEnd(priority: .normal) { self.deleteAll(of: file) }
    }

    /// Removes a URL's entries like `remove`, without waiting for the disk; lookups may find them
    /// until they are deleted.
    func removeSoon(_ url: ImageURL) {
        let file = key(of: url).file
        state.withLock { $0.unstageAll(of: file) }
        writer.submit(priority: .normal) { self.deleteAll(of: file) }
    }

    /// Waits until all previous stores have been written or have failed.
    public func flush() async {
        guard state.withLock(\.isInUse) else { return }
        await writer.runToEnd(priority: .normal) {}
    }

    /// Waits until the scan has ended and the statistics are complete.
    public func waitForScan() async {
        scanOnce()
        // After each slice, the scan queues itself again at this priority.
        while !state.withLock(\.isScanned) {
            await writer.runToEnd(priority: .low) {}
        }
    }

    // MARK: Limits

    /// The directory and the current limits of the cache.
    public var configuration: DiskCacheConfiguration {
        var configuration = settings
        state.withLock { state in
            configuration.byteLimit = state.byteLimit
            configuration.maximumAge = state.maximumAge
        }
        return configuration
    }

    /// The budget in bytes of allocated blocks: 0 means that nothing is stored, `Int.max` means no
    /// limit.
    ///
    /// If the budget is lowered, excess files are immediately deleted in the background, the least
    /// recently used first; `isBusy` is true until the deletion is complete.
    public var byteLimit: Int {
        get { state.withLock(\.byteLimit) }
        set {
            scanOnce()
            state.withLock { $0.setByteLimit(newValue) }
            writer.submit(priority: .normal) { self.evictIfNeeded() }
        }
    }

    /// The time that a file may remain unused, in whole seconds; nil or a negative value means
    /// forever.
    ///
    /// `clean` deletes expired files. Setting this property immediately deletes expired files in
    /// the background.
    public var maximumAge: Duration? {
        get { state.withLock(\.maximumAge) }
        set {
            scanOnce()
            state.withLock { $0.maximumAge = newValue }
            writer.submit(priority: .low) { self.deleteExpiredSoon() }
        }
    }

    // MARK: Statistics

    /// The size of the cache, and its hits and misses.
    ///
    /// The value is computed in memory without I/O. Files in the directory are counted only after
    /// the scan has seen them. The scan starts with the first use of the cache or the first access
    /// to this property.
    public var statistics: CacheStatistics {
        scanOnce()
        return state.withLock(\.statistics)
    }

    /// Whether a store, a deletion or a scan is running.
    public var isBusy: Bool { !writer.isIdle }

    /// The failures since the cache was opened.
    public var failures: DiskCacheFailures { state.withLock(\.failures) }
}

/// Failures of disk operations.
///
/// These failures never make a load fail. The only consequence is that the image is not cached.
public struct DiskCacheFailures: Hashable, Sendable {
    /// The number of entries and metadata updates that were not stored, for example because the
    /// disk was full or the directory not writable.
    public var writeCount = 0
    /// The number of lookups that ended in an error other than "no such file", including damaged
    /// files.
    public var readCount = 0
    /// The number of damaged files that were found.
    ///
    /// A crash or another program may have damaged the files. They are deleted.
    public var damagedCount = 0
    /// The number of files that could not be deleted, which still count toward the budget.
    public var deleteCount = 0
    /// The reason why the last scan could not read the directory; nil if it could be read or does
    /// not exist.
    public var directoryText: String?
    /// A readable description of the latest failure; nil if there was none.
    public var lastText: String?

    /// Creates a record without failures.
    public init() {}
}
