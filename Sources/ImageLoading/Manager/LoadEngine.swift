internal import Decoders
internal import SystemSupport

/// The components shared by all loads, and the tables of running loads.
///
/// `ImageManager` creates one engine. The class is thread-safe. A `LoadTask` retains the engine
/// until it ends, so a load completes even if the manager has been released. The tables have no
/// side effects, and each is protected by its own lock. No callback runs while a lock is held.
/// Locks are taken in this order: `loads`, then the downloader's lock, then a handle's lock.
final class LoadEngine: Sendable {
    typealias Loads = InFlightLoads<LoadKey, LoadOperation, LoadTask>

    let cache: ImageCache
    let downloader: ImageDownloader
    let decoding: DecodeStage
    /// The processes in which decoders run; nil if decoders run in the program's own process.
    let helpers: DecoderHelpers?
    let resolver: RequestResolver
    let bodyStore: BodyStore
    /// The store of thumbnails on disk; nil if thumbnails are not stored.
    let thumbnails: ThumbnailStore?
    /// The store of thumbnails shared with other programs; nil if their thumbnails are not used.
    let desktopThumbnails: DesktopThumbnailStore?
    /// The leases that coordinate processes with the same disk cache; nil if there is no disk
    /// cache.
    let leases: KeyLeases?
    let clock: LoadingClock
    let log: LoadLog
    let tracer: Tracer

    let loads = Protected(Loads())
    let failures = Protected(FailureMemory())
    let counters = Protected(LoadCounters())
    private let batch = Protected(LoadBatch())

    init(
        _ configuration: ImageManagerConfiguration,
        transport: any HTTPTransport,
        clock: LoadingClock
    ) {
        let tracer = Tracer(clock: clock, listener: configuration.trace)
        cache = ImageCache(configuration, clock: clock, tracer: tracer)
        helpers =
            configuration.isolation == .never ? nil : DecoderHelpers(configuration, clock: clock)
        decoding = DecodeStage(
            registry: .isolated(configuration, by: helpers),
            limits: configuration.limits,
            clock: clock,
            pool: .decoding(configuration)
        )
        thumbnails = ThumbnailStore.of(cache, decoding, configuration.hooks)
        desktopThumbnails = DesktopThumbnailStore(configuration, decoding)
        bodyStore = BodyStore(
            disk: cache.disk,
            hooks: configuration.hooks,
            policy: configuration.cachePolicy,
            pool: decoding.pool,
            thumbnails: thumbnails,
            clock: clock,
            sessionStart: clock.wallTime()
        )
        // The downloader adds no header fields, because the header fields from the resolver are
        // complete.
        var downloads = configuration.downloader
        resolver = RequestResolver(
            hooks: configuration.hooks,
            usualHeaders: downloads.headers,
            sources: configuration.sources,
            isOffline: configuration.isOffline,
            insecureHosts: configuration.insecureHosts
        )
        downloads.headers = []
        downloader = ImageDownloader(
            configuration: downloads,
            transport: configuration.sources.isEmpty
                ? transport
                : SourceTransport(network: transport, sources: configuration.sources),
            clock: clock,
            detachedDownloads: bodyStore.detachedDownloads,
            tracer: tracer,
            retryPause: configuration.hooks.retryPause,
            onNotice: configuration.hooks.onNotice
        )
        leases = configuration.disk.map { disk in
            KeyLeases(directory: disk.directory, clock: clock)
        }
        log = LoadLog(logger: configuration.logger)
        self.clock = clock
        self.tracer = tracer
    }

    // MARK: Starting

    enum StartResult {
        /// The result is known immediately: an image from memory, or an error.
        case answered(Result<ImageResponse, ImageLoadingError>)
        /// The load is running; `known` is an image to show until the load ends.
        case running(LoadOperation, known: ImageResponse?)
    }

    /// Returns the result of an operation from memory, or adds the operation to a task.
    ///
    /// If the result is known (`answered`), the operation has not ended yet. The caller must call
    /// `finish`, which notifies the listener, or it must call `count` and deliver the result
    /// itself.
    func start(_ operation: LoadOperation) -> StartResult {
        counters.withLock { $0.countStart() }
        let result = startCurrent(operation)
        // A request with an invalid URL may have an alternative URL.
        guard case .answered(.failure(let error)) = result else { return result }
        return startAlternative(of: operation, after: error) ?? result
    }

    private func startCurrent(_ operation: LoadOperation) -> StartResult {
        let key: LoadKey
        do throws(ImageLoadingError) {
            key = try resolver.key(for: operation.current, purpose: operation.purpose)
        } catch {
            return .answered(.failure(error))
        }
        let known = imageInMemory(for: key)
        if let known, !key.isRefresh { return .answered(.success(known)) }
        joinOrStart(key, known: known, operation)
        return .running(operation, known: known)
    }

    /// Starts the operation with its next alternative URL; skips URLs whose loads fail immediately.
    ///
    /// Returns nil if no alternative URL remains, or if the operation was cancelled.
    private func startAlternative(
        of operation: LoadOperation,
        after error: ImageLoadingError
    ) -> StartResult? {
        guard error.kind != .cancelled else { return nil }
        var result: StartResult?
        var error = error
        while operation.moveOn(after: error) {
            result = startCurrent(operation)
            guard case .answered(.failure(let next)) = result else { break }
            error = next
        }
        // The operation was cancelled while it had no task, so no task handled the cancellation.
        if case .running = result, operation.isCancelled { operation.cancel() }
        return result
    }

    private func imageInMemory(for key: LoadKey) -> ImageResponse? {
        guard key.purpose == .image, !key.isLoaderOnly, !key.includesBody,
            let image = cache.memory.image(for: key.image),
            key.accepts(image)
        else { return nil }
        tracer.record(.hit(.memory), url: key.url.absoluteString)
        return ImageResponse(image: image, source: .memory, byteCount: 0, httpStatus: nil)
    }

    /// Joins the task for `key`, or starts a new task, while the table is locked.
    ///
    /// The lock ensures that no listener joins a task that is about to end, and that equal loads
    /// never start two tasks.
    private func joinOrStart(_ key: LoadKey, known: ImageResponse?, _ operation: LoadOperation) {
        let start = LoadTask.Start(key: key, generations: cache.generations, inMemory: known)
        let request = operation.current
        let priority = operation.priority
        let joined = loads.withLock { loads -> LoadTask? in
            if let joined = loads.join(key, as: operation, priority: priority) {
                operation.attach(to: joined.work)
                joined.work.setPriority(joined.priority)
                joined.work.note(request.options)
                return joined.work
            }
            loads.start(key, as: operation, priority: priority) { number in
                let task = LoadTask(start, number: number, priority: priority, engine: self)
                operation.attach(to: task)
                task.note(request.options)
                // The table retains the task until it ends or its last listener leaves.
                if !batch.withLock({ $0.add(task) }) { task.begin() }
                return task
            }
            return nil
        }
        guard let joined else { return }
        counters.withLock { $0.coalesced += 1 }
        tracer.record(.coalesced, url: request.url)
        joined.catchUp(operation)
    }

    // MARK: Batches

    func openBatch() {
        batch.withLock { $0.open() }
    }

    /// Runs the tasks of the batch unless another batch is still open.
    ///
    /// All tasks reserve their positions in the download queue before the first one runs. The
    /// newest task runs last, because the disk queue serves the newest lookup first.
    func closeBatch() {
        let tasks = batch.withLock { $0.close() }
        let transfers = tasks.filter(\.key.mayNeedTransfer)
        if !transfers.isEmpty {
            downloader.reserve(
                transfers.map { (sequenceNumber: $0.number, priority: $0.priority) }
            )
        }
        for task in tasks {
            task.begin(
                task.key.mayNeedTransfer
                    ? QueueReservation(number: task.number, downloader: downloader) : nil
            )
        }
    }

    /// Counts and traces the decode of a complete or partial body.
    func countDecode(_ duration: Duration, for key: LoadKey) {
        counters.withLock { $0.decodeTimes.record(duration) }
        tracer.record(.decoded(duration), url: key.url.absoluteString)
    }

    // MARK: Ending

    /// Ends an operation and notifies its listener.
    ///
    /// If the operation failed and has an alternative URL, it continues with that URL instead. If
    /// the operation has already ended, the method does nothing.
    func finish(
        _ operation: LoadOperation,
        with result: Result<ImageResponse, ImageLoadingError>
    ) {
        var result = result
        if case .failure(let error) = result {
            switch startAlternative(of: operation, after: error) {
            case .running: return
            case .answered(let answer): result = answer
            case nil: if operation.isCancelled { result = .failure(.cancelled) }
            }
        }
        guard operation.claimEnd() else { return }
        if case .success = result { operation.noteSuccess() }
        result = result.mapError(operation.reported)
        count(operation, result)
        operation.tell(result)
    }

    /// Counts, logs and traces the end of an operation.
    func count(
        _ operation: LoadOperation,
        _ result: Result<ImageResponse, ImageLoadingError>
    ) {
        counters.withLock {
            $0.countEnd(
                result,
                isBackground: operation.isBackground,
                isReplaced: operation.isReplaced
            )
        }
        let request = operation.current
        log.record(request, result)
        switch result {
        case .success(let response):
            tracer.record(.succeeded(response.source), url: request.url)
        // A cancellation is not a failure. `cancelled` is recorded when the download ends.
        case .failure(let error) where error.kind == .cancelled: break
        case .failure(let error): tracer.record(.failed(error), url: request.url)
        }
    }
}
