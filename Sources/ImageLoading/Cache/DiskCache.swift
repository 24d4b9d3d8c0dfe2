/// Bodies of pictures in a flat directory, a file for each URL, without an index (see
/// `CacheDirectory` for the layout).
///
/// Reads go through two threads of its own, writes and deletes through a third, one after the
/// other; so no look-up ever waits for a store or a sweep (row F30). What is in the directory is
/// learned by one scan in the background; look-ups work from the start. Nothing that happens on
/// the disk fails a load: a file that can't be read is a miss, a body that can't be written is
/// dropped and counted in `failures`. All methods may be called on any thread.
public final class DiskCache: Sendable {
    /// The largest body that is stored or read, in bytes.
    public static let maximumBodyByteCount = 65 << 20

    /// Where it lies and how much it may hold.
    public let configuration: DiskCacheConfiguration
    let directory: CacheDirectory
    let clock: LoadingClock
    let state: Protected<DiskCacheState>
    let readers = WorkerPool(name: "disk-read", threadCount: 2)
    let writer = WorkerPool(name: "disk-write", threadCount: 1, order: .oldestFirst)

    /// Opens the cache and starts the scan; does no I/O by itself.
    public convenience init(configuration: DiskCacheConfiguration, clock: LoadingClock) {
        self.init(configuration: configuration, clock: clock, calls: FileCalls())
    }

    /// The door for tests: file calls that fail.
    init(configuration: DiskCacheConfiguration, clock: LoadingClock, calls: FileCalls) {
        self.configuration = configuration
        self.clock = clock
        directory = CacheDirectory(path: configuration.directory, calls: calls)
        state = Protected(DiskCacheState(byteLimit: configuration.byteLimit))
        startScan()
    }

    // MARK: Looking up

    /// The body stored for a URL; nil if there is none, or if the task was cancelled before the
    /// read began (which counts as nothing).
    public func data(for url: ImageURL, priority: LoadPriority = .high) async -> [UInt8]? {
        let name = CacheFileName(url)
        if let bytes = state.withLock({ $0.stagedHit(name) }) { return bytes }
        // A cancelled look-up has nobody left to tell why.
        return try? await readers.run(priority: priority) { _ in self.read(name) }.get()
    }

    /// Whether a look-up would find something; counts as nothing.
    public func contains(_ url: ImageURL) async -> Bool {
        let name = CacheFileName(url)
        if state.withLock({ $0.isStaged(name) }) { return true }
        return await readers.runToEnd(priority: .normal) { [directory] in
            guard let facts = try? directory.facts(of: .body(name)) else { return false }
            return facts.isRegular && facts.byteCount > 0
        }
    }

    // MARK: Storing

    /// What to hand to `store` at the end of a load that begins now.
    public var generation: CacheGeneration { state.withLock(\.generation) }

    /// Stores a body as it is (row C9), in place of an older one.
    ///
    /// Returns at once; look-ups find it from then on.
    ///
    /// `begun` is the `generation` that was read when the load started: the body is dropped if the
    /// cache was cleared since. nil stands for a load that took no time. Empty bodies, and those
    /// larger than `maximumBodyByteCount` or the whole budget, are not stored.
    public func store(_ bytes: [UInt8], for url: ImageURL, begun: CacheGeneration? = nil) {
        let limit = configuration.byteLimit > 0 ? configuration.byteLimit : .max
        guard !bytes.isEmpty, bytes.count <= min(limit, Self.maximumBodyByteCount) else { return }
        let name = CacheFileName(url)
        let staged = state.withLock { state in
            let begun = begun ?? state.generation
            return state.stage(bytes, as: name, begun: begun).map { (number: $0, begun: begun) }
        }
        guard let staged else { return }
        writer.submit(priority: .normal) {
            self.write(name, number: staged.number, begun: staged.begun)
        }
    }

    /// Removes a URL's body; it is gone from the disk when this returns.
    public func remove(_ url: ImageURL) async {
        let name = CacheFileName(url)
        state.withLock { $0.unstage(name) }
        await writer.runToEnd(priority: .normal) { _ = self.delete(.body(name)) }
    }

    /// Returns when all stores so far are on the disk, or have failed.
    public func flush() async {
        await writer.runToEnd(priority: .normal) {}
    }

    /// Returns when the directory has been looked through, and the statistics are complete.
    public func waitForScan() async {
        // The scan puts itself back into the queue after each slice, at this priority.
        while !state.withLock(\.isScanned) {
            await writer.runToEnd(priority: .low) {}
        }
    }

    // MARK: Figures

    /// What is held and how often it was asked for.
    ///
    /// From memory, without I/O; what lies in the directory is only counted once the scan has seen
    /// it.
    public var statistics: CacheStatistics { state.withLock(\.statistics) }

    /// What went wrong so far.
    public var failures: DiskCacheFailures { state.withLock(\.failures) }
}
