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
