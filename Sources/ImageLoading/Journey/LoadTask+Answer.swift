internal import Decoders
internal import SystemSupport

/// The steps of a load that process a server's response.
extension LoadTask {
    /// Processes a 304 response, which confirms the stored body.
    ///
    /// Returns nil if the response refers to other bytes, or if the stored body is not an image.
    func confirmed(
        _ head: TransferHead,
        _ times: ExchangeTimes,
        _ known: KnownImage
    ) async throws(ImageLoadingError) -> ImageResponse? {
        // If no body is known, the request's own header fields or a hook made the request
        // conditional, so repeating it would give the same response.
        guard let body = known.body else { throw .download(.transient, .httpStatus(head.status)) }
        guard let cached = body.response?.revalidated(by: head, of: key.headers, times: times)
        else { return nil }
        engine.bodyStore.update(cached, of: key.url, at: place)
        var answer = known.shown
        // The body is decoded only now, unless its image was shown before.
        if answer == nil { answer = try await response(from: body, known.thumbnail) }
        guard var answer else { return nil }
        noteConfirmed()
        answer.isNotModified = true
        answer.httpStatus = head.status
        answer.expectedChange = expectedChange(of: cached)
        return answer
    }

    /// Decodes a complete body and caches the body and its image.
    func arrived(
        _ body: DownloadedBody,
        _ times: ExchangeTimes,
        _ known: KnownImage
    ) async throws(ImageLoadingError) -> ImageResponse {
        let cached = CachedResponse(body.head, of: key.headers, times: times)
        let bytes = try await transformed(body.bytes)
        do throws(ImageLoadingError) {
            var answer = try await newImage(from: bytes, of: body, known)
            answer.httpStatus = body.head.status
            answer.hasUnverifiedCertificate = body.head.hasUnverifiedCertificate
            answer.expectedChange = expectedChange(of: cached)
            if !answer.image.mayBeCut(from: body.head), !body.isOfNewerResource {
                keepOnDisk(bytes, cached, answer.image)
            }
            forgetFailures()
            return answer
        } catch {
            // The bytes have already been transferred, and nothing indicates that they are bad.
            if !error.rejectsContent, !body.isOfNewerResource { keepOnDisk(bytes, cached) }
            throw error
        }
    }

    /// Creates the response of a load whose transfer was stopped early because `image` is final.
    func answer(
        _ image: DecodedImage,
        from body: DownloadedBody,
        _ times: ExchangeTimes
    ) -> ImageResponse {
        keepInMemory(image)
        forgetFailures()
        // Other processes can find the partial body only after it has been written.
        let lease = lease
        engine.cache.disk?.writer.submit(priority: .normal) { lease?.release() }
        var answer = ImageResponse(
            image: image,
            source: .network,
            byteCount: body.bytes.count,
            httpStatus: body.head.status
        )
        answer.hasUnverifiedCertificate = body.head.hasUnverifiedCertificate
        let cached = CachedResponse(body.head, of: key.headers, times: times)
        answer.expectedChange = expectedChange(of: cached)
        return answer
    }

    /// Returns the time until the server is expected to have a new image, according to the header
    /// fields of `response`.
    func expectedChange(of response: CachedResponse?) -> Duration? {
        engine.bodyStore.reuse.expectedChange(of: response, at: engine.clock.wallTime())
    }

    /// Stores a body on disk, together with its image if requested.
    ///
    /// The load's lease keeps other processes from requesting the URL. It is released when those
    /// processes can find the body on disk.
    private func keepOnDisk(
        _ bytes: [UInt8],
        _ cached: CachedResponse,
        _ image: DecodedImage? = nil
    ) {
        let lease = lease
        let processed = image.flatMap(processed)
        engine.bodyStore.keep(bytes, cached, at: place, image: processed) { lease?.release() }
    }

    private func newImage(
        from bytes: [UInt8],
        of body: DownloadedBody,
        _ known: KnownImage
    ) async throws(ImageLoadingError) -> ImageResponse {
        // A server without validators has sent the same bytes again, so nothing needs decoding.
        if var shown = known.shown, bytes == known.body?.bytes {
            noteConfirmed()
            shown.isNotModified = true
            return shown
        }
        let image = try await decodedOnce(bytes)
        // If the image is damaged, the two parts of the body may belong to different images.
        if body.isResumed, let damage = image.damage { throw .undecodable(damage) }
        // The other sizes in memory were made from an older body.
        if key.isRefresh || key.isLoaderOnly || known.body != nil {
            engine.cache.memory.remove(key.url)
        }
        if !image.mayBeCut(from: body.head) { keepInMemory(image) }
        return response(with: image, bytes, .network)
    }

    /// Decodes bytes, or throws the remembered error if decoding the same bytes has failed before.
    private func decodedOnce(_ bytes: [UInt8]) async throws(ImageLoadingError) -> DecodedImage {
        let contentHash = { bytes.hashValue }
        let failure = engine.failures.withLock {
            $0.failure(of: key.url, contentHash: contentHash)
        }
        if let failure {
            engine.counters.withLock { $0.decodesSaved += 1 }
            rejectedContentHash = contentHash()
            throw failure
        }
        do throws(ImageLoadingError) {
            return try await decoded(bytes)
        } catch {
            if error.rejectsContent { rejectedContentHash = contentHash() }
            throw error
        }
    }

    private func transformed(_ bytes: [UInt8]) async throws(ImageLoadingError) -> [UInt8] {
        guard let transform = engine.resolver.hooks.transformBody else { return bytes }
        let url = key.url
        return try await engine.decoding.perform(work) { _ throws(ImageLoadingError) in
            guard let transformed = transform(url, bytes) else {
                throw .processing(by: "transformBody")
            }
            return transformed
        }
    }

    private func noteConfirmed() {
        engine.counters.withLock { $0.notModified += 1 }
        forgetFailures()
        engine.tracer.record(.notModified, url: key.url.absoluteString)
    }

    private func forgetFailures() {
        engine.failures.withLock { $0.forget(key.url) }
    }
}

extension DecodedImage {
    /// Returns whether the image is truncated, possibly because its transfer was cut off.
    ///
    /// Such an image is shown but not stored. If the end of the connection marks the end of the
    /// body (RFC 9112, section 6.3), a cut-off body looks like a complete body.
    fileprivate func mayBeCut(from head: TransferHead) -> Bool {
        guard case .truncated = damage else { return false }
        return head.httpVersion?.hasPrefix("1") == true && head.headers["content-length"] == nil
            && head.headers["transfer-encoding"] == nil
    }
}
