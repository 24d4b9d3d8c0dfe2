/// One wish for the bytes behind one URL.
public struct DownloadRequest: Hashable, Sendable {
    /// An absolute `http` or `https` URL, already normalised: equal text means the same bytes.
    public var url: String
    /// Urgency, unless a `DownloadHandle` comes along, which then has the say.
    public var priority: LoadPriority
    /// Header lines that stand beside, or in place of, those of the downloader's configuration.
    public var headers: [HeaderField]

    /// The beginning of the body, if an earlier transfer left one; the rest is asked for.
    public var partial: PartialBody?
    /// How the transfer is to treat the server.
    public var policy: TransferPolicy
    /// Whether the transfer goes on to its end after the last caller has left, for the downloader's
    /// detachedDownloads (row O13); of callers who share one, it is enough that one asks.
    public var continuesInBackground = false
    /// Whether the listener hears the body as it grows, for previews; of callers who share a
    /// transfer, it is enough that one asks.
    public var reportsPartials = false
    /// Whether to ask a host that is being left alone because it failed too often: a person wants it
    /// tried now.
    ///
    /// The transfer is the host's probe; while there is one already, it waits for that one's end.
    public var asksUnavailableHost = false
    /// Where its detachedDownloads are kept; nil for nowhere.
    var place: BodyPlace?
    /// When the wish was made, counted from 1: the age of the download among its equals.
    ///
    /// For callers whose wishes come here in another order than they were made, by way of a disk
    /// cache, say. Nil takes the moment of asking; then leave it nil in every request.
    public var sequenceNumber: UInt64?

    /// Makes a request.
    public init(
        url: String,
        priority: LoadPriority = .normal,
        headers: [HeaderField] = [],
        partial: PartialBody? = nil,
        policy: TransferPolicy = TransferPolicy()
    ) {
        self.url = url
        self.priority = priority
        self.headers = headers
        self.partial = partial
        self.policy = policy
    }
}
