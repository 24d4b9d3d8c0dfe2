internal import Decoders

extension ImageManager {
    /// Runs the journey and tells everyone who still waits for it.
    func carryOut(_ run: LoadRun) async {
        let result: Result<ImageResponse, ImageLoadingError>
        do throws(ImageLoadingError) {
            result = .success(try await journey(of: run))
        } catch {
            result = .failure(error)
        }
        for operation in runs.withLock({ $0.finish(run.key, run: run.number) }) {
            finish(operation, with: result)
        }
    }

    /// The whole journey of a request that the memory cache did not answer, from top to bottom.
    private func journey(of run: LoadRun) async throws(ImageLoadingError) -> ImageResponse {
        let key = run.key
        let begun = cache.generations

        // Local bytes need no cache and are not remembered when bad: the file may be mended.
        if let bytes = try await cache.localBytes(
            of: key.url,
            priority: run.download.priority
        ) {
            let image = try await decode(bytes, for: run)
            cache.keep(image, for: key, begun: begun)
            return response(image, .disk, bytes)
        }

        if !key.isRefresh, let cached = try await diskImage(for: run, begun) { return cached }

        // Asked after the disk on purpose: a failed refresh must not hide a picture we have.
        try checkFailures(of: key)
        do throws(ImageLoadingError) {
            let response = try await download(for: run)
            failures.withLock { $0.forget(key.url.absoluteString) }
            return response
        } catch {
            let now = clock.uptime()
            failures.withLock { $0.remember(error, for: key.url.absoluteString, at: now) }
            throw error
        }
    }

    /// The picture from the network, kept in both caches.
    private func download(for run: LoadRun) async throws(ImageLoadingError) -> ImageResponse {
        let key = run.key
        let begun = cache.generations
        let body = try await downloader.body(
            for: DownloadRequest(url: key.url.absoluteString),
            handle: run.download
        ) { [weak self] event in self?.report(event, of: run) }
        do throws(ImageLoadingError) {
            let image = try await decode(body.bytes, for: run)
            cache.keep(image, for: key, begun: begun)
            cache.keep(body.bytes, for: key, begun: begun)
            return response(image, .network, body.bytes, status: body.head.status)
        } catch {
            // Paid for, and nothing says that they are bad.
            if !error.condemnsBytes { cache.keep(body.bytes, for: key, begun: begun) }
            throw error
        }
    }

    /// The picture from the disk cache, or nil.
    ///
    /// Bytes that don't decode are deleted: the network may have better ones. Not so if our own
    /// limits forbid to decode them: the network would bring the same bytes again.
    private func diskImage(
        for run: LoadRun,
        _ begun: ImageCache.Generations
    ) async throws(ImageLoadingError) -> ImageResponse? {
        guard let disk = cache.disk,
            let bytes = await disk.data(for: run.key.url, priority: run.download.priority)
        else { return nil }
        do throws(ImageLoadingError) {
            let image = try await decode(bytes, for: run)
            cache.keep(image, for: run.key, begun: begun)
            return response(image, .disk, bytes)
        } catch {
            guard error.condemnsBytes else { throw error }
            await disk.remove(run.key.url)
            return nil
        }
    }

    private func checkFailures(of key: LoadKey) throws(ImageLoadingError) {
        guard !key.isCacheOnly else {
            throw ImageLoadingError(stage: .cache, kind: .policy, reason: .notCached)
        }
        guard !key.retriesFailed else { return }
        let now = clock.uptime()
        let remembered = failures.withLock { $0.error(for: key.url.absoluteString, at: now) }
        if let remembered { throw remembered }
    }

    private func decode(
        _ bytes: [UInt8],
        for run: LoadRun
    ) async throws(ImageLoadingError) -> DecodedImage {
        try await decoding.decode(
            bytes,
            targetSize: run.key.image.targetSize,
            contentMode: run.key.image.contentMode,
            priority: run.download.priority
        )
    }

    private func response(
        _ image: DecodedImage,
        _ source: ImageSource,
        _ bytes: [UInt8],
        status: Int? = nil
    ) -> ImageResponse {
        ImageResponse(image: image, source: source, byteCount: bytes.count, httpStatus: status)
    }

    private func report(_ event: DownloadEvent, of run: LoadRun) {
        let listeners = runs.withLock { $0.listeners(of: run.key, run: run.number) }
        for operation in listeners { operation.send(LoadEvent(event)) }
    }
}

extension ImageLoadingError {
    /// Whether a failed decode tells that the bytes are bad, rather than that nobody waits or that
    /// they are more than our limits allow.
    fileprivate var condemnsBytes: Bool {
        switch reason {
        case .cancelled, .decoding(.tooManyPixels), .decoding(.tooMuchMemory): false
        default: true
        }
    }
}

extension LoadEvent {
    fileprivate init(_ event: DownloadEvent) {
        switch event {
        case .queued: self = .queued
        case .progress(let progress): self = .progress(progress)
        }
    }
}
