/// Names one transfer; never reused within a process.
public struct TransferID: Hashable, Sendable {
    /// The number.
    public let rawValue: UInt64

    /// Makes an identifier.
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}

/// What the transport is to fetch.
public struct TransferRequest: Sendable {
    /// Names the transfer in `cancel` and in events.
    public let id: TransferID
    /// An absolute `http` or `https` URL.
    public var url: String
    /// Header lines to send, as (name, value).
    public var headers: [(name: String, value: String)]
    /// The most body bytes accepted; more end the transfer with `tooLarge`.
    public var maximumByteCount: Int

    /// Makes a request.
    public init(
        id: TransferID, url: String, headers: [(name: String, value: String)] = [],
        maximumByteCount: Int = 64 << 20
    ) {
        self.id = id
        self.url = url
        self.headers = headers
        self.maximumByteCount = maximumByteCount
    }
}

/// The head of a final response (redirects are followed inside the transport).
public struct TransferHead: Hashable, Sendable {
    /// The HTTP status.
    public let status: Int
    /// Content-Length, if one was sent and the body is not content-encoded.
    public let expectedByteCount: Int?
    /// Header fields by lower-case name; the last wins.
    public let headers: [String: String]

    /// Makes a head.
    public init(status: Int, expectedByteCount: Int?, headers: [String: String] = [:]) {
        self.status = status
        self.expectedByteCount = expectedByteCount
        self.headers = headers
    }
}

/// What a transfer reports, in this order: at most one head, any number of chunks, one end.
public enum TransferEvent: Sendable {
    /// The response's head.
    case head(TransferHead)
    /// More of the body; the array is never changed afterwards.
    case chunk([UInt8])
    /// The end: nil if all went well, else why not.
    case finished(ImageLoadingError?)
}

/// Moves bytes. The manager's only door to the network (row D19).
public protocol Transport: Sendable {
    /// Starts a transfer. Returns at once; `onEvent` is called on the transport's own thread, one
    /// event at a time, and must not block.
    func start(
        _ request: TransferRequest, onEvent: @escaping @Sendable (TransferEvent) -> Void)

    /// Ends a transfer without a `finished` event. An event that is being delivered may still
    /// arrive. Unknown and finished transfers are ignored.
    func cancel(_ id: TransferID)
}
