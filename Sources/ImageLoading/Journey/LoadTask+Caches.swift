internal import Decoders

/// What is there of an image when its server is about to be asked for it.
///
/// Every stage of the journey hands it on. Of a picture that was never seen before all of it is nil, so
/// that it is kept on the heap.
struct KnownImage: Sendable {
    /// On disk; nil if there is nothing, or nothing that may be used.
    @OnHeap var body: CachedBody?
    /// What was made of the body when it was shown before, if that may not be used without asking.
    @OnHeap var thumbnail: DiskCache.FoundThumbnail?
    /// Decoded, and told to the listeners; only when it is to be refreshed.
    @OnHeap var shown: ImageResponse?
    /// Nil if the disk wasn't asked for part of the body, or may have another part by now.
    @OnHeap var partial: PartialLookup?

    static let nothing = KnownImage()
}

/// The stages of the journey that the caches answer.
extension LoadTask {
    func localBytes() async throws(ImageLoadingError) -> [UInt8]? {
        try await engine.cache.localBytes(of: key.url, priority: priority)
    }

    /// The thumbnail in a local file, by one read of its first bytes; nil if it can't stand for the image.
    func localThumbnail() async -> ImageResponse? {
        guard key.acceptsThumbnail, key.purpose == .image, key.image.targetSize != nil,
            let prefix = await engine.cache.localPrefix(
                of: key.url,
                byteCount: Self.prefixByteCount,
                priority: priority
            ),
            let image = await finalImage(
                from: prefix.bytes,
                of: prefix.totalByteCount,
                if: \.mayBeThumbnail
            ), image.isThumbnail
        else { return nil }
        keepInMemory(image)
        return ImageResponse(
            image: image,
            source: .disk,
            byteCount: prefix.totalByteCount,
            httpStatus: nil
        )
    }

    /// An EXIF segment is 64 KiB at most, and comes first.
    private static let prefixByteCount = 72 << 10

    /// What the disk has, whatever it may be used for: a body, or else what a look for part of one came
    /// to; neither if it was not asked.
    func lookUpBody() async -> (body: CachedBody?, partial: PartialLookup?) {
        guard !key.isLoaderOnly, let disk = engine.cache.disk else { return (nil, nil) }
        if await findsNothing(on: disk) { return (nil, PartialLookup()) }
        guard let holding = await disk.holding(of: key.url, priority: priority)
        else { return (nil, nil) }
        guard let entry = holding.body else {
            return (nil, PartialLookup(partial: holding.partial.flatMap(PartialBody.init)))
        }
        let body = engine.bodyStore.reuse.body(entry, for: key, at: engine.clock.wallTime())
        guard body.decision == .notStorable else { return (body, nil) }
        releaseReservation()
        await disk.remove(key.url)
        return (nil, nil)
    }

    /// Whether there is nothing on disk, looked at with the lease on the URL taken.
    ///
    /// What is not to be expected there will be asked of its server. So the lease comes first, and the
    /// look at the disk with it: one visit to another thread in place of three, which took longer than the
    /// transfer of a small picture. What another process has put there meanwhile is seen by that look.
    private func findsNothing(on disk: DiskCache) async -> Bool {
        guard key.mayNeedTransfer, lease == nil else { return false }
        let (diskKey, isNothing) = (disk.key(of: key.url), Protected(false))
        guard disk.expectsNothing(of: diskKey) else { return false }
        await takeLease {
            let confirmed = disk.confirmsNothing(of: diskKey)
            isNothing.withLock { $0 = confirmed }
        }
        return isNothing.withLock(\.self)
    }

    /// The answer that a body on disk gives, or nil if it is no image.
    ///
    /// A stale one that its server lets us use is asked about in the background.
    func answer(from body: CachedBody) async throws(ImageLoadingError) -> ImageResponse? {
        guard var response = try await response(from: body) else { return nil }
        response.isStale = body.decision != .fresh
        if response.isStale { countStaleAnswer() }
        if body.decision == .staleUsable, !key.isCacheOnly { refreshInBackground() }
        return response
    }

    /// The answer of a body on disk of which the server, or its silence, says that it may be used: as it
    /// was shown before, or else decoded.
    func response(
        from body: CachedBody,
        _ thumbnail: DiskCache.FoundThumbnail?
    ) async throws(ImageLoadingError) -> ImageResponse? {
        // Another process may have stored another body since.
        guard let thumbnail, let response = body.response,
            CachedResponse(decoding: thumbnail.bodyMetadata) == response
        else { return try await self.response(from: body) }
        return shown(thumbnail.image, byteCount: thumbnail.byteCount)
    }

    /// Decodes a body on disk.
    ///
    /// Bytes that don't decode are deleted: the network may have better ones. Not so if our own
    /// limits forbid to decode them: the network would bring the same bytes again.
    func response(from body: CachedBody) async throws(ImageLoadingError) -> ImageResponse? {
        do throws(ImageLoadingError) {
            var response = try await response(from: body.bytes, .disk)
            response.expectedChange = expectedChange(of: body.response)
            if let processed = processed(response.image) {
                engine.bodyStore.keep(processed, madeFrom: body.bytes, at: place)
            }
            engine.tracer.record(.hit(.disk), url: key.url.absoluteString)
            return response
        } catch {
            guard error.rejectsContent else { throw error }
            await engine.cache.disk?.remove(key.url)
            return nil
        }
    }

    /// Shows an image that is about to be refreshed.
    func showBeforeRefresh(
        _ body: CachedBody?
    ) async throws(ImageLoadingError) -> KnownImage {
        var known = KnownImage(body: body)
        guard key.isRefresh else {
            if body == nil { engine.tracer.record(.missed, url: key.url.absoluteString) }
            return known
        }
        if let inMemory {
            known.shown = inMemory
        } else if let body {
            known.shown = try await response(from: body)
            if known.shown == nil { known.body = nil }
        }
        if let shown = known.shown { tell(.image(shown)) }
        return known
    }

    /// The image that stands in for one that can't be fetched, if it may.
    ///
    /// If the server must not be asked, an image from the cache is as good as any.
    func staleAnswer(
        after error: ImageLoadingError,
        _ known: KnownImage
    ) async -> ImageResponse? {
        if known.body == nil, known.shown == nil {
            let lookup = await lookUpPartial { $0.allowsUse(after: error) }
            if let answer = lookup?.answer { return answer }
        }
        let isForbidden = error.reason == .downloadForbidden
        let isAllowed = known.body?.decision.allowsUse(after: error) ?? error.isRetryable
        guard isForbidden || isAllowed else { return nil }
        var stale = known.shown
        if stale == nil, let body = known.body {
            // The first error says more than why the stand-in is none.
            stale = try? await response(from: body, known.thumbnail)
        }
        stale?.isStale = !isForbidden
        if stale != nil { countStaleAnswer() }
        return stale
    }

    /// Asks about an image that is in use already: at low priority, once for each URL, and for
    /// nobody (stale-while-revalidate, RFC 5861).
    func refreshInBackground() {
        var request = key.request
        request.options = request.options.subtracting(.highPriority)
        request.options.formUnion([.refreshCached, .lowPriority])
        request.alternatives = []
        let operation = LoadOperation(request: request, purpose: .disk, isBackground: true) { _ in }
        if case .answered(let result) = engine.start(operation) {
            engine.finish(operation, with: result)
        }
    }

    // MARK: What was made of a body

    /// The image that was made of the body on disk before; nil if there is none, or if its server
    /// has to be asked about the body.
    func processedOnDisk() async -> ImageResponse? {
        guard !key.isLoaderOnly, !key.isRefresh, !key.includesBody,
            let disk = engine.cache.disk,
            let stored = await disk.image(for: key.image, of: key.url, priority: priority)
        else { return nil }
        let response = CachedResponse(decoding: stored.bodyMetadata)
        let decision = engine.bodyStore.reuse.decision(
            for: response,
            key,
            at: engine.clock.wallTime()
        )
        guard decision == .fresh || (key.isCacheOnly && decision != .notStorable),
            let image = await decoded(stored)
        else { return nil }
        keepInMemory(image)
        engine.tracer.record(.hit(.disk), url: key.url.absoluteString)
        var answer = ImageResponse(
            image: image,
            source: .disk,
            byteCount: stored.bodyByteCount,
            httpStatus: nil
        )
        answer.expectedChange = expectedChange(of: response)
        answer.isStale = decision != .fresh
        if answer.isStale { countStaleAnswer() }
        return answer
    }

    private func decoded(_ stored: DiskCache.StoredImage) async -> DecodedImage? {
        releaseReservation()
        let decoding = engine.decoding
        // What doesn't decode is made of the body once more.
        return try? await decoding.perform(work) { flag throws(ImageLoadingError) in
            do throws(ImageDecodingError) {
                return try stored.image.decoded(
                    knowing: decoding.registry,
                    limits: decoding.limits,
                    isCancelled: { flag.isCancelled }
                )
            } catch {
                throw ImageLoadingError(stage: .decode, kind: .permanent, reason: .decoding(error))
            }
        }
    }

    /// An image to be kept beside its body, if the request asks for that.
    func processed(_ image: DecodedImage) -> BodyStore.ProcessedImage? {
        guard key.keepsProcessed || key.keepsThumbnail else { return nil }
        let form: BodyStore.ProcessedImage.Form = key.keepsProcessed ? .file : .thumbnail
        return BodyStore.ProcessedImage(key: key.image, image: image, form: form)
    }
}
