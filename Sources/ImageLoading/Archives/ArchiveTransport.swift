import SystemSupport

/// A transport for members of remote archives, which requests the part of an archive that contains
/// a member and presents it as a resource of its own.
final class ArchiveTransport: BatchingTransport {
    private let network: any HTTPTransport

    init(network: any HTTPTransport) {
        self.network = network
    }

    func startBatching(
        _ request: TransferRequest,
        onEvents: @escaping @Sendable ([TransferEvent]) -> Void
    ) {
        guard let file = RemoteArchivedFile(url: request.url) else {
            return network.startBatching(request, onEvents: onEvents)
        }
        guard file.byteCount <= request.maximumByteCount else {
            return onEvents([.finished(.download(.tooLarge(limit: request.maximumByteCount)))])
        }
        var part = request
        part.url = file.archive
        part.headers = Self.headers(request.headers, file)
        let extraction = Protected(ArchiveExtraction(file))
        let (network, id) = (network, request.id)
        network.startBatching(part) { arrived in
            let (events, isBroken) = extraction.withLock { extraction in
                let events = arrived.flatMap { extraction.take($0) }
                return (events, extraction.isBroken)
            }
            if !events.isEmpty { onEvents(events) }
            if isBroken { network.cancel(id) }
        }
    }

    func cancel(_ id: TransferID) {
        network.cancel(id)
    }

    private static func headers(
        _ headers: [HeaderField],
        _ file: RemoteArchivedFile
    ) -> [HeaderField] {
        let range = file.range
        var own = [
            HeaderField(
                "Range",
                "bytes=\(range.lowerBound)-\(max(range.lowerBound, range.upperBound - 1))"
            ),
            HeaderField("Accept-Encoding", "identity"),
        ]
        if let validator = file.validator { own.append(HeaderField("If-Range", validator)) }
        // A member has no version of its own, so the server cannot be asked whether it has changed.
        let others = ["If-None-Match", "If-Modified-Since"]
        return headers.filter { field in
            !own.contains { field.isNamed($0.name) } && !others.contains(where: field.isNamed)
        } + own
    }
}

/// The extraction of one member from the part of an archive that a transfer receives.
struct ArchiveExtraction {
    private enum Phase {
        case waiting
        /// The response contains no member and is passed on.
        case passing
        /// The local header is being received.
        case header([UInt8])
        case body(decoder: ContentDecoder?)
        case ended
    }

    private let file: RemoteArchivedFile
    private var phase = Phase.waiting
    private var byteCount = 0
    private var checksum = ZipChecksum()
    /// Whether the rest of the transfer is useless and must be cancelled; the error was already
    /// reported.
    private(set) var isBroken = false

    init(_ file: RemoteArchivedFile) {
        self.file = file
    }

    /// Converts an event of the transfer to events for the caller that requested the member.
    mutating func take(_ event: TransferEvent) -> [TransferEvent] {
        switch (event, phase) {
        case (_, .ended): return []
        case (.head(let head), _): return take(head)
        case (.chunk(let bytes), .passing): return [.chunk(bytes)]
        case (.chunk(let bytes), .header(let before)): return takeHeader(before + bytes)
        case (.chunk(let bytes), .body(let decoder)): return takeBody(bytes, decoder)
        case (.chunk, .waiting): return []
        case (.finished(let error?), _): return end(error)
        case (.finished(nil), .passing): return end(nil)
        case (.finished(nil), _):
            guard byteCount == file.byteCount else { return fail(Self.damage) }
            if case .zip(_, _, let crc32?) = file.place, crc32 != checksum.value {
                return fail(ZipChecksum.mismatch)
            }
            return end(nil)
        }
    }

    private static let damage =
        "the file in the archive is damaged or has another length than its directory entry"

    private mutating func end(_ error: ImageLoadingError?) -> [TransferEvent] {
        phase = .ended
        return [.finished(error)]
    }

    private mutating func fail(_ text: String) -> [TransferEvent] {
        isBroken = true
        return end(.download(.dataSource(text)))
    }

    private mutating func take(_ head: TransferHead) -> [TransferEvent] {
        switch head.status {
        case 206:
            let range = head.headers["content-range"].flatMap { ContentRange($0) }
            guard range?.bytes?.lowerBound == file.range.lowerBound else {
                return end(.download(.rangeMismatch))
            }
            guard file.isOfSameArchive(ArchiveValidator.of(head), range?.total) else {
                return fail(ArchiveValidator.mismatch)
            }
            if case .plain = file.place {
                phase = .body(decoder: nil)
            } else {
                phase = .header([])
            }
            return [.head(fileHead(head))]
        case 200...299:
            return fail(ArchiveValidator.mismatchOrWhole)
        case 416:
            // The archive was long enough for the range when its directory was read, so it has
            // changed.
            return fail(ArchiveValidator.mismatch)
        default:
            phase = .passing
            return [.head(head)]
        }
    }

    /// Returns the head of the response for the member.
    ///
    /// The head offers no ranges, because a partial body cannot be resumed at offsets within the
    /// member.
    private func fileHead(_ head: TransferHead) -> TransferHead {
        let ofArchive: Set = [
            "content-range", "content-length", "content-type", "etag", "last-modified",
        ]
        var headers = head.headers.filter { !ofArchive.contains($0.key) }
        headers["accept-ranges"] = "none"
        var file = TransferHead(
            status: 200,
            expectedByteCount: self.file.byteCount,
            headers: headers,
            httpVersion: head.httpVersion
        )
        file.hasUnverifiedCertificate = head.hasUnverifiedCertificate
        return file
    }

    private mutating func takeHeader(_ bytes: [UInt8]) -> [TransferEvent] {
        guard bytes.count >= ZipLocalHeader.byteCount else {
            phase = .header(bytes)
            return []
        }
        let isDeflated = if case .zip(_, .some, _) = file.place { true } else { false }
        guard let local = ZipLocalHeader(bytes), local.isDeflated == isDeflated,
            !local.isEncrypted
        else { return fail("the archive does not match its directory") }
        guard bytes.count >= local.wholeByteCount else {
            phase = .header(bytes)
            return []
        }
        let decoder = isDeflated ? ContentDecoder() : nil
        phase = .body(decoder: decoder)
        return takeBody(Array(bytes.dropFirst(local.wholeByteCount)), decoder)
    }

    /// Extracts bytes of the member; bytes after its end belong to the next member.
    private mutating func takeBody(
        _ bytes: [UInt8],
        _ decoder: ContentDecoder?
    ) -> [TransferEvent] {
        let missing = file.byteCount - byteCount
        guard let decoder else {
            let own = Array(bytes.prefix(missing))
            return take(own)
        }
        guard !decoder.isAtEnd else { return [] }
        var made: [UInt8] = []
        let outcome = bytes.withUnsafeBytes { packed in
            decoder.decode(packed) { piece in
                guard made.count + piece.count <= missing else { return false }
                made.append(contentsOf: piece)
                return true
            }
        }
        guard outcome == .wantsMore else { return fail(Self.damage) }
        return take(made)
    }

    /// Passes on extracted bytes of the member.
    private mutating func take(_ bytes: [UInt8]) -> [TransferEvent] {
        byteCount += bytes.count
        checksum.add(bytes)
        return bytes.isEmpty ? [] : [.chunk(bytes)]
    }
}
