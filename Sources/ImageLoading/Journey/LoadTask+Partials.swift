internal import Decoders

/// The result of searching for a partial body.
struct PartialLookup: Sendable {
    var partial: PartialBody?
    /// The response made from the partial body, if it is sufficient for the requested size.
    var answer: ImageResponse?
}

extension PartialBody {
    /// Creates a partial body from a cache entry, or returns nil if its metadata cannot be read.
    init?(_ entry: DiskEntry) {
        self.init(bytes: entry.bytes, metadata: entry.metadata)
    }
}

/// Methods that find partial bodies of earlier transfers and make images from them.
extension LoadTask {
    /// Checks whether a partial body is sufficient for the requested size.
    ///
    /// Returns the result together with the partial body. If `known` is nil, the partial body is
    /// read from disk. `isUsable` decides whether a partial body that is not fresh may be used.
    func lookUpPartial(
        _ known: PartialLookup? = nil,
        isUsable: (CacheDecision) -> Bool = { _ in false }
    ) async -> PartialLookup? {
        guard mayFinishEarly(.nothing), !key.isLoaderOnly else { return known }
        var lookup = known ?? PartialLookup()
        if known == nil { lookup.partial = await partialBody() }
        if let partial = lookup.partial {
            lookup.answer = await answer(from: partial, isUsable: isUsable)
        }
        return lookup
    }

    /// Returns the partial body stored by an earlier transfer, or nil if no partial body is stored.
    func partialBody() async -> PartialBody? {
        await engine.cache.disk?.partial(for: key.url).flatMap(PartialBody.init)
    }

    private func answer(
        from partial: PartialBody,
        isUsable: (CacheDecision) -> Bool
    ) async -> ImageResponse? {
        guard let response = partial.response else { return nil }
        let now = engine.clock.wallTime()
        let decision = engine.bodyStore.reuse.decision(for: response, key, at: now)
        guard decision == .fresh || isUsable(decision),
            let image = await finalImage(from: partial.bytes, of: partial.totalByteCount)
        else { return nil }
        keepInMemory(image)
        keepThumbnail(image, of: partial)
        engine.tracer.record(.hit(.disk), url: key.url.absoluteString)
        var answer = ImageResponse(
            image: image,
            source: .disk,
            byteCount: partial.bytes.count,
            httpStatus: nil
        )
        answer.expectedChange = expectedChange(of: response)
        answer.isStale = decision != .fresh
        if answer.isStale { countStaleAnswer() }
        return answer
    }

    /// Returns the image decoded from `bytes`, the first part of a body, or nil if the rest of the
    /// body might change the image at the requested size.
    ///
    /// `isPromising` decides from the headers of the image file whether to decode the bytes at all.
    /// If the result is not final, the decode is wasted: it costs as much as decoding the whole
    /// body, and the whole body is decoded later anyway.
    func finalImage(
        from bytes: [UInt8],
        of totalByteCount: Int?,
        if isPromising: (DecodingSchedule) -> Bool = \.mayBeFinal
    ) async -> DecodedImage? {
        var schedule = decodingSchedule
        schedule.advance(to: bytes, of: totalByteCount)
        guard isPromising(schedule) else { return nil }
        releaseReservation()
        let (decoding, key) = (engine.decoding, key)
        let product = try? await decoding.perform(work) { flag throws(ImageLoadingError) in
            decoding.preview(of: bytes, for: key, flag)
        }
        guard let product = product.flatMap({ $0 }), product.image.isFinal else { return nil }
        engine.countDecode(product.duration, for: key)
        return product.image
    }
}
