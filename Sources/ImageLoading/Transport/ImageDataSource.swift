import SystemSupport

/// A source of image bytes other than a web server, such as an archive, an object store or a
/// camera.
///
/// Register a source for each custom URL scheme in `ImageManagerConfiguration.sources`. Its loads
/// are treated like any other: they are queued, coalesced, cancelled, retried and cached on disk
/// and in memory. There is no need to imitate HTTP.
///
///     struct Archive: ImageDataSource {
///         func read(_ url: ImageURL, into body: ImageDataWriter) async throws {
///             body.write(try await member(named: url.absoluteString))
///         }
///     }
///
///     configuration.sources["zip"] = Archive()
///     let request = ImageRequest(url: "zip://photos/0001.jpg")
public protocol ImageDataSource: Sendable {
    /// Writes the body of a URL to `body`, in one or more pieces, and returns when the body is
    /// complete.
    ///
    /// Runs in its own task, which is cancelled when no request waits for the image any more. It
    /// must not block its thread: read files and devices on a thread of the program's own. If it
    /// throws an `ImageLoadingError`, the load ends with that error and is retried if the error is
    /// transient. Any other error is permanent and shown with its own description.
    func read(_ url: ImageURL, into body: ImageDataWriter) async throws
}

/// The receiver of one image's bytes from an `ImageDataSource`; can be used on any thread, one call
/// at a time.
public struct ImageDataWriter: Sendable {
    private enum Phase {
        case new(expectedByteCount: Int?)
        case begun(byteCount: Int)
        case ended
    }

    private let phase = Protected(Phase.new(expectedByteCount: nil))
    private let maximumByteCount: Int
    private let onEvents: @Sendable ([TransferEvent]) -> Void

    init(maximumByteCount: Int, onEvents: @escaping @Sendable ([TransferEvent]) -> Void) {
        self.maximumByteCount = maximumByteCount
        self.onEvents = onEvents
    }

    /// Announces the length of the body for progress reports; has an effect only before the first
    /// `write`.
    public func announce(byteCount: Int) {
        phase.withLock { phase in
            if case .new = phase { phase = .new(expectedByteCount: max(0, byteCount)) }
        }
    }

    /// Appends bytes to the body.
    ///
    /// Calls must follow the order of the body and must not overlap.
    ///
    /// Bytes written after the task was cancelled or beyond the maximum body size are dropped.
    public func write(_ bytes: [UInt8]) {
        tell(phase.withLock { events(for: bytes, &$0) })
    }

    /// Whether the number of written bytes exceeds the maximum body size.
    var isTooLarge: Bool {
        phase.withLock {
            if case .begun(let count) = $0 { count > maximumByteCount } else { false }
        }
    }

    /// Ends the body; has no effect after `close`.
    func finish(_ error: ImageLoadingError?) {
        let events = phase.withLock { phase -> [TransferEvent] in
            // An empty body also needs a head.
            var events = self.events(for: [], &phase)
            if case .ended = phase { return [] }
            phase = .ended
            events.append(.finished(error))
            return events
        }
        tell(events)
    }

    private func tell(_ events: [TransferEvent]) {
        if !events.isEmpty { onEvents(events) }
    }

    /// Prevents all further events.
    func close() {
        phase.withLock { $0 = .ended }
    }

    private func events(for bytes: [UInt8], _ phase: inout Phase) -> [TransferEvent] {
        var events: [TransferEvent] = []
        if case .new(let expected) = phase {
            phase = .begun(byteCount: 0)
            events.append(.head(TransferHead(status: 200, expectedByteCount: expected)))
        }
        guard case .begun(let count) = phase, count <= maximumByteCount else { return events }
        phase = .begun(byteCount: count + bytes.count)
        if !bytes.isEmpty, count + bytes.count <= maximumByteCount { events.append(.chunk(bytes)) }
        return events
    }
}

/// A transport that routes each transfer to the source of its URL scheme, and all others to the
/// network.
final class SourceTransport: BatchingTransport {
    private struct Running {
        let task: Task<Void, Never>
        let body: ImageDataWriter
    }

    private let network: any HTTPTransport
    private let sources: [String: any ImageDataSource]
    private let running = Protected<[TransferID: Running]>([:])

    /// Creates a transport; the keys of `sources` are schemes in lower case.
    init(network: any HTTPTransport, sources: [String: any ImageDataSource]) {
        self.network = network
        self.sources = sources
    }

    func startBatching(
        _ request: TransferRequest,
        onEvents: @escaping @Sendable ([TransferEvent]) -> Void
    ) {
        guard let source = source(of: request.url) else {
            return network.startBatching(request, onEvents: onEvents)
        }
        let body = ImageDataWriter(
            maximumByteCount: request.maximumByteCount,
            onEvents: onEvents
        )
        running.withLock { running in
            let task = Task {
                let error = await Self.read(request, from: source, into: body)
                self.running.withLock { $0[request.id] = nil }
                body.finish(error)
            }
            running[request.id] = Running(task: task, body: body)
        }
    }

    func cancel(_ id: TransferID) {
        guard let transfer = running.withLock({ $0.removeValue(forKey: id) }) else {
            return network.cancel(id)
        }
        transfer.body.close()
        transfer.task.cancel()
    }

    private func source(of url: String) -> (any ImageDataSource)? {
        sources.isEmpty ? nil : sources[String(url.prefix { $0 != ":" })]
    }

    private static func read(
        _ request: TransferRequest,
        from source: any ImageDataSource,
        into body: ImageDataWriter
    ) async -> ImageLoadingError? {
        do {
            let scheme = String(request.url.prefix { $0 != ":" })
            let url = try ImageURL(parsing: request.url, origin: .local, sources: [scheme])
            try await source.read(url, into: body)
            return body.isTooLarge
                ? .download(.tooLarge(limit: request.maximumByteCount)) : nil
        } catch let error as ImageLoadingError {
            return error
        } catch is CancellationError {
            return .cancelled
        } catch {
            return .download(.dataSource("\(error)"))
        }
    }
}
