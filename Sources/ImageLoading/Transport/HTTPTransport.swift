internal import Synchronization

/// A way to transfer bytes over the network.
///
/// The manager accesses the network only through this protocol.
public protocol HTTPTransport: Sendable {
    /// Starts a transfer and returns immediately.
    ///
    /// The transport calls `onEvent` on its own thread, one event at a time. `onEvent` must not
    /// block.
    func start(
        _ request: TransferRequest,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    )

    /// Starts a transfer and delivers its events in batches.
    ///
    /// A transport that often has several events of a transfer available delivers them together, in
    /// order, so that the receiver makes one decision for all events. The default implementation
    /// delivers each event separately.
    func startBatching(
        _ request: TransferRequest,
        onEvents: @escaping @Sendable ([TransferEvent]) -> Void
    )

    /// Ends a transfer without a `finished` event.
    ///
    /// An event that is being delivered may still arrive. Unknown and finished transfers are
    /// ignored. Callers must not call this method before `start` of the same transfer has returned.
    func cancel(_ id: TransferID)
}

extension HTTPTransport {
    /// Delivers each event separately.
    public func startBatching(
        _ request: TransferRequest,
        onEvents: @escaping @Sendable ([TransferEvent]) -> Void
    ) {
        start(request) { onEvents([$0]) }
    }
}

/// A transport that delivers its events in batches; `start` passes on the events one by one.
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

/// An event of a transfer: at most one head, any number of chunks, and one end, in this order.
public enum TransferEvent: Sendable {
    /// The response's head.
    case head(TransferHead)
    /// The next bytes of the body; the array is never changed afterwards.
    case chunk([UInt8])
    /// The end of the transfer; nil on success, otherwise the error.
    case finished(ImageLoadingError?)
}

/// The head of a final response (redirects are followed inside the transport).
public struct TransferHead: Hashable, Sendable {
    /// The HTTP status code.
    public let status: Int
    /// The Content-Length, if it was sent and the body is not content-encoded.
    public let expectedByteCount: Int?
    /// The header fields, keyed by lowercase name.
    ///
    /// The lines of a list field are joined; for any other field, the last line is used.
    public let headers: [String: String]
    /// The URL of the response, after redirects; nil if the transport does not know it.
    public var url: String?
    /// The HTTP version used: "1.0", "1.1", "2" or "3"; nil if the transport does not know it.
    public let httpVersion: String?
    /// Whether the server's certificate failed verification and was accepted because the request's
    /// policy allows it.
    public var hasUnverifiedCertificate = false

    /// Creates a head.
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

/// The identifier of one transfer; never reused within a process.
public struct TransferID: Hashable, Sendable {
    private static let counter = Atomic<UInt64>(0)

    package let rawValue: UInt64

    /// Creates an identifier with a chosen number; `unique()` returns an unused identifier.
    package init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Returns an identifier that no other call to this function returns.
    ///
    /// This function can be called on any thread.
    public static func unique() -> TransferID {
        TransferID(rawValue: counter.wrappingAdd(1, ordering: .relaxed).newValue)
    }
}
