internal import Decoders

/// Pictures that need no more than the beginning of their bodies (`LoadingOptions.stopWhenSufficient`).
extension ImageManager {
    /// Whether a run may end with a beginning: all who wait wish it, and nothing has a use for the
    /// whole.
    ///
    /// An older body on disk is to be replaced, which only a whole one can.
    func mayFinishEarly(_ run: LoadTask, _ known: KnownPicture) -> Bool {
        let key = run.key
        guard key.purpose == .picture, key.image.targetSize != nil, !key.isRefresh,
            known.body == nil, resolver.hooks.transformBody == nil
        else { return false }
        let listeners = runs.withLock { $0.listeners(of: key, run: run.number) }
        return !listeners.isEmpty
            && listeners.allSatisfy { $0.request.options.contains(.stopWhenSufficient) }
    }

    /// The answer of a transfer that was stopped, or needs nobody any more, since `image` is final.
    func answer(
        _ image: DecodedImage,
        from body: DownloadedBody,
        _ lease: LeaseShare?,
        for run: LoadTask
    ) -> ImageResponse {
        keepInMemory(image, for: run)
        failures.withLock { $0.forget(run.key.url) }
        // The beginning is on its way to the disk; other processes are to find it there.
        cache.disk?.writer.submit(priority: .normal) { lease?.release() }
        var answer = ImageResponse(
            image: image,
            source: .network,
            byteCount: body.bytes.count,
            httpStatus: body.head.status
        )
        answer.hasUnverifiedCertificate = body.head.hasUnverifiedCertificate
        return answer
    }

    /// Looks for a beginning on disk that is enough; nil if there is no use for one.
    func lookUpPartial(
        for run: LoadTask,
        isUsable: (CacheDecision) -> Bool
    ) async -> PartialLookup? {
        guard mayFinishEarly(run, .nothing), !run.key.isLoaderOnly else { return nil }
        var look = PartialLookup(partial: await partial(for: run.key))
        if let partial = look.partial {
            look.answer = await answer(from: partial, for: run, isUsable: isUsable)
        }
        return look
    }

    /// The answer that a beginning on disk gives; nil if the picture needs more, or if that must not
    /// be used without asking.
    ///
    /// `isUsable` says whether it may be used though it is not fresh.
    func answerFromPartial(
        for run: LoadTask,
        isUsable: (CacheDecision) -> Bool = { _ in false }
    ) async -> ImageResponse? {
        await lookUpPartial(for: run, isUsable: isUsable)?.answer
    }

    private func answer(
        from partial: PartialBody,
        for run: LoadTask,
        isUsable: (CacheDecision) -> Bool
    ) async -> ImageResponse? {
        let key = run.key
        guard let response = partial.response else { return nil }
        let decision = bodyStore.reuse.decision(for: response, key, at: clock.wallTime())
        guard decision == .fresh || isUsable(decision),
            let image = await finalPicture(from: partial, for: run)
        else { return nil }
        keepInMemory(image, for: run)
        tracer.record(.hit(.disk), url: key.url.absoluteString)
        var answer = ImageResponse(
            image: image,
            source: .disk,
            byteCount: partial.bytes.count,
            httpStatus: nil
        )
        answer.isStale = decision != .fresh
        if answer.isStale { counters.withLock { $0.staleAnswers += 1 } }
        return answer
    }

    private func finalPicture(from partial: PartialBody, for run: LoadTask) async -> DecodedImage? {
        let (decoding, key) = (decoding, run.key)
        var schedule = DecodingSchedule(
            targetSize: key.image.targetSize,
            contentMode: key.image.contentMode
        )
        schedule.advance(to: partial.bytes, of: partial.totalByteCount)
        guard schedule.gain > .nothing else { return nil }
        releaseQueuePosition(run)
        let product = try? await decoding.perform(run.work) { flag throws(ImageLoadingError) in
            decoding.preview(of: partial.bytes, for: key, flag)
        }
        guard let product = product.flatMap({ $0 }), product.image.isFinal else { return nil }
        tracer.record(.decoded(product.duration), url: key.url.absoluteString)
        return product.image
    }
}
