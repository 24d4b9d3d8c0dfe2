/// One wish for the bytes behind one URL.
public struct DownloadRequest: Hashable, Sendable {
    /// An absolute `http` or `https` URL, already normalised: equal text means the same bytes.
    public var url: String
    /// Urgency, unless a `DownloadHandle` comes along, which then has the say.
    public var priority: LoadPriority
    /// Header lines that stand beside, or in place of, those of the downloader's configuration.
    public var headers: [HeaderField]

    /// Makes a request.
    public init(url: String, priority: LoadPriority = .normal, headers: [HeaderField] = []) {
        self.url = url
        self.priority = priority
        self.headers = headers
    }
}
