/// How an `ImageDownloader` spends its transfers.
public struct DownloaderConfiguration: Hashable, Sendable {
    /// In which order waiting transfers of equal priority start.
    public enum Order: Hashable, Sendable {
        /// The oldest request first.
        case firstInFirstOut
        /// The newest request first, which on a scrolling screen is what came into view last.
        case lastInFirstOut
    }

    /// Transfers at once; at least 1.
    public var maximumConcurrentTransfers = 6
    /// Transfers at once to one host and port; nil for no limit of its own.
    public var maximumTransfersPerHost: Int?
    /// Attempts of one download in all, however much each brings; 1 turns retries off.
    public var maximumAttempts = 10
    /// How long a download that waits for its host (`DownloadRequest.waitsForHost`) does so, counted
    /// from the last answer or byte of the host; 0 makes none wait.
    public var patience = Duration.seconds(300)
    /// Transfers that may finish without a caller at a time, beside the others, because the rest is
    /// cheaper than a new connection; 0 breaks them all off.
    public var maximumDetachedTransfers = 2
    /// The order among equals.
    public var order = Order.firstInFirstOut
    /// The most bytes of one body.
    public var maximumByteCount = 64 << 20
    /// Header lines of every request.
    ///
    /// A request's own field of a name wins.
    public var headers = [
        HeaderField("Accept", "image/jpeg,image/png;q=0.9,image/*;q=0.5,*/*;q=0.1")
    ]

    /// Makes the default configuration.
    public init() {}
}

/// What a downloader has done so far.
///
/// At rest `transfersStarted == transfersFinished + transfersFailed + transfersCancelled +
/// transfersStoppedEarly`, and both `live` and `queued` are 0.
public struct DownloaderStatistics: Hashable, Sendable {
    /// Transfers running.
    public var live = 0
    /// Downloads waiting for a slot, or for the end of a pause before the next attempt.
    public var queued = 0
    /// Transfers handed to the transport.
    public var transfersStarted = 0
    /// Transfers that brought a body.
    public var transfersFinished = 0
    /// Transfers that ended with an error, tried again or not.
    public var transfersFailed = 0
    /// Transfers stopped because nobody wanted them any more.
    public var transfersCancelled = 0
    /// Transfers begun again after a failure that may pass.
    public var retries = 0
    /// Transfers that resumed a partial body.
    public var transfersResumed = 0
    /// Body bytes that were there when such a transfer started.
    public var bytesResumed = 0
    /// Transfers that continued without a caller; one that found a caller again and lost it counts
    /// twice.
    public var transfersDetached = 0
    /// Hosts that are not asked at the moment.
    public var unavailableHosts = 0
    /// Downloads that joined a transfer instead of needing their own.
    public var coalesced = 0
    /// Body bytes received.
    public var bytesReceived = 0
    /// Body bytes that were announced but did not have to be received, since the transfer was
    /// cancelled.
    ///
    /// Transfers whose length was unknown don't count.
    public var bytesSaved = 0

    /// Transfers stopped because what had come was enough for all who waited.
    public var transfersStoppedEarly = 0
    /// Body bytes that such transfers had announced and did not have to receive.
    ///
    /// Not among `bytesSaved`.
    public var bytesNotNeeded = 0

    /// Makes empty statistics.
    public init() {}
}
