internal import Synchronization

/// A type that transfers bytes over the network.
///
/// The manager uses the network only through this protocol.
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
    /// If several events of a transfer are available at the same time, the transport delivers them
    /// together, in order, so the receiver can handle them in one step. The default implementation
    /// delivers each event separately.
    func startBatching(
        _ request: TransferRequest,
        onEvents: @escaping @Sendable ([TransferEvent]) -> Void
    )

    /// Ends a transfer without a `finished` event.
    ///
    /// If an event is already being delivered, its delivery continues. If the transfer is unknown
    /// or has ended, the method has no effect. Do not call this method before `start` of the same
    /// transfer has returned.
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

/// A transport that implements `startBatching`; its `start` delivers the events one by one.
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

/// An event of a transfer: at most one response head, then any number of chunks, then one end.
public enum TransferEvent: Sendable {
    /// The status and the header fields of the response.
    case head(TransferHead)
    /// The next bytes of the body; the array is not changed afterward.
    case chunk([UInt8])
    /// The end of the transfer, with its error; nil if the transfer succeeded.
    case finished(ImageLoadingError?)
}

/// The status and the header fields of the final response, after all redirects.
public struct TransferHead: Hashable, Sendable {
    /// The HTTP status code.
    public let status: Int
    /// The value of Content-Length; nil if it was not sent or if the body has a content coding.
    public let expectedByteCount: Int?
    /// The header fields, keyed by lowercase name.
    ///
    /// If a field has several lines, the lines of a list field are joined, and the last line of any
    /// other field is used.
    public let headers: [String: String]
    /// The URL of the response after redirects, or nil if the transport does not report it.
    public var url: String?
    /// The HTTP version of the response: "1.0", "1.1", "2" or "3"; nil if unknown.
    public let httpVersion: String?
    /// Whether the server's certificate failed verification and was accepted because the policy of
    /// the request allows it.
    public var hasUnverifiedCertificate = false

    /// Creates a response head.
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

    /// Creates an identifier from a number; use `unique()` for an unused identifier.
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
