internal import Decoders

/// Steps that several stages of the journey share.
extension ImageManager {
    /// Decodes, processes and keeps a picture in memory.
    func picture(
        from bytes: [UInt8],
        _ source: ImageSource,
        for run: LoadTask
    ) async throws(ImageLoadingError) -> ImageResponse {
        let image = try await decoded(bytes, for: run)
        keepInMemory(image, for: run)
        return ImageResponse(
            image: image,
            source: source,
            byteCount: bytes.count,
            httpStatus: nil
        )
    }

    /// Decodes and processes.
    func decoded(
        _ bytes: [UInt8],
        for run: LoadTask
    ) async throws(ImageLoadingError) -> DecodedImage {
        do throws(ImageLoadingError) {
            let product = try await decoding.picture(from: bytes, for: run)
            tracer.record(.decoded(product.duration), url: run.key.url.absoluteString)
            return product.image
        } catch {
            if error.kind == .cancelled { counters.withLock { $0.decodesSaved += 1 } }
            throw error
        }
    }

    func keepInMemory(_ image: DecodedImage, for run: LoadTask) {
        // A load for the disk decoded no more than the header.
        guard run.key.purpose == .picture, !Task.isCancelled else { return }
        cache.memory.insert(image, for: run.key.image, begun: run.begun.memory)
        tracer.record(
            .stored(.memory, byteCount: image.pixels.bytes.count),
            url: run.key.url.absoluteString
        )
    }

    /// Whether the network may be asked for the picture.
    func checkMayAsk(for key: LoadKey) throws(ImageLoadingError) {
        guard !Task.isCancelled else { throw .cancelled }
        guard !key.isCacheOnly else {
            throw ImageLoadingError(stage: .cache, kind: .policy, reason: .notCached)
        }
        guard resolver.hooks.shouldDownload?(key.url) ?? true else {
            throw ImageLoadingError(stage: .request, kind: .policy, reason: .downloadForbidden)
        }
        guard !key.retriesFailed else { return }
        let now = clock.uptime()
        let remembered = failures.withLock { $0.error(for: key.url, at: now) }
        if let remembered { throw remembered }
    }

    /// Before anyone is told (open point a).
    func remember(_ error: ImageLoadingError, for run: LoadTask) {
        let now = clock.uptime()
        failures.withLock {
            $0.remember(error, for: run.key.url, at: now, contentHash: run.rejectedContentHash)
        }
    }

    /// Tells everyone who listens to a run; those who join later hear it then.
    func tell(_ event: LoadEvent, to run: LoadTask) {
        run.note(event)
        let listeners = runs.withLock { $0.listeners(of: run.key, run: run.number) }
        for operation in listeners { operation.send(event) }
    }
}

extension ImageLoadingError {
    /// Whether a failed decode tells that the bytes are bad, rather than that nobody waits or that
    /// they are more than our limits allow.
    var rejectsContent: Bool {
        switch reason {
        case .decoding(let error): !error.isLimit
        default: false
        }
    }
}
