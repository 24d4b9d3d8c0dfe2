/// Converts the response for part of a resource to the response for one image.
struct PartExtraction {
    private enum Phase {
        case waiting
        /// The response does not contain the part; it is passed on unchanged.
        case passing
        case body
        case ended
    }

    private let part: NetworkPart
    private var extractor: any ImageDataExtractor
    private var phase = Phase.waiting
    private var byteCount = 0
    /// Whether the rest of the transfer is useless and must be cancelled.
    ///
    /// The error has already been returned as an event.
    private(set) var isBroken = false

    init(_ part: NetworkPart) {
        self.part = part
        extractor = part.makeExtractor()
    }

    /// Converts an event of the transfer to events for the caller that requested the image.
    mutating func take(_ event: TransferEvent) -> [TransferEvent] {
        switch (event, phase) {
        case (_, .ended): return []
        case (.head(let head), _): return take(head)
        case (.chunk(let bytes), .passing): return [.chunk(bytes)]
        case (.chunk(let bytes), .body): return take(bytes)
        case (.chunk, .waiting): return []
        case (.finished(let error?), _): return end(error)
        case (.finished(nil), .body): return finish()
        case (.finished(nil), _): return end(nil)
        }
    }

    private mutating func end(_ error: ImageLoadingError?) -> [TransferEvent] {
        phase = .ended
        return [.finished(error)]
    }

    private mutating func fail(_ error: ImageLoadingError) -> [TransferEvent] {
        isBroken = true
        return end(error)
    }

    /// Returns the events for a response that comes from a different version of the resource.
    private mutating func failChanged(_ detail: String = "") -> [TransferEvent] {
        let text = "\(part.resourceName) has changed on its server\(detail); open it again"
        return fail(.download(.changedResource(text)))
    }

    private mutating func take(_ head: TransferHead) -> [TransferEvent] {
        switch head.status {
        case 206:
            let range = head.headers["content-range"].flatMap { ContentRange($0) }
            guard range?.bytes?.lowerBound == part.range.lowerBound else {
                return end(.download(.rangeMismatch))
            }
            guard part.isOfKnownVersion(EntityValidator.of(head), range?.total) else {
                return failChanged()
            }
            phase = .body
            return [.head(imageHead(head))]
        case 200...299:
            return failChanged(", or the server no longer sends parts")
        case 416:
            // The resource was long enough for the range when the location of the image was read.
            return failChanged()
        default:
            phase = .passing
            return [.head(head)]
        }
    }

    /// Returns the head of the response for the image.
    ///
    /// The head does not allow range requests, because a partial body cannot be resumed at an
    /// offset within the image.
    private func imageHead(_ head: TransferHead) -> TransferHead {
        let ofResource: Set = [
            "content-range", "content-length", "content-type", "etag", "last-modified",
        ]
        var headers = head.headers.filter { !ofResource.contains($0.key) }
        headers["accept-ranges"] = "none"
        var image = TransferHead(
            status: 200,
            expectedByteCount: part.byteCount,
            headers: headers,
            httpVersion: head.httpVersion
        )
        image.hasUnverifiedCertificate = head.hasUnverifiedCertificate
        return image
    }

    private mutating func take(_ bytes: [UInt8]) -> [TransferEvent] {
        do throws(ImageLoadingError) {
            let own = try extractor.extract(from: bytes)
            byteCount += own.count
            guard byteCount <= part.byteCount else { return fail(lengthMismatch) }
            return own.isEmpty ? [] : [.chunk(own)]
        } catch {
            return fail(error)
        }
    }

    private mutating func finish() -> [TransferEvent] {
        do throws(ImageLoadingError) {
            guard byteCount == part.byteCount else { throw lengthMismatch }
            try extractor.finish()
            return end(nil)
        } catch {
            return fail(error)
        }
    }

    private var lengthMismatch: ImageLoadingError {
        .download(
            .dataSource(
                "the file in \(part.resourceName) is damaged or has another length than its directory entry"
            )
        )
    }
}
