/// The configuration of an `ImageDownloader`.
public struct DownloaderConfiguration: Hashable, Sendable {
    /// The order in which waiting transfers of equal priority start.
    public enum Order: Hashable, Sendable {
        /// The oldest request first.
        case firstInFirstOut
        /// The newest request first; on a scrolling screen, that is the image that became visible
        /// last.
        case lastInFirstOut
    }

    /// The maximum number of simultaneous transfers; at least 1.
    public var maximumConcurrentTransfers = 6
    /// The maximum number of simultaneous transfers per host and port; nil for no separate limit.
    public var maximumTransfersPerHost: Int?
    /// The maximum number of attempts per download, even if each attempt receives bytes.
    ///
    /// 1 disables retries.
    public var maximumAttempts = 10
    /// The maximum time that a download with `DownloadRequest.waitsForHost` waits for its host,
    /// counted from the host's first failure, or from the last bytes received after that.
    ///
    /// 0 disables waiting.
    public var patience = Duration.seconds(300)
    /// The maximum number of additional transfers that may finish without a caller, because
    /// receiving the rest is cheaper than opening a new connection.
    ///
    /// 0 permits none.
    public var maximumDetachedTransfers = 2
    /// The order of requests with equal priority.
    public var order = Order.firstInFirstOut
    /// The maximum size of a body in bytes.
    public var maximumByteCount = 64 << 20
    /// The header fields of every request.
    ///
    /// A field of the request takes precedence over a field with the same name.
    public var headers = [
        HeaderField("Accept", "image/jpeg,image/png;q=0.9,image/*;q=0.5,*/*;q=0.1")
    ]

    /// Creates the default configuration.
    public init() {}
}

/// The counters of a downloader.
///
/// If no transfer is running, `live` is 0 and `transfersStarted == transfersFinished +
/// transfersFailed + transfersCancelled + transfersStoppedEarly`.
public struct DownloaderStatistics: Hashable, Sendable {
    /// The number of running transfers.
    public var live = 0
    /// The number of downloads that wait for a slot or for the end of a pause before the next
    /// attempt.
    public var queued = 0
    /// The number of transfers passed to the transport.
    public var transfersStarted = 0
    /// The number of transfers that returned a body.
    public var transfersFinished = 0
    /// The number of transfers that ended with an error, whether or not they were retried.
    public var transfersFailed = 0
    /// The number of transfers stopped because no caller was left.
    public var transfersCancelled = 0
    /// The number of transfers that followed a failed attempt of the same download.
    public var retries = 0
    /// The number of transfers that resumed a partial body.
    public var transfersResumed = 0
    /// The number of body bytes that resumed transfers did not have to request again.
    public var bytesResumed = 0
    /// The number of transfers that continued without a caller.
    ///
    /// A transfer that gains a caller and loses it again counts twice.
    public var transfersDetached = 0
    /// The number of hosts to which requests are currently suspended.
    public var unavailableHosts = 0
    /// The number of downloads that joined a waiting or running download.
    public var coalesced = 0
    /// The number of received body bytes.
    public var bytesReceived = 0
    /// The number of announced body bytes that were not received because the transfer was
    /// cancelled.
    ///
    /// Transfers of unknown length do not count.
    public var bytesSaved = 0

    /// The number of transfers stopped because the received part was sufficient for all callers.
    public var transfersStoppedEarly = 0
    /// The number of announced body bytes that transfers stopped early did not receive.
    ///
    /// These bytes are not included in `bytesSaved`.
    public var bytesNotNeeded = 0

    /// Creates empty statistics.
    public init() {}
}
