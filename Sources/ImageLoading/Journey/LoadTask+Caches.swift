internal import Decoders
internal import SystemSupport

/// The data known about an image before its server is contacted.
///
/// Each step of a load passes this data to the next step. All properties are nil for an image that
/// has never been loaded. Values are stored on the heap, so an unset property takes only one word.
struct KnownImage: Sendable {
    /// The body on disk, or nil if there is no usable body.
    @OnHeap var body: CachedBody?
    /// The stored thumbnail of the body; it may be used only after the server has been contacted.
    @OnHeap var thumbnail: DiskCache.FoundThumbnail?
    /// The decoded image that was already sent to the listeners; set only for a refresh.
    @OnHeap var shown: ImageResponse?
    /// The result of searching the disk for a partial body.
    ///
    /// Nil if the disk was not searched, or may contain a different partial body by now.
    @OnHeap var partial: PartialLookup?

    static let nothing = KnownImage()
}

/// The steps of a load that use the caches.
extension LoadTask {
    func localBytes() async throws(ImageLoadingError) -> [UInt8]? {
        try await engine.cache.localBytes(of: key, priority: priority)
    }

    /// Returns the thumbnail embedded in a local file, or nil if the thumbnail cannot be used for
    /// the image.
    ///
    /// Only the first 72 KiB (`prefixByteCount`) of the file are read, in one operation.
    func localThumbnail() async -> ImageResponse? {
        guard key.acceptsThumbnail, key.purpose == .image, key.image.targetSize != nil,
            let prefix = await engine.cache.localPrefix(
                of: key,
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

    /// The number of bytes to read from the start of a file to find the thumbnail.
    ///
    /// An EXIF segment is at most 64 KiB long and is at the start of the file.
    private static let prefixByteCount = 72 << 10

    /// Searches the disk for a body; if no body is found, searches for a partial body.
    ///
    /// The body may have to be revalidated before it is used (`CachedBody.decision`). Both results
    /// are nil if the disk was not searched, or if the body was deleted because it must not be
    /// stored.
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

    /// Takes the lease on the URL, and returns whether the disk contains nothing for the URL.
    ///
    /// The lease is a lock that prevents other processes from requesting the URL. If the image is
    /// expected on disk, or if the load needs no transfer, the lease is not taken, and the result
    /// is false. Otherwise, the lease is taken and the disk is checked in one step, with a single
    /// switch to another thread. Separate steps needed three switches, which took longer than the
    /// transfer of a small image. The check also finds data that another process has stored in the
    /// meantime.
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

    /// Creates a response from a body on disk; returns nil if the body is not an image.
    ///
    /// If the body is stale but its server allows the use of stale bodies, the body is revalidated
    /// in the background.
    func answer(from body: CachedBody) async throws(ImageLoadingError) -> ImageResponse? {
        guard var response = try await response(from: body) else { return nil }
        response.isStale = body.decision != .fresh
        if response.isStale { countStaleAnswer() }
        if body.decision == .staleUsable, !key.isCacheOnly { refreshInBackground() }
        return response
    }

    /// Creates a response from a usable body on disk.
    ///
    /// If the stored thumbnail matches the body, the response is made from the thumbnail;
    /// otherwise, it is made from the body.
    func response(
        from body: CachedBody,
        _ thumbnail: DiskCache.FoundThumbnail?
    ) async throws(ImageLoadingError) -> ImageResponse? {
        // Another process may have stored a different body in the meantime.
        guard let thumbnail, let response = body.response,
            CachedResponse(decoding: thumbnail.bodyMetadata) == response
        else { return try await self.response(from: body) }
        return shown(thumbnail.image, byteCount: thumbnail.byteCount)
    }

    /// Decodes a body on disk and returns the response, or nil if the body is not an image.
    ///
    /// If a body cannot be decoded, it is deleted, because the server may return a better one. If
    /// it only exceeds the limits, it is kept, because the server would return the same bytes.
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

    /// For a refresh, sends the image from memory or disk to the listeners.
    ///
    /// Returns the data known about the image.
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
        if let shown = known.shown { tell(.preview(shown)) }
        return known
    }

    /// Returns a stale image after `error` if its use is allowed, or nil otherwise.
    ///
    /// If a hook forbids the download, any image from the cache may be used.
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
            // The first error is more informative than the reason why no stale image is available.
            stale = try? await response(from: body, known.thumbnail)
        }
        stale?.isStale = !isForbidden
        if stale != nil { countStaleAnswer() }
        return stale
    }

    /// Revalidates an image that is already in use (stale-while-revalidate, RFC 5861).
    ///
    /// The revalidation runs at low priority, once per URL and without listeners.
    func refreshInBackground() {
        var request = key.request
        request.options = request.options.subtracting(.highPriority)
        request.options.formUnion([.refreshCached, .lowPriority])
        request.alternatives = []
        // The URL may be an alternative, whose position in the group is not known here.
        request.alternativeGroup = nil
        let operation = LoadOperation(request: request, purpose: .disk, isBackground: true) { _ in }
        if case .answered(let result) = engine.start(operation) {
            engine.finish(operation, with: result)
        }
    }

    // MARK: Images made from a body

    /// Returns the processed image stored for the body on disk.
    ///
    /// Returns nil if no such image is stored or if the body must be revalidated.
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
        // If the stored image cannot be decoded, it is made from the body again.
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

    /// Returns the image to store with its body, or nil if the request does not require storing it.
    func processed(_ image: DecodedImage) -> BodyStore.ProcessedImage? {
        guard key.keepsProcessed || key.keepsThumbnail else { return nil }
        let form: BodyStore.ProcessedImage.Form = key.keepsProcessed ? .file : .thumbnail
        return BodyStore.ProcessedImage(key: key.image, image: image, form: form)
    }
}
