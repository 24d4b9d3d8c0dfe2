internal import Decoders

/// The stages of the journey that the network answers.
extension ImageManager {
    /// The picture from the network, or the server's word that the known one is good; kept in both
    /// caches.
    func fetch(
        _ known: KnownPicture,
        for run: LoadRun
    ) async throws(ImageLoadingError) -> ImageResponse {
        let request = try await downloadRequest(for: run, known)
        let sent = clock.wallTime()
        let body = try await downloader.body(
            for: request,
            handle: run.download
        ) { [weak self] event in self?.tell(LoadEvent(event), to: run) }
        let times = ExchangeTimes(request: sent, response: clock.wallTime())
        guard body.head.status == 304 else {
            let response = CachedResponse(body.head, of: run.key.headers, times: times)
            return try await arrived(body, response, known, for: run)
        }
        let confirmed = try await confirmed(body.head, times, known, for: run)
        if let confirmed { return confirmed }
        // The 304 speaks of other bytes than ours, or ours are no picture: ask without condition.
        return try await fetch(.nothing, for: run)
    }

    // MARK: Asking

    func downloadRequest(
        for run: LoadRun,
        _ known: KnownPicture
    ) async throws(ImageLoadingError) -> DownloadRequest {
        let key = run.key
        let conditions = known.body?.response?.conditionalFields(for: key.headers) ?? []
        var request = DownloadRequest(
            url: key.url.absoluteString,
            headers: key.headers + conditions,
            policy: key.policy
        )
        request.place = run.place
        request.wishNumber = run.number
        if conditions.isEmpty { request.partial = await partial(for: key) }
        guard let modify = resolver.hooks.modifyRequest else { return request }
        let modified = try await modify(request)
        guard !Task.isCancelled else { throw .cancelled }
        return modified
    }

    /// The beginning of the body, if an earlier transfer left one (row F26).
    private func partial(for key: LoadKey) async -> PartialBody? {
        guard let entry = await cache.disk?.partial(for: key.url) else { return nil }
        return PartialBody(bytes: entry.bytes, metadata: entry.metadata)
    }

    // MARK: Answers

    /// A 304 (rows M17, F6): nil if it is of no use.
    private func confirmed(
        _ head: TransferHead,
        _ times: ExchangeTimes,
        _ known: KnownPicture,
        for run: LoadRun
    ) async throws(ImageLoadingError) -> ImageResponse? {
        let key = run.key
        guard let body = known.body,
            let response = body.response?.revalidated(by: head, of: key.headers, times: times)
        else { return nil }
        cache.disk?.updateMetadata(response.encoded(), for: key.url)
        var answer = known.shown
        // Decoded only now if nobody had to see it before.
        if answer == nil { answer = try await pictureOnDisk(body, for: run) }
        guard var answer else { return nil }
        noteConfirmed(key)
        answer.isNotModified = true
        answer.httpStatus = head.status
        return answer
    }

    private func noteConfirmed(_ key: LoadKey) {
        counters.withLock { $0.notModified += 1 }
        failures.withLock { $0.forget(key.url) }
        tracer.record(.notModified, url: key.url.absoluteString)
    }

    /// A body (row M18).
    private func arrived(
        _ body: DownloadedBody,
        _ response: CachedResponse,
        _ known: KnownPicture,
        for run: LoadRun
    ) async throws(ImageLoadingError) -> ImageResponse {
        let bytes = try await transformed(body.bytes, for: run)
        do throws(ImageLoadingError) {
            var answer = try await newPicture(from: bytes, known, for: run)
            answer.httpStatus = body.head.status
            keeper.keep(bytes, response, at: run.place)
            failures.withLock { $0.forget(run.key.url) }
            return answer
        } catch {
            // Paid for, and nothing says that they are bad.
            if !error.condemnsBytes { keeper.keep(bytes, response, at: run.place) }
            throw error
        }
    }

    private func newPicture(
        from bytes: [UInt8],
        _ known: KnownPicture,
        for run: LoadRun
    ) async throws(ImageLoadingError) -> ImageResponse {
        // A server without validators sends the same again: nothing to decode (row M17).
        if var shown = known.shown, bytes == known.body?.bytes {
            noteConfirmed(run.key)
            shown.isNotModified = true
            return shown
        }
        let image = try await decodedOnce(bytes, for: run)
        // What memory has of it in other sizes is of yesterday.
        if run.key.isRefresh || known.body != nil { cache.memory.remove(run.key.url) }
        keepInMemory(image, for: run)
        return ImageResponse(
            image: image,
            source: .network,
            byteCount: bytes.count,
            httpStatus: nil
        )
    }

    /// Decodes, unless exactly these bytes have failed to before; changed ones are tried again.
    private func decodedOnce(
        _ bytes: [UInt8],
        for run: LoadRun
    ) async throws(ImageLoadingError) -> DecodedImage {
        let mark = { bytes.hashValue }
        if let failure = failures.withLock({ $0.failure(of: run.key.url, mark: mark) }) {
            counters.withLock { $0.decodesSaved += 1 }
            run.condemnedMark = mark()
            throw failure
        }
        do throws(ImageLoadingError) {
            return try await decoded(bytes, for: run)
        } catch {
            if error.condemnsBytes { run.condemnedMark = mark() }
            throw error
        }
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
}

extension LoadEvent {
    fileprivate init(_ event: DownloadEvent) {
        switch event {
        case .queued: self = .queued
        case .progress(let progress): self = .progress(progress)
        }
    }
}
