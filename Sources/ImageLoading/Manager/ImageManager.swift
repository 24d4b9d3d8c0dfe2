/// Turns URLs into decoded pictures: memory cache, disk cache, network, decode, store.
///
/// Thread-safe and never blocking: every method may be called on any thread, the UI's included.
/// A memory hit is answered on the caller's thread; everything else happens on the threads of the
/// disk cache, the transport and the decode pool. Equal requests share one run, and the last
/// listener to leave cancels it (rows F1, F2, M8, M33-M37). The state is two small pure tables
/// under one lock each; nothing is called back while a lock is held (row F7).
public final class ImageManager: Sendable {
    let cache: ImageCache
    let downloader: ImageDownloader
    let decoding: DecodeStage
    let resolver: RequestResolver
    let memoryResponse: MemoryResponse
    let bodyStore: BodyStore
    /// Nil without a disk cache, which is what they protect.
    let leases: SharedLeases?
    let clock: LoadingClock
    let log: LoadLog
    let tracer: Tracer

    typealias Runs = InFlightLoads<LoadKey, LoadOperation, LoadTask>
    let runs = Protected(Runs())
    let failures = Protected(FailureMemory())
    let counters = Protected(LoadCounters())
    let gathering = Protected(LoadBatch())

    /// Builds a manager with a curl transport, both caches and a decode pool of its own.
    public convenience init(configuration: ImageManagerConfiguration) {
        self.init(
            configuration: configuration,
            transport: CurlTransport(configuration: configuration.transport)
        )
    }

    /// Builds a manager on a given transport and clock, as tests do (row M1).
    public init(
        configuration: ImageManagerConfiguration,
        transport: any Transport,
        clock: LoadingClock = .system
    ) {
        let tracer = Tracer(clock: clock, listener: configuration.trace)
        cache = ImageCache(configuration, clock: clock, tracer: tracer)
        decoding = DecodeStage(
            registry: configuration.decoders,
            limits: configuration.limits,
            clock: clock,
            pool: .decoding(configuration)
        )
        bodyStore = BodyStore(
            disk: cache.disk,
            hooks: configuration.hooks,
            reuse: ReuseRule(
                policy: configuration.cachePolicy,
                maximumAge: configuration.disk?.maximumAge
            ),
            pool: decoding.pool,
            clock: clock
        )
        // Without header fields of its own: the resolver's are complete (row D7).
        var downloads = configuration.downloader
        resolver = RequestResolver(
            hooks: configuration.hooks,
            usualHeaders: downloads.headers,
            isOffline: configuration.isOffline
        )
        downloads.headers = []
        downloader = ImageDownloader(
            configuration: downloads,
            transport: transport,
            clock: clock,
            detachedDownloads: bodyStore.detachedDownloads,
            tracer: tracer
        )
        leases = configuration.disk.map { disk in
            SharedLeases(leases: KeyLeases(directory: disk.directory), clock: clock)
        }
        log = LoadLog(logger: configuration.logger)
        self.clock = clock
        self.tracer = tracer
        memoryResponse = MemoryResponse(memory: cache.memory, clock: clock)
        answerMemoryPressure(configuration)
    }

    /// Starts a load and returns its handle at once, also for a bad URL (row M4).
    ///
    /// `onEvent` hears progress and then exactly one `finished`: before this returns for memory
    /// hits and bad URLs, later on a thread of the engine otherwise. It must not block.
    @discardableResult
    public func load(
        _ request: ImageRequest,
        onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> LoadOperation {
        load(request, isBackground: false, onEvent: onEvent)
    }

    /// `isBackground`: nobody waits to see what comes of it.
    func load(
        _ request: ImageRequest,
        isBackground: Bool,
        onEvent: @escaping @Sendable (LoadEvent) -> Void
    ) -> LoadOperation {
        switch opening(of: request) {
        case .answered(let result):
            let operation = makeOperation(request, isBackground: isBackground, onEvent: onEvent)
            finish(operation, with: result)
            return operation
        case .needsWork(let key, let known):
            let operation = makeOperation(
                request,
                key,
                isBackground: isBackground,
                onEvent: onEvent
            )
            joinOrStart(key, known: known, operation)
            return operation
        }
    }

    /// Loads and waits.
    ///
    /// Cancelling the task cancels the load.
    public func response(
        for request: ImageRequest
    ) async throws(ImageLoadingError) -> ImageResponse {
        let slot = Protected<LoadOperation?>(nil)
        let result = await withTaskCancellationHandler {
            await withHandOver { continuation in
                let operation = load(request) { event in
                    guard case .finished(let result) = event else { return }
                    continuation.resume(returning: result)
                }
                slot.withLock { $0 = operation }
                // The task may have been cancelled before there was anything to cancel.
                if Task.isCancelled { operation.cancel() }
            }
        } onCancel: {
            slot.withLock { $0 }?.cancel()
        }
        return try result.get()
    }

    /// Cancels every load under way; each hears its `finished` (row M35).
    public func cancelAll() {
        // The newest first: they are the ones that wait for a transfer, and an old one's end would
        // start theirs.
        for operation in runs.withLock({ $0.listenersNewestFirst }) { operation.cancel() }
    }

    /// Whether anything is under way (row M36).
    public var isRunning: Bool { runs.withLock { !$0.isEmpty } }
}
