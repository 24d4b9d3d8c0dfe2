/// The stages of the journey that the caches answer.
extension ImageManager {
    func localBytes(for run: LoadTask) async throws(ImageLoadingError) -> [UInt8]? {
        try await cache.localBytes(of: run.key.url, priority: run.priority)
    }

    /// What the disk has, whatever it may be used for.
    func cachedBody(for run: LoadTask) async -> CachedBody? {
        let key = run.key
        guard !key.isLoaderOnly, let disk = cache.disk,
            let entry = await disk.entry(for: key.url, priority: run.priority)
        else { return nil }
        let body = bodyStore.reuse.body(entry, for: key, at: clock.wallTime())
        guard body.decision == .notStorable else { return body }
        releaseQueuePosition(run)
        await disk.remove(key.url)
        return nil
    }

    /// The answer that a body on disk gives, or nil if it is no picture.
    ///
    /// A stale one that its server lets us use is asked about in the background.
    func answer(
        from body: CachedBody,
        for run: LoadTask
    ) async throws(ImageLoadingError) -> ImageResponse? {
        guard var response = try await pictureOnDisk(body, for: run) else { return nil }
        response.isStale = body.decision != .fresh
        if response.isStale { counters.withLock { $0.staleAnswers += 1 } }
        if body.decision == .staleUsable, !run.key.isCacheOnly { refreshInBackground(run.key) }
        return response
    }

    /// Decodes a body on disk, and tells listeners and trace that there is one.
    ///
    /// Bytes that don't decode are deleted: the network may have better ones. Not so if our own
    /// limits forbid to decode them: the network would bring the same bytes again.
    func pictureOnDisk(
        _ body: CachedBody,
        for run: LoadTask
    ) async throws(ImageLoadingError) -> ImageResponse? {
        releaseQueuePosition(run)
        do throws(ImageLoadingError) {
            let response = try await picture(from: body.bytes, .disk, for: run)
            tracer.record(.hit(.disk), url: run.key.url.absoluteString)
            return response
        } catch {
            guard error.rejectsContent else { throw error }
            await cache.disk?.remove(run.key.url)
            return nil
        }
    }

    /// Shows a picture that is about to be refreshed (row M15).
    func showBeforeRefresh(
        _ body: CachedBody?,
        _ run: LoadTask
    ) async throws(ImageLoadingError) -> KnownPicture {
        var known = KnownPicture(body: body)
        guard run.key.isRefresh else {
            if body == nil { tracer.record(.missed, url: run.key.url.absoluteString) }
            return known
        }
        if let inMemory = run.known {
            known.shown = inMemory
        } else if let body {
            known.shown = try await pictureOnDisk(body, for: run)
            if known.shown == nil { known.body = nil }
        }
        if let shown = known.shown { tell(.image(shown), to: run) }
        return known
    }

    /// The picture that stands in for one that can't be fetched, if it may (row M19).
    ///
    /// A picture that must not be asked about is as good as any from the cache (row M13).
    func staleAnswer(
        after error: ImageLoadingError,
        _ known: KnownPicture,
        for run: LoadTask
    ) async -> ImageResponse? {
        if known.body == nil, known.shown == nil {
            let answer = await answerFromPartial(for: run) { $0.allowsUse(after: error) }
            if let answer { return answer }
        }
        let isForbidden = error.reason == .downloadForbidden
        let isAllowed = known.body?.decision.allowsUse(after: error) ?? error.isRetryable
        guard isForbidden || isAllowed else { return nil }
        var response = known.shown
        if response == nil, let body = known.body {
            // The first error says more than why the stand-in is none.
            response = try? await pictureOnDisk(body, for: run)
        }
        response?.isStale = !isForbidden
        if response != nil { counters.withLock { $0.staleAnswers += 1 } }
        return response
    }

    /// Asks about a picture that is in use already: at low priority, once for each URL, and for
    /// nobody (RFC 5861).
    private func refreshInBackground(_ key: LoadKey) {
        var request = key.request
        request.options = request.options.subtracting(.highPriority)
        request.options.formUnion([.refreshCached, .lowPriority])
        warmDisk(request, isBackground: true) { _ in }
    }
}
