import SystemSupport

/// Turns URLs into decoded images: memory cache, disk cache, network, decoding, storing.
///
/// Thread-safe and nonblocking: every method may be called on any thread, including the UI thread.
/// A memory hit is returned on the caller's thread; everything else runs on the threads of the disk
/// cache, the transport and the decode pool. Equal requests share one `LoadTask`, which is
/// cancelled when its last listener leaves.
///
/// This is the public interface. `LoadEngine` starts and ends loads; `LoadTask` performs them.
public final class ImageManager: Sendable {
    let engine: LoadEngine
    let memoryResponse: MemoryResponse

    /// A shared manager with the default configuration, for programs that need only one.
    public static let shared = ImageManager()

    /// Creates a manager with its own curl transport, caches and decode pool.
    public convenience init(
        configuration: ImageManagerConfiguration = ImageManagerConfiguration()
    ) {
        self.init(
            configuration: configuration,
            transport: CurlTransport(configuration: configuration.transport)
        )
    }

    /// Creates a manager with a given transport and clock, for tests.
    public init(
        configuration: ImageManagerConfiguration,
        transport: any HTTPTransport,
        clock: LoadingClock = .system
    ) {
        engine = LoadEngine(configuration, transport: transport, clock: clock)
        memoryResponse = MemoryResponse(memory: engine.cache.memory, clock: clock)
        answerMemoryPressure(configuration)
    }

    // MARK: Loading

    /// Starts a load and returns its handle immediately, also for an invalid URL.
    ///
    /// `onEvent` receives progress and then exactly one `finished`: before this method returns for
    /// memory hits and invalid URLs, otherwise later on a thread of the engine. It must not block.
    @discardableResult
    public func load(
        _ request: ImageRequest,
        onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> LoadOperation {
        start(LoadOperation(request: request, onEvent: onEvent))
    }

    /// Downloads an image to the disk cache, and decodes its header only.
    ///
    /// The load shares transfers with `load`, is answered by the disk cache if possible, and ends
    /// like a load. The image in its response has no pixels, only `properties`. Target size,
    /// content mode and processors are ignored. Without a disk cache, this is a normal load.
    @discardableResult
    public func warmDisk(
        _ request: ImageRequest,
        onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> LoadOperation {
        start(LoadOperation(request: request, purpose: diskPurpose, onEvent: onEvent))
    }

    /// Works like `warmDisk`, also without a disk cache: checks that the image exists, and reads
    /// its header.
    package func check(
        _ request: ImageRequest,
        onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> LoadOperation {
        start(LoadOperation(request: request, purpose: .disk, onEvent: onEvent))
    }

    /// Loads an image and waits for it.
    ///
    /// Cancelling the task cancels the load.
    public func response(
        for request: ImageRequest
    ) async throws(ImageLoadingError) -> ImageResponse {
        try await response(for: request, .image)
    }

    /// Returns the events of a load as an asynchronous sequence.
    ///
    /// Leaving the loop cancels the load.
    public func events(for request: ImageRequest) -> LoadEvents {
        LoadEvents(manager: self, request: request)
    }

    func response(
        for request: ImageRequest,
        _ purpose: LoadKey.Purpose
    ) async throws(ImageLoadingError) -> ImageResponse {
        let slot = Protected<LoadOperation?>(nil)
        let result = await withTaskCancellationHandler {
            await withHandOver { continuation in
                let operation = LoadOperation(request: request, purpose: purpose) { event in
                    guard case .finished(let result) = event else { return }
                    continuation.resume(returning: result)
                }
                start(operation)
                slot.withLock { $0 = operation }
                // The task may have been cancelled before the operation existed.
                if Task.isCancelled { operation.cancel() }
            }
        } onCancel: {
            slot.withLock { $0 }?.cancel()
        }
        return try result.get()
    }

    /// Starts the loads that `body` requests together, when it returns, so that their transfers
    /// start in the requested order: with `lastInFirstOut`, the newest first.
    ///
    /// Without a batch, the first requests would occupy the free transfers before the last request
    /// is made, so a screen that should fill newest first would start at the wrong end. Until the
    /// lookups of the newer requests are complete, older requests that are ready wait for them, and
    /// so do requests that waited before. A load that needs no transfer soon is not waited for: if
    /// it is on disk, if another process fetches it, or if `modifyRequest` is running. Memory hits
    /// are returned inside `body` as usual. Batches can be nested; overlapping batches on two
    /// threads end together.
    ///
    /// May be called on any thread. `body` must not wait for its loads.
    public func batch<Result>(_ body: () throws -> Result) rethrows -> Result {
        engine.openBatch()
        defer { engine.closeBatch() }
        return try body()
    }

    /// Cancels all running loads; each receives its `finished`.
    public func cancelAll() {
        // The newest first, because they wait for a transfer, and the end of an old one would start
        // theirs.
        let operations = engine.loads.withLock { $0.listenersNewestFirst }
        for operation in operations { operation.cancel() }
    }

    /// Cancels all loads and all transfers, including those that no load waits for, because the
    /// program ends.
    ///
    /// Received parts of bodies are kept, so that a later load can resume; `flush` waits for that.
    package func stop() {
        cancelAll()
        engine.thumbnails?.stop()
        stopMakingThumbnails()
        engine.downloader.cancelAll()
    }

    /// Ends the decoding processes and waits for them.
    ///
    /// Later loads start new ones.
    ///
    /// Call it at the end of a program, so that their resource usage is included in the program's
    /// usage as reported to its parent (`time`, accounting). Blocks for a few milliseconds.
    package func endHelpers() {
        engine.helpers?.endAll()
    }

    /// Drops the queued thumbnails for other programs; a thumbnail that is already being made is
    /// finished.
    package func stopMakingThumbnails() {
        engine.desktopThumbnails?.stop()
    }

    /// Whether any load is running.
    public var isRunning: Bool { engine.loads.withLock { !$0.isEmpty } }

    /// The number of bodies and metadata records waiting to be written to disk.
    package var pendingWriteCount: Int { engine.cache.disk?.writer.waitingCount ?? 0 }

    /// Whether the start of transfers is suspended.
    ///
    /// Running transfers continue, and loads that a cache or a local file can answer are answered;
    /// the others wait.
    public var isSuspended: Bool {
        get { engine.downloader.isSuspended }
        set { engine.downloader.isSuspended = newValue }
    }

    // MARK: For prefetcher and bindings

    typealias StartResult = LoadEngine.StartResult

    /// Starts a load without an observer; its failures are counted separately.
    func prefetch(
        _ request: ImageRequest,
        for purpose: LoadKey.Purpose,
        onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> LoadOperation {
        start(
            LoadOperation(
                request: request,
                purpose: purpose == .disk ? diskPurpose : purpose,
                isBackground: true,
                onEvent: onEvent
            )
        )
    }

    /// Works like `load`, but returns the immediately known result instead of sending it, because a
    /// binding runs in an isolation domain that `onEvent` cannot enter.
    func begin(
        _ request: ImageRequest,
        onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> StartResult {
        let operation = LoadOperation(request: request, onEvent: onEvent)
        let start = engine.start(operation)
        if case .answered(let result) = start { engine.count(operation, result) }
        return start
    }

    /// Without a disk cache, the body can only be kept decoded, in memory.
    private var diskPurpose: LoadKey.Purpose { engine.cache.disk == nil ? .image : .disk }

    @discardableResult
    private func start(_ operation: LoadOperation) -> LoadOperation {
        if case .answered(let result) = engine.start(operation) {
            engine.finish(operation, with: result)
        }
        return operation
    }
}
