/// What the transport is to fetch.
public struct TransferRequest: Hashable, Sendable {
    /// Names the transfer in `cancel`.
    public let id: TransferID
    /// An absolute `http` or `https` URL.
    public var url: String
    /// Header lines to send beside the transport's own.
    public var headers: [HeaderField]
    /// The most body bytes accepted; more end the transfer with `tooLarge`.
    public var maximumByteCount: Int
    /// How to treat the server.
    public var policy: TransferPolicy

    /// Makes a request.
    public init(
        id: TransferID,
        url: String,
        headers: [HeaderField] = [],
        maximumByteCount: Int = 64 << 20,
        policy: TransferPolicy = TransferPolicy()
    ) {
        self.id = id
        self.url = url
        self.headers = headers
        self.maximumByteCount = maximumByteCount
        self.policy = policy
    }
}
