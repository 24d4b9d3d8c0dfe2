/// The configuration of an `ImageDownloader`.
public struct DownloaderConfiguration: Hashable, Sendable {
    /// The order in which waiting transfers of equal priority start.
    public enum Order: Hashable, Sendable {
        /// The oldest request first.
        case firstInFirstOut
        /// The newest request first; on a scrolling screen, this is the image that became visible
        /// last.
        case lastInFirstOut
    }

    /// The maximum number of simultaneous transfers; at least 1.
    public var maximumConcurrentTransfers = 6
    /// The maximum number of simultaneous transfers per host and port; nil for no separate limit.
    public var maximumTransfersPerHost: Int?
    /// The maximum number of attempts per download; 1 disables retries.
    ///
    /// The limit applies even if each attempt receives more bytes.
    public var maximumAttempts = 10
    /// The maximum time a download waits for its host if `DownloadRequest.waitsForHost` is true.
    ///
    /// The time is measured from the host's first failure and restarts whenever bytes are received
    /// from the host. 0 disables waiting.
    public var patience = Duration.seconds(300)
    /// The maximum number of transfers that may run to completion without a caller, in addition to
    /// the other limits.
    ///
    /// A transfer continues without a caller if this is cheaper than opening a new connection
    /// later. 0 disables such transfers.
    public var maximumDetachedTransfers = 2
    /// The order in which waiting requests of equal priority start.
    public var order = Order.firstInFirstOut
    /// The maximum size of a body in bytes.
    public var maximumByteCount = 64 << 20
    /// The header fields of every request.
    ///
    /// A request's field with the same name replaces the field in this list.
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
    /// The number of downloads waiting for a transfer slot or for the end of the pause between two
    /// attempts.
    public var queued = 0
    /// The number of transfers passed to the transport.
    public var transfersStarted = 0
    /// The number of transfers that returned a body.
    public var transfersFinished = 0
    /// The number of transfers that ended with an error, whether or not they were retried.
    public var transfersFailed = 0
    /// The number of transfers that were stopped because no caller was left.
    public var transfersCancelled = 0
    /// The number of transfers that followed a failed attempt of the same download.
    public var retries = 0
    /// The number of transfers that resumed a partial body.
    public var transfersResumed = 0
    /// The number of body bytes that were not requested again because transfers were resumed.
    public var bytesResumed = 0
    /// The number of times a transfer continued without a caller.
    ///
    /// If a transfer gets a new caller and loses it again, it is counted twice.
    public var transfersDetached = 0
    /// The number of hosts with currently suspended requests.
    public var unavailableHosts = 0
    /// The number of callers that joined a waiting or running download.
    public var coalesced = 0
    /// The number of received body bytes.
    public var bytesReceived = 0
    /// The number of announced body bytes that were not received because transfers were cancelled.
    ///
    /// Transfers of unknown length do not count.
    public var bytesSaved = 0

    /// The number of transfers that were stopped because all callers had received enough bytes.
    public var transfersStoppedEarly = 0
    /// The number of announced body bytes that were not received because transfers were stopped
    /// early.
    ///
    /// `bytesSaved` does not include these bytes.
    public var bytesNotNeeded = 0

    /// Creates empty statistics.
    public init() {}
}
