import SystemSupport

/// A transport for custom URL schemes.
///
/// If a source is registered for the scheme of a URL, the source performs the transfer. Otherwise,
/// the network transport performs it.
final class SourceTransport: BatchingTransport {
    private struct Running {
        let task: Task<Void, Never>
        let body: ImageDataWriter
    }

    private let network: any HTTPTransport
    private let sources: [String: any ImageDataSource]
    private let running = Protected<[TransferID: Running]>([:])

    /// Creates a transport; the keys of `sources` are lowercase schemes.
    init(network: any HTTPTransport, sources: [String: any ImageDataSource]) {
        self.network = network
        self.sources = sources
    }

    func startBatching(
        _ request: TransferRequest,
        onEvents: @escaping @Sendable ([TransferEvent]) -> Void
    ) {
        let scheme = String(decoding: request.url.utf8.prefix { $0 != 0x3A }, as: UTF8.self)
        guard let source = sources[scheme] else {
            return network.startBatching(request, onEvents: onEvents)
        }
        do throws(ImageLoadingError) {
            let url = try ImageURL(parsing: request.url, origin: .local, sources: sources)
            guard case .part(let part) = try source.location(of: url) else {
                return write(request, url, from: source, onEvents)
            }
            startPart(part, request, onEvents)
        } catch {
            onEvents([.finished(error)])
        }
    }

    func cancel(_ id: TransferID) {
        guard let transfer = running.withLock({ $0.removeValue(forKey: id) }) else {
            return network.cancel(id)
        }
        transfer.body.close()
        transfer.task.cancel()
    }

    // MARK: Bodies that the source writes

    private func write(
        _ request: TransferRequest,
        _ url: ImageURL,
        from source: any ImageDataSource,
        _ onEvents: @escaping @Sendable ([TransferEvent]) -> Void
    ) {
        let body = ImageDataWriter(
            maximumByteCount: request.maximumByteCount,
            onEvents: onEvents
        )
        running.withLock { running in
            let task = Task {
                let error = await Self.read(url, request, from: source, into: body)
                self.running.withLock { $0[request.id] = nil }
                body.finish(error)
            }
            running[request.id] = Running(task: task, body: body)
        }
    }

    private static func read(
        _ url: ImageURL,
        _ request: TransferRequest,
        from source: any ImageDataSource,
        into body: ImageDataWriter
    ) async -> ImageLoadingError? {
        do {
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

    // MARK: Parts of resources on servers

    private func startPart(
        _ part: NetworkPart,
        _ request: TransferRequest,
        _ onEvents: @escaping @Sendable ([TransferEvent]) -> Void
    ) {
        guard part.byteCount <= request.maximumByteCount else {
            return onEvents([.finished(.download(.tooLarge(limit: request.maximumByteCount)))])
        }
        var ranged = request
        ranged.url = part.url
        ranged.headers = Self.headers(request.headers, part)
        let extraction = Protected(PartExtraction(part))
        let (network, id) = (network, request.id)
        network.startBatching(ranged) { arrived in
            let (events, isBroken) = extraction.withLock { extraction in
                let events = arrived.flatMap { extraction.take($0) }
                return (events, extraction.isBroken)
            }
            if !events.isEmpty { onEvents(events) }
            if isBroken { network.cancel(id) }
        }
    }

    private static func headers(_ headers: [HeaderField], _ part: NetworkPart) -> [HeaderField] {
        let last = max(part.range.lowerBound, part.range.upperBound - 1)
        var own = [
            HeaderField("Range", "bytes=\(part.range.lowerBound)-\(last)"),
            HeaderField("Accept-Encoding", "identity"),
        ]
        if let validator = part.validator { own.append(HeaderField("If-Range", validator)) }
        // A part has no version of its own, so it cannot be revalidated.
        let others = ["If-None-Match", "If-Modified-Since"]
        return headers.filter { field in
            !own.contains { field.isNamed($0.name) } && !others.contains(where: field.isNamed)
        } + own
    }
}
