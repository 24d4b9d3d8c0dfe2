import ImageLoading

/// Everything one transfer reported.
struct TransferOutcome {
    var heads: [TransferHead] = []
    var body: [UInt8] = []
    var error: ImageLoadingError?

    var head: TransferHead? { heads.first }
    var status: Int? { head?.status }

    /// The text of a transport error.
    var errorText: String? {
        guard case .transport(let failure) = error?.reason else { return nil }
        return failure.text
    }
}

extension HTTPTransport {
    /// Starts a transfer, and returns its events as a stream that ends with the transfer.
    func events(of request: TransferRequest) -> AsyncStream<TransferEvent> {
        let (stream, continuation) = AsyncStream.makeStream(of: TransferEvent.self)
        start(request) { event in
            continuation.yield(event)
            if case .finished = event { continuation.finish() }
        }
        return stream
    }

    /// Runs a transfer to its end.
    func run(
        _ url: String,
        headers: [HeaderField] = [],
        maximumByteCount: Int = 1 << 20,
        policy: TransferPolicy = TransferPolicy()
    ) async -> TransferOutcome {
        let request = TransferRequest(
            id: .unique(),
            url: url,
            headers: headers,
            maximumByteCount: maximumByteCount,
            policy: policy
        )
        var outcome = TransferOutcome()
        for await event in events(of: request) {
            switch event {
            case .head(let head): outcome.heads.append(head)
            case .chunk(let bytes): outcome.body += bytes
            case .finished(let error): outcome.error = error
            }
        }
        return outcome
    }
}

extension CurlTransportConfiguration {
    /// A configuration with long time limits, for tests with silent servers or idle connections.
    static var patient: Self {
        var configuration = Self()
        configuration.idleTimeout = .seconds(3_600)
        configuration.maximumIdleConnectionAge = .seconds(3_600)
        return configuration
    }
}
