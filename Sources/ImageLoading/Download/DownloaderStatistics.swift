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
    /// Transfers that went on from a partial body.
    public var transfersResumed = 0
    /// Body bytes that were there when such a transfer went on.
    public var bytesResumed = 0
    /// Transfers that went on without a caller; one that found a caller again and lost it counts
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
