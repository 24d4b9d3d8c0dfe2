/// Turns URLs into decoded images: memory cache, disk cache, network, decode, store.
///
/// Thread-safe and never blocking: every method may be called on any thread, the UI's included. A
/// memory hit is answered on the caller's thread; everything else happens on the threads of the
/// disk cache, the transport and the decode pool. Equal requests share one `LoadTask`, and the last
/// listener to leave cancels it.
///
/// This is the public door. `LoadEngine` starts and ends loads; `LoadTask` makes their journey.
public final class ImageManager: Sendable {
    let engine: LoadEngine
    let memoryResponse: MemoryResponse

    /// The manager for programs that need one only, with the default configuration.
    public static let shared = ImageManager()

    /// Builds a manager with a curl transport, both caches and a decode pool of its own.
    public convenience init(
        configuration: ImageManagerConfiguration = ImageManagerConfiguration()
    ) {
        self.init(
            configuration: configuration,
            transport: CurlTransport(configuration: configuration.transport)
        )
    }

    /// Builds a manager on a given transport and clock, as tests do.
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

    /// Starts a load and returns its handle at once, also for a bad URL.
    ///
    /// `onEvent` hears progress and then exactly one `finished`: before this returns for memory
    /// hits and bad URLs, later on a thread of the engine otherwise. It must not block.
    @discardableResult
    public func load(
        _ request: ImageRequest,
        onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> LoadOperation {
        start(LoadOperation(request: request, onEvent: onEvent))
    }

    /// Fetches an image onto the disk for later, without decoding more than its header.
    ///
    /// It shares transfers with `load`, is answered by the disk cache if that has it, and ends like
    /// a load; the image in its response has no pixels, only `properties`. Target size, content
    /// mode and processors don't matter. Without a disk cache it is a `load`.
    @discardableResult
    public func warmDisk(
        _ request: ImageRequest,
        onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> LoadOperation {
        start(LoadOperation(request: request, purpose: diskPurpose, onEvent: onEvent))
    }

    /// As `warmDisk`, also without a disk cache: whether there is such an image, and what its header says.
    package func check(
        _ request: ImageRequest,
        onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> LoadOperation {
        start(LoadOperation(request: request, purpose: .disk, onEvent: onEvent))
    }

    /// Loads and waits.
    ///
    /// Cancelling the task cancels the load.
    public func response(
        for request: ImageRequest
    ) async throws(ImageLoadingError) -> ImageResponse {
        try await response(for: request, .image)
    }

    /// The events of a load as an asynchronous sequence; ending the loop cancels the load.
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
                // The task may have been cancelled before there was anything to cancel.
                if Task.isCancelled { operation.cancel() }
            }
        } onCancel: {
            slot.withLock { $0 }?.cancel()
        }
        return try result.get()
    }

    /// Begins the loads that `body` asks for together, when it returns, so that their transfers
    /// start in the order they were asked for: with `lastInFirstOut` the newest first.
    ///
    /// Otherwise the first requests have taken the free transfers before the last one is made, and a
    /// screen that is filled with newest-first in mind begins at its wrong end. Until the look-ups of
    /// the newer requests are over, older ones that are ready wait for them, and so does what waited
    /// before; a load that turns out to need no transfer soon is not waited for (it is on the disk,
    /// another process fetches it, `modifyRequest` is asked about it). Memory hits are answered
    /// inside `body` as ever. Batches may be nested; those that overlap, on two threads, end together.
    ///
    /// Callable on any thread. `body` must not wait for its loads.
    public func batch<Result>(_ body: () throws -> Result) rethrows -> Result {
        engine.openBatch()
        defer { engine.closeBatch() }
        return try body()
    }

    /// Cancels every load under way; each hears its `finished`.
    public func cancelAll() {
        // The newest first: they are the ones that wait for a transfer, and an old one's end would
        // start theirs.
        let operations = engine.loads.withLock { $0.listenersNewestFirst }
        for operation in operations { operation.cancel() }
    }

    /// Cancels every load and every transfer, also those that nobody waits for: the program ends.
    ///
    /// What has come of bodies is kept, so that a later load resumes there; `flush` waits for that.
    package func stop() {
        cancelAll()
        engine.thumbnails?.stop()
        stopMakingThumbnails()
        engine.downloader.cancelAll()
    }

    /// Ends the processes that decode, and waits for them; later loads start new ones.
    ///
    /// For a program's end: what they cost is then among what the program cost, as its parent is told
    /// (`time`, accounting). Blocks for a few milliseconds.
    package func endHelpers() {
        engine.helpers?.endAll()
    }

    /// Drops thumbnails that are to be made for other programs and are not begun.
    package func stopMakingThumbnails() {
        engine.desktopThumbnails?.stop()
    }

    /// Whether anything is under way.
    public var isRunning: Bool { engine.loads.withLock { !$0.isEmpty } }

    /// Bodies and facts that wait to be written to the disk.
    package var pendingWriteCount: Int { engine.cache.disk?.writer.waitingCount ?? 0 }

    /// Whether no transfer is begun.
    ///
    /// Those under way go on, and loads that a cache or a local file answers are answered; the rest
    /// wait.
    public var isSuspended: Bool {
        get { engine.downloader.isSuspended }
        set { engine.downloader.isSuspended = newValue }
    }

    // MARK: For prefetcher and bindings

    typealias StartResult = LoadEngine.StartResult

    /// Starts a load that nobody watches; its failures are counted apart.
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

    /// As `load`, but what is known at once is returned instead of sent: a binding lives in a
    /// domain that `onEvent` can't enter.
    func begin(
        _ request: ImageRequest,
        onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> StartResult {
        let operation = LoadOperation(request: request, onEvent: onEvent)
        let start = engine.start(operation)
        if case .answered(let result) = start { engine.count(operation, result) }
        return start
    }

    /// Without a disk cache the body has no other place than memory, decoded.
    private var diskPurpose: LoadKey.Purpose { engine.cache.disk == nil ? .image : .disk }

    @discardableResult
    private func start(_ operation: LoadOperation) -> LoadOperation {
        if case .answered(let result) = engine.start(operation) {
            engine.finish(operation, with: result)
        }
        return operation
    }
}
