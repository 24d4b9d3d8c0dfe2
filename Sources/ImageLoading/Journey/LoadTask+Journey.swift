internal import Decoders

extension LoadTask {
    /// Makes the journey and tells everyone who still waits for it.
    func run() async {
        let result: Result<ImageResponse, ImageLoadingError>
        do throws(ImageLoadingError) {
            var response = try await journey()
            response.times = times
            result = .success(response)
        } catch {
            result = .failure(error)
        }
        end()
        for operation in engine.loads.withLock({ $0.finish(key, task: number) }) {
            engine.finish(operation, with: result)
        }
    }

    /// The whole journey of a request that the memory cache did not answer, from top to bottom.
    ///
    /// One that is cancelled ends at the next `try await`, each of which throws then.
    private func journey() async throws(ImageLoadingError) -> ImageResponse {
        // As it was shown before, if that is on disk and may be used.
        let thumbnail = await lookUpThumbnail()
        if let answer = thumbnail.answer { return answer }

        // Local bytes need no cache and are not remembered when bad: the file may be mended.
        if key.isLocal, let answer = try await localAnswer() {
            keepThumbnail(answer.image, ofFileWith: thumbnail.stamp)
            return answer
        }

        // What was made of a body on disk before, then the body itself, if it may be used without
        // asking the server.
        if key.keepsProcessed, let answer = await processedOnDisk() { return answer }
        var (cached, partial) = await lookUpBody()
        if let body = cached, body.answersAtOnce || key.isCacheOnly {
            if let answer = try await answer(from: body) { return answer }
            cached = nil
        }
        // Or part of it, if that is enough for the size asked for.
        if cached == nil {
            partial = await lookUpPartial(partial) { decision in
                key.isCacheOnly && decision != .notStorable
            }
            if let answer = partial?.answer { return answer }
        }

        // A refresh shows what is there at once, then asks the server whether it is still good.
        var known = try await showBeforeRefresh(cached)
        (known.partial, known.thumbnail) = (partial, thumbnail.ofBody)
        do throws(ImageLoadingError) {
            // Asked after the caches on purpose: a failed URL must not hide an image we have.
            try checkMayAsk()
            return try await fetch(known)
        } catch {
            lease = nil  // Another process may try while this one looks for a stand-in.
            let stale = await staleAnswer(after: error, known)
            // A refresh that fails takes nothing away.
            if stale == nil || !key.isRefresh { remember(error) }
            guard let stale else { throw error }
            return stale
        }
    }

    /// A thumbnail that somebody else made of a local file, and put into it or beside it; else the image.
    private func localAnswer() async throws(ImageLoadingError) -> ImageResponse? {
        if let answer = await localThumbnail() { return answer }
        if let answer = await desktopThumbnail() { return answer }
        guard let bytes = try await localBytes() else { return nil }
        return try await response(from: bytes, .disk)
    }

    /// Whether the network may be asked for the image.
    private func checkMayAsk() throws(ImageLoadingError) {
        guard !Task.isCancelled else { throw .cancelled }
        guard !key.isCacheOnly else {
            throw ImageLoadingError(stage: .cache, kind: .policy, reason: .notCached)
        }
        guard engine.resolver.hooks.shouldDownload?(key.url) ?? true else {
            throw ImageLoadingError(stage: .request, kind: .policy, reason: .downloadForbidden)
        }
        guard !key.retriesFailed else { return }
        let now = engine.clock.uptime()
        let remembered = engine.failures.withLock { $0.error(for: key.url, at: now) }
        // What may pass is waited for.
        if let remembered, !(waitsForHost && remembered.isRetryable) { throw remembered }
    }

    /// Before any listener hears of it, so that one who asks again at once gets the same answer.
    private func remember(_ error: ImageLoadingError) {
        // Others may take what this request refuses.
        if key.refusesDamaged, case .decoding(let damage) = error.reason, damage.isDamage { return }
        let now = engine.clock.uptime()
        let contentHash = rejectedContentHash
        engine.failures.withLock {
            $0.remember(error, for: key.url, at: now, contentHash: contentHash)
        }
    }

    // MARK: What several stages share

    /// Decodes, processes and keeps an image in memory.
    func response(
        from bytes: [UInt8],
        _ source: ImageSource
    ) async throws(ImageLoadingError) -> ImageResponse {
        let image = try await decoded(bytes)
        keepInMemory(image)
        return response(with: image, bytes, source)
    }

    func response(
        with image: DecodedImage,
        _ bytes: [UInt8],
        _ source: ImageSource
    ) -> ImageResponse {
        var response = ImageResponse(
            image: image,
            source: source,
            byteCount: bytes.count,
            httpStatus: nil
        )
        if key.includesBody { response.body = bytes }
        return response
    }

    /// Decodes and processes on the decode threads.
    func decoded(_ bytes: [UInt8]) async throws(ImageLoadingError) -> DecodedImage {
        guard key.purpose != .data else { return .empty }
        releaseReservation()
        do throws(ImageLoadingError) {
            let product = try await product(of: bytes)
            engine.countDecode(product.duration, for: key)
            note { stopwatch, _ in stopwatch.noteDecoding(product.duration) }
            return product.image
        } catch {
            if error.kind == .cancelled { engine.counters.withLock { $0.decodesSaved += 1 } }
            throw error
        }
    }

    private func product(
        of bytes: [UInt8]
    ) async throws(ImageLoadingError) -> DecodeStage.Product {
        if key.purpose != .image, let header = engine.decoding.plainHeader(of: bytes) {
            return header
        }
        return try await engine.decoding.image(from: bytes, for: key, work)
    }

    func keepInMemory(_ image: DecodedImage) {
        // Other loads have decoded no more than the header.
        guard key.purpose == .image, !Task.isCancelled else { return }
        engine.cache.memory.insert(image, for: key.image, begun: generations.memory)
        engine.tracer.record(
            .stored(.memory, byteCount: image.pixels.bytes.count),
            url: key.url.absoluteString
        )
    }

    func countStaleAnswer() {
        engine.counters.withLock { $0.staleAnswers += 1 }
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
