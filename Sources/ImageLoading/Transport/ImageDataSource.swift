/// Brings the bytes of images from somewhere that is no web server: an archive, an object store, a
/// camera.
///
/// `ImageManagerConfiguration.sources` has one for each URL scheme of the program's own. Its loads
/// are loads like any other: queued, shared, cancelled, retried, cached on disk and in memory; no
/// need to imitate HTTP.
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
    /// Writes the body of a URL to `body`, as a whole or in pieces, and returns when that was all.
    ///
    /// Runs in a task of its own, which is cancelled when nobody waits for the image any more. It
    /// must not block its thread: read files and devices on a thread of the program's own. An
    /// `ImageLoadingError` that it throws ends the load as it is, and is retried if it is transient;
    /// any other error is permanent and shown in its own words.
    func read(_ url: ImageURL, into body: ImageDataWriter) async throws
}

/// Where an `ImageDataSource` puts the bytes of one image; for any thread, one at a time.
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

    /// Announces the length of the body, for progress; of effect before the first `write` only.
    public func announce(byteCount: Int) {
        phase.withLock { phase in
            if case .new = phase { phase = .new(expectedByteCount: max(0, byteCount)) }
        }
    }

    /// Adds bytes to the body; one call at a time, in the body's order.
    ///
    /// What is written after the task was cancelled, or past the largest body that is allowed, is
    /// dropped.
    public func write(_ bytes: [UInt8]) {
        tell(phase.withLock { events(for: bytes, &$0) })
    }

    /// Whether more was written than a body may have.
    var isTooLarge: Bool {
        phase.withLock {
            if case .begun(let count) = $0 { count > maximumByteCount } else { false }
        }
    }

    /// Ends the body; of no effect after `close`.
    func finish(_ error: ImageLoadingError?) {
        let events = phase.withLock { phase -> [TransferEvent] in
            // An empty body has a head, too.
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

    /// From here on nothing is told any more.
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

/// Sends each transfer to the source of its URL's scheme, and all others to the network.
final class SourceTransport: BatchingTransport {
    private struct Running {
        let task: Task<Void, Never>
        let body: ImageDataWriter
    }

    private let network: any HTTPTransport
    private let sources: [String: any ImageDataSource]
    private let running = Protected<[TransferID: Running]>([:])

    /// `sources` by scheme, in lower case.
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
