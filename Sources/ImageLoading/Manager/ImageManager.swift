import SystemSupport

/// Loads images by URL from the memory cache, the disk cache or the network.
///
/// It also decodes the images and stores them in the caches. The class is thread-safe, and its
/// methods do not block: call them on any thread, including the UI thread. An image in memory is
/// returned on the caller's thread. All other work runs on the threads of the disk cache, the
/// transport and the decode pool. Equal requests share one `LoadTask`, which is cancelled when its
/// last listener leaves.
///
/// This class is the public interface. `LoadEngine` starts and ends loads, and `LoadTask` performs
/// them.
public final class ImageManager: Sendable {
    let engine: LoadEngine
    let memoryResponse: MemoryResponse

    /// Creates a manager with its own curl transport, caches and decode pool.
    public convenience init(
        configuration: ImageManagerConfiguration = ImageManagerConfiguration()
    ) {
        self.init(
            configuration: configuration,
            transport: CurlTransport(configuration: configuration.transport)
        )
    }

    /// Creates a manager with a custom transport and clock, for tests.
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

    /// Starts a load and returns its handle immediately, even if the URL is invalid.
    ///
    /// `onEvent` receives any number of progress events and then exactly one `finished`. For an
    /// image in memory or an invalid URL, `onEvent` is called before this method returns;
    /// otherwise, it is called later on a thread of the engine. `onEvent` must not block.
    @discardableResult
    public func load(
        _ request: ImageRequest,
        onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> LoadOperation {
        start(LoadOperation(request: request, onEvent: onEvent))
    }

    /// Downloads an image to the disk cache and decodes only its header.
    ///
    /// The load shares transfers with `load`, uses the disk cache if possible, and sends the same
    /// events. The image in the response has no pixels, only `properties`. Target size, content
    /// mode and processors are ignored. Without a disk cache, the method works like `load`.
    @discardableResult
    public func warmDisk(
        _ request: ImageRequest,
        onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> LoadOperation {
        start(LoadOperation(request: request, purpose: diskPurpose, onEvent: onEvent))
    }

    /// Loads an image but decodes only its header, to check that the image exists.
    ///
    /// Unlike `warmDisk`, the method decodes only the header even if there is no disk cache.
    package func check(
        _ request: ImageRequest,
        onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> LoadOperation {
        start(LoadOperation(request: request, purpose: .disk, onEvent: onEvent))
    }

    /// Loads an image and waits for the result.
    ///
    /// If the task is cancelled, the load is cancelled.
    public func response(
        for request: ImageRequest
    ) async throws(ImageLoadingError) -> ImageResponse {
        try await response(for: request, .image)
    }

    /// Returns the events of a load as an asynchronous sequence.
    ///
    /// If a loop over the sequence ends early, the load is cancelled.
    public func events(for request: ImageRequest) -> LoadEvents {
        LoadEvents(manager: self, request: request)
    }

    /// Returns the images of a load as an asynchronous sequence.
    ///
    /// The sequence yields previews while the body is being received, then the final image:
    ///
    ///     for try await response in manager.previews(for: request) { show(response.image) }
    ///
    /// The load uses `LoadingOptions.progressive`. If the load fails, the loop throws the error
    /// after the previews. If the loop ends early, the load is cancelled. If the task is cancelled,
    /// the load is cancelled and the loop throws `ImageLoadingError.cancelled`. A loop that is
    /// slower than the transfer misses previews, but never the final image.
    public func previews(
        for request: ImageRequest
    ) -> some AsyncSequence<ImageResponse, ImageLoadingError> & Sendable {
        var request = request
        request.options.insert(.progressive)
        return LoadedValues(events: events(for: request)) { event throws(ImageLoadingError) in
            switch event {
            case .queued, .waiting, .progress: nil
            case .preview(let response): response
            case .finished(let result): try result.get()
            }
        }
    }

    /// Returns the progress of a load as an asynchronous sequence.
    ///
    /// The sequence ends when the image has been loaded and stored in the caches. A call to
    /// `response(for:)` after the loop therefore needs no second transfer:
    ///
    ///     for try await progress in manager.progress(for: request) { show(progress.fraction) }
    ///     show(try await manager.response(for: request).image)
    ///
    /// If the image is already cached, the sequence is empty. If the load fails, the loop throws
    /// its error. If the loop ends early, the load is cancelled. If the task is cancelled, the load
    /// is cancelled and the loop throws `ImageLoadingError.cancelled`.
    public func progress(
        for request: ImageRequest
    ) -> some AsyncSequence<LoadProgress, ImageLoadingError> & Sendable {
        LoadedValues(events: events(for: request)) { event throws(ImageLoadingError) in
            switch event {
            case .queued, .waiting, .preview: return nil
            case .progress(let progress): return progress
            case .finished(let result):
                _ = try result.get()
                return nil
            }
        }
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

    /// Collects the loads that `body` requests and starts them together when `body` returns.
    ///
    /// Their transfers then start in the configured order: with `lastInFirstOut`, the newest first.
    /// Without a batch, the first requests would occupy the free transfer slots before `body` makes
    /// its last request, so a screen would not be filled in the intended order.
    ///
    /// Transfers of older requests, including requests made before the batch, wait until the cache
    /// lookups of newer requests are complete. They do not wait for a load that will need no
    /// transfer soon, because its image is on disk, another process is fetching it, or
    /// `modifyRequest` is running. Images in memory are returned inside `body` as usual. Batches
    /// can be nested. If batches on two threads overlap, they end together.
    ///
    /// The method may be called on any thread. `body` must not wait for its loads.
    public func batch<Result>(_ body: () throws -> Result) rethrows -> Result {
        engine.openBatch()
        defer { engine.closeBatch() }
        return try body()
    }

    /// Cancels all running loads; each listener receives `finished`.
    public func cancelAll() {
        // The newest loads are cancelled first, because they may wait for a slot, and the end of an
        // older load would start their transfers.
        let operations = engine.loads.withLock { $0.listenersNewestFirst }
        for operation in operations { operation.cancel() }
    }

    /// Cancels all loads and transfers at the end of the program.
    ///
    /// This includes transfers that no load is waiting for. The received parts of bodies are
    /// stored, so a later load can resume the transfers; `flush` waits until they are stored.
    package func stop() {
        cancelAll()
        engine.thumbnails?.stop()
        stopMakingThumbnails()
        engine.downloader.cancelAll()
    }

    /// Ends the decoding processes and waits until they have ended.
    ///
    /// Later loads start new processes. Call this method at the end of a program, so the program's
    /// resource usage, as reported to its parent (`time`, accounting), includes the decoding
    /// processes. The call blocks for a few milliseconds.
    package func endHelpers() {
        engine.helpers?.endAll()
    }

    /// Drops the queued thumbnails for other programs.
    ///
    /// A thumbnail that is already being made is completed.
    package func stopMakingThumbnails() {
        engine.desktopThumbnails?.stop()
    }

    /// Whether any load is running.
    public var isRunning: Bool { engine.loads.withLock { !$0.isEmpty } }

    /// The number of jobs queued for the writer thread of the disk cache, such as writing a body or
    /// its metadata.
    package var pendingWriteCount: Int { engine.cache.disk?.writer.waitingCount ?? 0 }

    /// Whether new transfers are suspended.
    ///
    /// Running transfers continue. Loads that need only a cache or a local file end as usual, and
    /// all other loads wait.
    public var isSuspended: Bool {
        get { engine.downloader.isSuspended }
        set { engine.downloader.isSuspended = newValue }
    }

    // MARK: For the prefetcher and bindings

    typealias StartResult = LoadEngine.StartResult

    /// Starts a background load, whose failures are counted separately.
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

    /// Starts a load like `load`; if its result is known immediately, returns the result.
    ///
    /// Such a result is not sent to `onEvent`, because a binding runs in an isolation domain that
    /// `onEvent` cannot enter.
    func begin(
        _ request: ImageRequest,
        onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> StartResult {
        let operation = LoadOperation(request: request, onEvent: onEvent)
        let start = engine.start(operation)
        if case .answered(let result) = start { engine.count(operation, result) }
        return start
    }

    /// The purpose of loads that fill the disk cache.
    ///
    /// Without a disk cache, such a load decodes the image and stores it in memory instead.
    private var diskPurpose: LoadKey.Purpose { engine.cache.disk == nil ? .image : .disk }

    @discardableResult
    private func start(_ operation: LoadOperation) -> LoadOperation {
        if case .answered(let result) = engine.start(operation) {
            engine.finish(operation, with: result)
        }
        return operation
    }
}
