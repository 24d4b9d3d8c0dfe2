internal import Decoders

/// The stages of the journey that don't ask the network.
extension ImageManager {
    func localBytes(for run: LoadRun) async throws(ImageLoadingError) -> [UInt8]? {
        try await cache.localBytes(of: run.key.url, priority: run.priority)
    }

    /// Decodes, processes and keeps a picture in memory.
    func picture(
        from bytes: [UInt8],
        _ source: ImageSource,
        for run: LoadRun,
        _ begun: ImageCache.Generations
    ) async throws(ImageLoadingError) -> ImageResponse {
        do throws(ImageLoadingError) {
            let product = try await decoding.picture(from: bytes, for: run)
            tracer.record(.decoded(product.duration), url: run.key.url.absoluteString)
            let image = product.image
            if run.key.purpose == .picture { cache.keep(image, for: run.key, begun: begun) }
            return ImageResponse(
                image: image,
                source: source,
                byteCount: bytes.count,
                httpStatus: nil
            )
        } catch {
            if error.kind == .cancelled { counters.withLock { $0.decodesSaved += 1 } }
            throw error
        }
    }

    /// The picture that is in a cache, or nil.
    ///
    /// Bytes that don't decode are deleted: the network may have better ones. Not so if our own
    /// limits forbid to decode them: the network would bring the same bytes again.
    func cachedPicture(
        for run: LoadRun,
        _ begun: ImageCache.Generations
    ) async throws(ImageLoadingError) -> ImageResponse? {
        guard !run.key.isLoaderOnly, let disk = cache.disk,
            let bytes = await disk.data(for: run.key.url, priority: run.priority)
        else { return nil }
        do throws(ImageLoadingError) {
            return try await picture(from: bytes, .disk, for: run, begun)
        } catch {
            guard error.condemnsBytes else { throw error }
            await disk.remove(run.key.url)
            return nil
        }
    }

    /// Whether the network may be asked for the picture.
    func checkMayAsk(for key: LoadKey) throws(ImageLoadingError) {
        guard !key.isCacheOnly else {
            throw ImageLoadingError(stage: .cache, kind: .policy, reason: .notCached)
        }
        guard resolver.hooks.shouldDownload?(key.url) ?? true else {
            throw ImageLoadingError(stage: .request, kind: .policy, reason: .downloadForbidden)
        }
        guard !key.retriesFailed else { return }
        let now = clock.uptime()
        let remembered = failures.withLock { $0.error(for: key.url.cacheKey, at: now) }
        if let remembered { throw remembered }
    }

    func remember(_ error: ImageLoadingError, for key: LoadKey) {
        let now = clock.uptime()
        failures.withLock { $0.remember(error, for: key.url.cacheKey, at: now) }
    }

    /// Tells everyone who listens to a run; those who join later hear it then.
    func tell(_ event: LoadEvent, to run: LoadRun) {
        run.note(event)
        let listeners = runs.withLock { $0.listeners(of: run.key, run: run.number) }
        for operation in listeners { operation.send(event) }
    }
}

extension ImageLoadingError {
    /// Whether a failed decode tells that the bytes are bad, rather than that nobody waits or that
    /// they are more than our limits allow.
    var condemnsBytes: Bool {
        switch reason {
        case .decoding(.tooManyPixels), .decoding(.tooMuchMemory): false
        case .decoding: true
        default: false
        }
    }
}
