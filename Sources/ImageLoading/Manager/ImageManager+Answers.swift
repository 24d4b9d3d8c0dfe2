internal import Decoders

/// What becomes of a server's answer.
extension ImageManager {
    /// A 304 (rows M17, F6): nil if it is of no use.
    func confirmed(
        _ head: TransferHead,
        _ times: ExchangeTimes,
        _ known: KnownPicture,
        for run: LoadTask
    ) async throws(ImageLoadingError) -> ImageResponse? {
        let key = run.key
        // The request's own fields asked, or a hook: asking again would bring the same answer.
        guard let body = known.body else { throw .download(.transient, .httpStatus(head.status)) }
        guard let response = body.response?.revalidated(by: head, of: key.headers, times: times)
        else { return nil }
        bodyStore.update(response, of: key.url)
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

    /// A body, and what goes with it.
    struct Arrival: Sendable {
        let body: DownloadedBody
        let response: CachedResponse
        let lease: LeaseShare?
    }

    /// A body (row M18).
    func arrived(
        _ arrival: Arrival,
        _ known: KnownPicture,
        for run: LoadTask
    ) async throws(ImageLoadingError) -> ImageResponse {
        let bytes = try await transformed(arrival.body.bytes, for: run)
        do throws(ImageLoadingError) {
            var answer = try await newPicture(from: bytes, known, for: run)
            let head = arrival.body.head
            answer.httpStatus = head.status
            answer.hasUnverifiedCertificate = head.hasUnverifiedCertificate
            keep(bytes, arrival, for: run)
            failures.withLock { $0.forget(run.key.url) }
            return answer
        } catch {
            // Paid for, and nothing says that they are bad.
            if !error.rejectsContent { keep(bytes, arrival, for: run) }
            throw error
        }
    }

    /// The lease is given back when other processes can find the body.
    private func keep(_ bytes: [UInt8], _ arrival: Arrival, for run: LoadTask) {
        bodyStore.keep(bytes, arrival.response, at: run.place) { arrival.lease?.release() }
    }

    private func newPicture(
        from bytes: [UInt8],
        _ known: KnownPicture,
        for run: LoadTask
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
        for run: LoadTask
    ) async throws(ImageLoadingError) -> DecodedImage {
        let contentHash = { bytes.hashValue }
        if let failure = failures.withLock({ $0.failure(of: run.key.url, contentHash: contentHash) }
        ) {
            counters.withLock { $0.decodesSaved += 1 }
            run.rejectedContentHash = contentHash()
            throw failure
        }
        do throws(ImageLoadingError) {
            return try await decoded(bytes, for: run)
        } catch {
            if error.rejectsContent { run.rejectedContentHash = contentHash() }
            throw error
        }
    }

    private func transformed(
        _ bytes: [UInt8],
        for run: LoadTask
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
