import SystemSupport

/// A cache of image bodies in a flat directory.
///
/// Each URL has its own files, and there is no index; `CacheDirectory` describes the layout. Two
/// threads read files. A third thread writes and deletes files one at a time, so a lookup never
/// waits for a store or a deletion.
///
/// A background scan finds the existing files. It starts when the cache is first used, so a program
/// that shows only local images never scans the directory. Lookups work before the scan is
/// complete.
///
/// Disk errors never fail a load. A file that cannot be read is a miss. A body that cannot be
/// written is dropped and counted in `failures`. All methods may be called on any thread.
public final class DiskCache: Sendable {
    /// The maximum size of a body that is stored or read, in bytes.
    public static let maximumBodyByteCount = 65 << 20

    /// The configuration that was passed to the initializer.
    ///
    /// The limits may have changed since then; `state` has the current ones.
    let settings: DiskCacheConfiguration
    let directory: CacheDirectory
    let clock: LoadingClock
    let tracer: Tracer
    let state: Protected<DiskCacheState>
    let readers = WorkerPool(name: "disk-read", threadCount: 2)
    /// The lock that lets only one process at a time delete files to enforce the budget.
    ///
    /// Use it only on the writer thread.
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

    /// Returns the body for a URL with its metadata, or nil if no body is cached.
    ///
    /// A damaged body is deleted and counts as a miss. If the task is cancelled before the read
    /// begins, the method returns nil and the lookup is not counted.
    func entry(for url: ImageURL, priority: LoadPriority = .high) async -> DiskEntry? {
        let key = key(of: url)
        let staged = state.withLock { state -> DiskEntry? in
            let entry = state.staged(key.body, owner: key.owner)
            if entry != nil { state.noteHit() }
            return entry
        }
        if let staged { return staged }
        // If the task was cancelled, the result is unused, so the error does not matter.
        return try? await readers.run(priority: priority) { _ in self.readBody(key) }.get()
    }

    /// The body or the partial body of a URL.
    struct Holding: Sendable {
        var body: DiskEntry?
        /// The partial body; it is looked up only if there is no body.
        var partial: DiskEntry?
    }

    /// Returns the body for a URL, or the partial body if no complete body is stored.
    ///
    /// Both are looked up in one job on a reader thread. Returns nil if the task was cancelled
    /// before the job began. The lookup of the body is counted as in `entry`.
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

    /// Returns the body for a URL, or nil if no body is cached.
    ///
    /// The call counts as a hit or a miss. A damaged body is deleted and counts as a miss. If the
    /// task is cancelled before the read begins, the method returns nil and counts nothing.
    public func data(for url: ImageURL, priority: LoadPriority = .high) async -> [UInt8]? {
        await entry(for: url, priority: priority)?.bytes
    }

    /// Returns whether the cache has a body for a URL.
    ///
    /// The call does not count as a lookup and does not verify the body.
    public func contains(_ url: ImageURL) async -> Bool {
        let key = key(of: url)
        if state.withLock({ $0.staged(key.body, owner: key.owner) != nil }) { return true }
        return await readers.runToEnd(priority: .normal) { self.path(of: key) != nil }
    }

    /// Returns the path of the file that contains a URL's body, byte for byte, or nil if there is
    /// no such file.
    ///
    /// If the body is queued for writing, it is written before the method returns. The file belongs
    /// to the cache, so callers may only read, link or copy it. The cache may delete or replace the
    /// file at any time; a reader that has it open is not affected. The file may be in one of the
    /// configured read-only directories. The call does not count as a lookup and does not verify
    /// the body.
    public func path(for url: ImageURL) async -> String? {
        let key = key(of: url)
        let isStaged = state.withLock { $0.staged(key.body, owner: key.owner) != nil }
        if isStaged { await flush() }
        return await readers.runToEnd(priority: .normal) { self.path(of: key) }
    }

    /// Returns the key of a URL's entries; the first call starts the scan.
    ///
    /// Every lookup, store and removal for a URL begins with this call.
    func key(of url: ImageURL) -> DiskKey {
        scanOnce()
        return DiskKey(url, naming: settings.naming)
    }

    // MARK: Storing

    /// The current generation, which changes when the cache is cleared.
    ///
    /// A load reads it at the start and passes it to `store` at the end.
    var generation: CacheGeneration { state.withLock(\.generation) }

    /// Stores a body unchanged, replacing any older body for the URL.
    ///
    /// Returns immediately; lookups find the body from then on. Any partial body for the URL is
    /// deleted.
    ///
    /// Empty bodies are not stored, nor are bodies larger than `maximumBodyByteCount` or the entire
    /// budget.
    public func store(_ bytes: [UInt8], for url: ImageURL) {
        store(bytes, metadata: [], for: url)
    }

    /// Stores a body with its metadata, replacing any older body for the URL.
    ///
    /// `begun` is the `generation` that was read when the load started. If the cache was cleared
    /// since then, nothing is stored. Pass nil to skip this check. Nothing is stored if the
    /// metadata is longer than `DiskEntry.maximumMetadataByteCount`.
    func store(
        _ bytes: [UInt8],
        metadata: [UInt8] = [],
        for url: ImageURL,
        begun: CacheGeneration? = nil
    ) {
        stage(DiskEntry(bytes: bytes, metadata: metadata), as: .body, for: url, begun: begun)
    }

    /// Replaces the metadata of a stored body after the server has confirmed that it is still
    /// valid.
    ///
    /// The body remains unchanged. Returns immediately; lookups find the new metadata shortly
    /// afterward, at the latest after `flush`. If there is no such body, or the metadata is too
    /// long, the method does nothing.
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
    /// Returns after all of them have been deleted from the disk.
    public func remove(_ url: ImageURL) async {
        let file = key(of: url).file
        state.withLock { $0.unstageAll(of: file) }
        await writer.runToEnd(priority: .normal) { self.deleteAll(of: file) }
    }

    /// Removes a URL's entries like `remove`, but does not wait for the disk.
    ///
    /// Lookups may find the entries until they are deleted.
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

    /// Waits until the scan is complete, so the statistics include all files.
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

    /// The budget in bytes of allocated space; 0 stores nothing, and `Int.max` means no limit.
    ///
    /// If the budget is lowered, the least recently used files are deleted in the background.
    /// `isBusy` is true until the deletion is complete.
    public var byteLimit: Int {
        get { state.withLock(\.byteLimit) }
        set {
            scanOnce()
            state.withLock { $0.setByteLimit(newValue) }
            writer.submit(priority: .normal) { self.evictIfNeeded() }
        }
    }

    /// How long a file may remain unused, in whole seconds; nil or a negative value means no limit.
    ///
    /// `clean` deletes expired files. Setting this property also deletes them in the background.
    public var maximumAge: Duration? {
        get { state.withLock(\.maximumAge) }
        set {
            scanOnce()
            state.withLock { $0.maximumAge = newValue }
            writer.submit(priority: .low) { self.deleteExpiredSoon() }
        }
    }

    // MARK: Statistics

    /// The size and the counters of the cache.
    ///
    /// The value is computed in memory without I/O. A file in the directory is counted only after
    /// the scan has found it. The scan starts when the cache is first used or when this property is
    /// first read.
    public var statistics: CacheStatistics {
        scanOnce()
        return state.withLock(\.statistics)
    }

    /// Whether a store, a deletion or a scan is running.
    public var isBusy: Bool { !writer.isIdle }

    /// The failures since the cache was opened.
    public var failures: DiskCacheFailures { state.withLock(\.failures) }
}

/// The failures of disk operations.
///
/// A disk failure never makes a load fail; the image is simply not cached.
public struct DiskCacheFailures: Hashable, Sendable {
    /// The number of entries and metadata updates that were not stored, for example because the
    /// disk was full or the directory was not writable.
    public var writeCount = 0
    /// The number of lookups that failed with an error other than "no such file", for example
    /// because of a damaged file.
    public var readCount = 0
    /// The number of damaged files that were found.
    ///
    /// The files, which may have been damaged by a crash or another program, are deleted.
    public var damagedCount = 0
    /// The number of failed attempts to delete a file; the files still count toward the budget.
    public var deleteCount = 0
    /// The reason why the last scan could not read the directory.
    ///
    /// Nil if the directory could be read or does not exist.
    public var directoryText: String?
    /// A readable description of the latest failure; nil if nothing has failed.
    public var lastText: String?

    /// Creates a record without failures.
    public init() {}
}
