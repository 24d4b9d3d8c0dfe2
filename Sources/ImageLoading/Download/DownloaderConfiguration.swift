/// How an `ImageDownloader` spends its transfers.
public struct DownloaderConfiguration: Hashable, Sendable {
    /// In which order waiting transfers of equal priority start.
    public enum Order: Hashable, Sendable {
        /// The oldest wish first (row D18).
        case firstInFirstOut
        /// The newest wish first, which on a scrolling screen is what came into view last (row F3).
        case lastInFirstOut
    }

    /// Transfers at once (rows D1, D21); at least 1.
    public var maximumConcurrentTransfers = 6
    /// Transfers at once to one host and port; nil for no limit of its own.
    public var maximumTransfersPerHost: Int?
    /// Attempts of one download in all, however much each brings; 1 turns retries off.
    public var maximumAttempts = 10
    /// Transfers that may finish without a caller at a time, beside the others, because the rest is
    /// cheaper than a new connection (fact P9); 0 breaks them all off.
    public var maximumDetachedTransfers = 2
    /// The order among equals.
    public var order = Order.firstInFirstOut
    /// The most bytes of one body.
    public var maximumByteCount = 64 << 20
    /// Header lines of every request (rows D8, D9).
    ///
    /// A request's own field of a name wins.
    public var headers = [
        HeaderField("Accept", "image/jpeg,image/png;q=0.9,image/*;q=0.5,*/*;q=0.1")
    ]

    /// Makes the default configuration.
    public init() {}
}
