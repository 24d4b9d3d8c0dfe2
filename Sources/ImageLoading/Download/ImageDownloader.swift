/// Fetches bytes: at most so many transfers at once, one transfer for equal requests, stopped as
/// soon as nobody waits for it any more and the rest is not cheaper than a new connection.
///
/// What fails in a way that may pass is tried again after a pause, from the byte where it broke off
/// if the server allows; an error that is thrown is final.
///
/// A thin shell around `DownloadQueue`, which decides everything: take the lock, ask, leave the
/// lock, act. Callable on any thread; nothing here blocks.
///
/// **Order of actions.** Two threads may get actions at the same time, and a transfer's `cancel`
/// must not reach the transport before its `start`, nor an older progress event its listener after
/// a newer one; `PendingActions` sees to that. The price is that a callback may run on any thread
/// that uses the downloader, which is why callbacks must be short.
public final class ImageDownloader: Sendable {
    let transport: any HTTPTransport
    let clock: LoadingClock
    let detachedDownloads: DetachedDownloads
    let tracer: Tracer
    let retryPause: (@Sendable (FailedAttempt) -> Duration?)?
    let onNotice: (@Sendable (TransferNotice) -> Void)?
    let state: Protected<DownloaderState>

    /// Makes a downloader that moves its bytes over a transport.
    ///
    /// What nobody waits for any more is offered to `detachedDownloads`.
    public convenience init(
        configuration: DownloaderConfiguration = DownloaderConfiguration(),
        transport: any HTTPTransport,
        clock: LoadingClock = .system,
        detachedDownloads: DetachedDownloads = DetachedDownloads()
    ) {
        self.init(
            configuration: configuration,
            transport: transport,
            clock: clock,
            detachedDownloads: detachedDownloads,
            tracer: .silent
        )
    }

    /// As above; tells `tracer` what happens and `onNotice` what a person may want to know, and asks
    /// `retryPause` before each further attempt.
    init(
        configuration: DownloaderConfiguration,
        transport: any HTTPTransport,
        clock: LoadingClock,
        detachedDownloads: DetachedDownloads,
        tracer: Tracer,
        retryPause: (@Sendable (FailedAttempt) -> Duration?)? = nil,
        onNotice: (@Sendable (TransferNotice) -> Void)? = nil
    ) {
        self.transport = transport
        self.clock = clock
        self.detachedDownloads = detachedDownloads
        self.tracer = tracer
        self.retryPause = retryPause
        self.onNotice = onNotice
        let queue = DownloadQueue(
            configuration: configuration,
            isTraced: tracer.isListening,
            asksBeforeRetry: retryPause != nil
        )
        state = Protected(DownloaderState(queue: queue))
    }

    // MARK: Downloading

    /// The bytes behind a URL; waits for a free transfer, joins one for the same bytes.
    ///
    /// Cancelling the task takes only this caller out and throws `.cancelled` at once; the transfer
    /// stops when its last caller has left, or ends detached. `onEvent` is called on any thread,
    /// one event at a time, never after the end; it must be short and may call the downloader. A
    /// `handle` allows changing the priority later, and its priority stands in for the request's.
    public func body(
        for request: DownloadRequest,
        handle: DownloadHandle? = nil,
        onEvent: @escaping @Sendable (DownloadEvent) -> Void = { _ in }
    ) async throws(ImageLoadingError) -> DownloadedBody {
        let handle = handle ?? DownloadHandle(priority: request.priority)
        let id = newListener()
        defer { handle.unbind() }
        let result = await withTaskCancellationHandler {
            await withHandOver { continuation in
                let listener = DownloadListener(onEvent: onEvent, continuation: continuation)
                join(id, listener, request, handle)
            }
        } onCancel: {
            leave(id)
        }
        return try result.get()
    }

    /// Ends all downloads, running and waiting, with `.cancelled`.
    public func cancelAll() {
        decide { $0.queue.cancelAll() }
    }

    // MARK: Settings

    /// Whether waiting transfers are held back; running ones continue.
    public var isSuspended: Bool {
        get { state.withLock { $0.isSuspended } }
        set {
            decide { state in
                state.isSuspended = newValue
                return state.queue.setSuspended(newValue)
            }
        }
    }

    /// How many transfers run at once; at least 1.
    ///
    /// Lowering it stops none.
    public var maximumConcurrentTransfers: Int {
        get { state.withLock { $0.width } }
        set {
            decide { state in
                state.width = max(1, newValue)
                return state.queue.setWidth(newValue)
            }
        }
    }

    /// What has been done so far, all figures of one moment.
    public var statistics: DownloaderStatistics {
        let now = clock.uptime()
        return state.withLock { $0.queue.statistics(at: now) }
    }

    // MARK: Hosts

    /// The hosts, with their ports if they have any, that are not asked at the moment, because they
    /// failed too often in a row; in alphabetical order.
    ///
    /// A download from one of them fails at once with `hostUnavailable`, until one that comes later
    /// is let through as a probe and gets an answer.
    public var unavailableHosts: [String] {
        let now = clock.uptime()
        return state.withLock { $0.queue.breakers.unavailableHosts(at: now) }
    }

    /// Forgets which hosts failed, so that the next download from each is sent.
    public func clearUnavailableHosts() {
        decide { $0.queue.clearUnavailableHosts() }
    }

    // MARK: Reservations

    /// Reserves the places of requests that will come soon: what they would go before waits for
    /// them.
    ///
    /// Each must come, or be released.
    func reserve(_ requests: [(sequenceNumber: UInt64, priority: LoadPriority)]) {
        decide { state in
            for (number, priority) in requests { state.queue.reserve(number, priority: priority) }
            return []
        }
    }

    /// A request with a reservation won't come, or not soon.
    func release(_ number: UInt64) {
        decide { $0.queue.release(number) }
    }
}
