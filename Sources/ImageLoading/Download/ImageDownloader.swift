import SystemSupport

/// Downloads image bodies with a limited number of simultaneous transfers.
///
/// Equal requests share one transfer. A transfer that no caller is waiting for anymore is stopped,
/// unless finishing it is cheaper than opening a new connection later. A download that fails
/// transiently is retried after a pause. If the server allows it, the retry requests only the
/// missing bytes. When `body` throws an error, there are no more retries.
///
/// The class is a thin shell around `DownloadQueue`, which makes all decisions. Each method takes
/// the lock, gets actions from the queue, releases the lock, and carries out the actions. The
/// methods may be called on any thread and never block.
///
/// **Order of actions.** Two threads may get actions at the same time. Nevertheless, a transfer's
/// `cancel` must not reach the transport before its `start`, and an older progress event must not
/// reach its listener after a newer one. `PendingActions` guarantees this order. Therefore, a
/// callback may run on any thread that uses the downloader, so callbacks must be short.
public final class ImageDownloader: Sendable {
    let transport: any HTTPTransport
    let clock: LoadingClock
    let detachedDownloads: DetachedDownloads
    let tracer: Tracer
    let retryPause: (@Sendable (FailedAttempt) -> Duration?)?
    let onNotice: (@Sendable (TransferNotice) -> Void)?
    let state: Protected<DownloaderState>

    /// Creates a downloader that uses a transport.
    ///
    /// Bodies that no caller is waiting for are passed to `detachedDownloads`.
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

    /// Creates a downloader with internal hooks.
    ///
    /// `tracer` records events, `onNotice` receives notices for the user, and `retryPause` is
    /// called before each retry.
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

    /// Downloads the body of a URL.
    ///
    /// The call waits until a transfer may start, or joins a running download of the same bytes. If
    /// the task is cancelled, only this caller leaves, and `.cancelled` is thrown immediately. When
    /// the last caller has left, the transfer stops or continues without a caller.
    ///
    /// `onEvent` is called on any thread, one event at a time, and never after the download has
    /// ended. It must return quickly and may call the downloader. If a `handle` is passed, its
    /// priority replaces the priority of the request and can be changed later.
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

    /// Ends all running and waiting downloads with `.cancelled`.
    public func cancelAll() {
        decide { $0.queue.cancelAll() }
    }

    // MARK: Settings

    /// Whether waiting transfers are suspended; running transfers continue.
    public var isSuspended: Bool {
        get { state.withLock { $0.isSuspended } }
        set {
            decide { state in
                state.isSuspended = newValue
                return state.queue.setSuspended(newValue)
            }
        }
    }

    /// The maximum number of simultaneous transfers; at least 1.
    ///
    /// If the number is lowered, running transfers continue.
    public var maximumConcurrentTransfers: Int {
        get { state.withLock { $0.width } }
        set {
            decide { state in
                state.width = max(1, newValue)
                return state.queue.setWidth(newValue)
            }
        }
    }

    /// The current counters, all captured at the same moment.
    public var statistics: DownloaderStatistics {
        let now = clock.uptime()
        return state.withLock { $0.queue.statistics(at: now) }
    }

    // MARK: Hosts

    /// The hosts with requests suspended because of repeated failures, in alphabetical order.
    ///
    /// A host includes the port if the URL specifies one. Downloads from such a host fail
    /// immediately with `hostUnavailable`. After a pause, one download is sent as a probe. If the
    /// host responds, requests to it are no longer suspended.
    public var unavailableHosts: [String] {
        let now = clock.uptime()
        return state.withLock { $0.queue.breakers.unavailableHosts(at: now) }
    }

    /// Clears the recorded failures of all hosts, so requests to them are sent again.
    public func clearUnavailableHosts() {
        decide { $0.queue.clearUnavailableHosts() }
    }

    // MARK: Reservations

    /// Reserves positions in the queue for requests that will arrive soon.
    ///
    /// Downloads behind these positions wait, so each request must arrive or be released soon.
    func reserve(_ requests: [(sequenceNumber: UInt64, priority: LoadPriority)]) {
        decide { state in
            for (number, priority) in requests { state.queue.reserve(number, priority: priority) }
            return []
        }
    }

    /// Releases the reservation of a request that will not arrive soon.
    func release(_ number: UInt64) {
        decide { $0.queue.release(number) }
    }
}
