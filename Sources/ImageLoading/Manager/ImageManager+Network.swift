extension ImageManager {
    /// The picture from the network, kept in both caches.
    func download(
        for run: LoadRun,
        _ begun: ImageCache.Generations
    ) async throws(ImageLoadingError) -> ImageResponse {
        let key = run.key
        let request = try await downloadRequest(for: key)
        let body = try await downloader.body(
            for: request,
            handle: run.download
        ) { [weak self] event in self?.tell(LoadEvent(event), to: run) }
        let bytes = try await transformed(body.bytes, for: run)
        do throws(ImageLoadingError) {
            var response = try await picture(from: bytes, .network, for: run, begun)
            response.httpStatus = body.head.status
            keepOnDisk(bytes, for: key, begun)
            failures.withLock { $0.forget(key.url.cacheKey) }
            return response
        } catch {
            // Paid for, and nothing says that they are bad.
            if !error.condemnsBytes { keepOnDisk(bytes, for: key, begun) }
            throw error
        }
    }

    private func downloadRequest(
        for key: LoadKey
    ) async throws(ImageLoadingError) -> DownloadRequest {
        let request = DownloadRequest(
            url: key.url.absoluteString,
            headers: key.headers,
            policy: key.policy
        )
        guard let modify = resolver.hooks.modifyRequest else { return request }
        let modified = try await modify(request)
        guard !Task.isCancelled else { throw .cancelled }
        return modified
    }

    private func transformed(
        _ bytes: [UInt8],
        for run: LoadRun
    ) async throws(ImageLoadingError) -> [UInt8] {
        guard let transform = resolver.hooks.transformBody else { return bytes }
        let url = run.key.url
        return try await decoding.perform(run.work) { _ throws(ImageLoadingError) in
            guard let transformed = transform(url, bytes) else {
                throw .processing(by: "transformBody")
            }
            return transformed
        }
    }

    /// Soon, on other threads: the body goes through its hook first.
    private func keepOnDisk(
        _ bytes: [UInt8],
        for key: LoadKey,
        _ begun: ImageCache.Generations
    ) {
        guard let serialise = resolver.hooks.bodyToStore else {
            return cache.keep(bytes, for: key, begun: begun)
        }
        decoding.pool.submit(priority: .low) { [cache] in
            guard let kept = serialise(key.url, bytes) else { return }
            cache.keep(kept, for: key, begun: begun)
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
