internal import Decoders
internal import SystemSupport

extension LoadTask {
    /// Runs all steps of the load and sends the result to the remaining listeners.
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

    /// Runs the steps of the load in order.
    ///
    /// If the load is cancelled, it ends at the next `try await`. The memory cache was checked
    /// earlier.
    private func journey() async throws(ImageLoadingError) -> ImageResponse {
        // First, use the stored thumbnail if that is allowed.
        let thumbnail = await lookUpThumbnail()
        if let answer = thumbnail.answer { return answer }

        // Local bytes need no cache, and their failures are not remembered, because the file may be
        // repaired.
        if key.isLocal, let answer = try await localAnswer() {
            keepThumbnail(answer.image, ofFileWith: thumbnail.stamp)
            return answer
        }

        // Use the processed image stored for a body, or else the body itself, if that is allowed
        // without a request to the server.
        if key.keepsProcessed, let answer = await processedOnDisk() { return answer }
        var (cached, partial) = await lookUpBody()
        if let body = cached, body.answersAtOnce || key.isCacheOnly {
            if let answer = try await answer(from: body) { return answer }
            cached = nil
        }
        // Use a partial body if it is sufficient for the requested size.
        if cached == nil {
            partial = await lookUpPartial(partial) { decision in
                key.isCacheOnly && decision != .notStorable
            }
            if let answer = partial?.answer { return answer }
        }

        // A refresh shows the available image first, then revalidates it with the server.
        var known = try await showBeforeRefresh(cached)
        (known.partial, known.thumbnail) = (partial, thumbnail.ofBody)
        do throws(ImageLoadingError) {
            // Remembered failures are checked after the caches, because a failed URL must not hide
            // a cached image.
            try checkMayAsk()
            return try await fetch(known)
        } catch {
            lease = nil  // Other processes may try while this one looks for a stale image.
            let stale = await staleAnswer(after: error, known)
            // The failure of a refresh is not remembered if a stale image is available.
            if stale == nil || !key.isRefresh { remember(error) }
            guard let stale else { throw error }
            return stale
        }
    }

    /// Returns the image at a local URL; nil if the URL is not local.
    ///
    /// If a camera or a desktop program has made a suitable thumbnail, the image is made from the
    /// thumbnail; otherwise, it is decoded from the file.
    private func localAnswer() async throws(ImageLoadingError) -> ImageResponse? {
        if let answer = await localThumbnail() { return answer }
        if let answer = await desktopThumbnail() { return answer }
        guard let bytes = try await localBytes() else { return nil }
        return try await response(from: bytes, .disk)
    }

    /// Throws if the image must not be requested from the network.
    ///
    /// This happens if the load was cancelled or may use only the caches, if a hook forbids the
    /// download, or if an earlier failure is remembered.
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
        // A load that waits for its host does not fail because of a transient failure.
        if let remembered, !(waitsForHost && remembered.isRetryable) { throw remembered }
    }

    /// Records a failure before the listeners are notified.
    ///
    /// If a listener then requests the URL again immediately, it gets the same result.
    private func remember(_ error: ImageLoadingError) {
        // Other requests may accept a damaged image that this request refuses.
        if key.refusesDamaged, case .decoding(let damage) = error.reason, damage.isDamage { return }
        let now = engine.clock.uptime()
        let contentHash = rejectedContentHash
        engine.failures.withLock {
            $0.remember(error, for: key.url, at: now, contentHash: contentHash)
        }
    }

    // MARK: Shared by several stages

    /// Decodes and processes an image, and stores it in memory.
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

    /// Decodes and processes an image on the decode threads.
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
        // Loads for other purposes decode at most the header.
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
    /// Whether the error shows that the bytes cannot be decoded.
    ///
    /// False if the load was cancelled, or if decoding would exceed a limit.
    var rejectsContent: Bool {
        switch reason {
        case .decoding(let error): !error.isLimit
        default: false
        }
    }
}
