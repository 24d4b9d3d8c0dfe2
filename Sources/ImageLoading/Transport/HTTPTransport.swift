internal import Synchronization

/// Moves bytes.
///
/// The manager's only door to the network.
public protocol HTTPTransport: Sendable {
    /// Starts a transfer. Returns at once; `onEvent` is called on the transport's own thread, one
    /// event at a time, and must not block.
    func start(
        _ request: TransferRequest,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    )

    /// As `start`, for a transport that often has several events of a transfer at hand: it tells them
    /// together, in order, and whoever listens decides once about all of them.
    ///
    /// A transport that doesn't have it tells them one by one.
    func startBatching(
        _ request: TransferRequest,
        onEvents: @escaping @Sendable ([TransferEvent]) -> Void
    )

    /// Ends a transfer without a `finished` event. An event that is being delivered may still
    /// arrive. Unknown and finished transfers are ignored.
    ///
    /// Callers call it after the `start` of the same transfer has returned.
    func cancel(_ id: TransferID)
}

extension HTTPTransport {
    /// Tells each event by itself.
    public func startBatching(
        _ request: TransferRequest,
        onEvents: @escaping @Sendable ([TransferEvent]) -> Void
    ) {
        start(request) { onEvents([$0]) }
    }
}

/// A transport whose own way is to tell events together.
protocol BatchingTransport: HTTPTransport {}

extension BatchingTransport {
    func start(
        _ request: TransferRequest,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) {
        startBatching(request) { events in
            for event in events { onEvent(event) }
        }
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

/// The head of a final response (redirects are followed inside the transport).
public struct TransferHead: Hashable, Sendable {
    /// The HTTP status.
    public let status: Int
    /// Content-Length, if one was sent and the body is not content-encoded.
    public let expectedByteCount: Int?
    /// Header fields by lower-case name; the lines of a list are joined, of others the last wins.
    public let headers: [String: String]
    /// The URL that answered, behind redirects; nil if the transport doesn't know.
    public var url: String?
    /// The version that was spoken: "1.0", "1.1", "2" or "3"; nil if the transport doesn't know.
    public let httpVersion: String?
    /// Whether the server's certificate could not be verified and was taken nevertheless, because
    /// the request's policy allows it.
    public var hasUnverifiedCertificate = false

    /// Makes a head.
    public init(
        status: Int,
        expectedByteCount: Int?,
        headers: [String: String] = [:],
        httpVersion: String? = nil
    ) {
        self.status = status
        self.expectedByteCount = expectedByteCount
        self.headers = headers
        self.httpVersion = httpVersion
    }
}

/// Names one transfer; never reused within a process.
public struct TransferID: Hashable, Sendable {
    private static let counter = Atomic<UInt64>(0)

    package let rawValue: UInt64

    /// Makes an identifier with a number of one's own; `unique()` gives one that is free.
    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// An identifier that no other call of this function returns.
    ///
    /// Callable on any thread.
    public static func unique() -> TransferID {
        TransferID(rawValue: counter.wrappingAdd(1, ordering: .relaxed).newValue)
    }
}
