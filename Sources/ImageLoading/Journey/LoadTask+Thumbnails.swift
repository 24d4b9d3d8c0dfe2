internal import Decoders

/// The result of searching for a stored thumbnail.
struct ThumbnailLookup: Sendable {
    /// The response, if the thumbnail may be used without a request to the server.
    var answer: ImageResponse?
    /// The thumbnail of a complete body; it may be used only after the server has been contacted.
    var ofBody: DiskCache.FoundThumbnail?
    /// The modification time and other properties of the local file before it was read.
    ///
    /// Nil if no thumbnail of the file will be stored.
    var stamp: FileStamp?
}

/// Methods that find and store thumbnails.
///
/// A stored thumbnail is used instead of reading and decoding the body or the file.
extension LoadTask {
    /// Searches for a stored thumbnail.
    ///
    /// If the source of the thumbnail has not changed, the thumbnail is the result of the load. The
    /// search is the first step of a load. The thumbnail of a body may be used whenever the body
    /// itself may be used.
    func lookUpThumbnail() async -> ThumbnailLookup {
        guard let thumbnails = engine.thumbnails, key.readsThumbnail || key.keepsThumbnail else {
            return ThumbnailLookup()
        }
        if let picture = LocalPicture(key) {
            return await lookUpLocalThumbnail(picture, in: thumbnails)
        }
        guard key.readsThumbnail,
            let found = await thumbnails.thumbnail(
                for: key.image,
                of: key.url,
                priority: priority
            )
        else { return ThumbnailLookup() }
        let isOfBody = key.accepts(found.image) && !found.isOfPartial
        return ThumbnailLookup(answer: answer(from: found), ofBody: isOfBody ? found : nil)
    }

    private func lookUpLocalThumbnail(
        _ picture: LocalPicture,
        in thumbnails: ThumbnailStore
    ) async -> ThumbnailLookup {
        let found = await thumbnails.look(
            at: picture,
            key.url,
            for: key.image,
            reads: key.readsThumbnail,
            priority: priority
        )
        guard let stamp = found.stamp else { return ThumbnailLookup() }
        guard let image = found.image, key.accepts(image), mayBeRead(stamp, picture) else {
            return ThumbnailLookup(stamp: key.keepsThumbnail ? stamp : nil)
        }
        makeDesktopThumbnail()
        return ThumbnailLookup(answer: shown(image, byteCount: Int(clamping: stamp.byteCount)))
    }

    /// Returns whether the file is small enough to be read (`ImageCache.maximumByteCount`).
    ///
    /// A file in an archive is not checked, because its URL contains its size.
    private func mayBeRead(_ stamp: FileStamp, _ picture: LocalPicture) -> Bool {
        !picture.member.isEmpty || stamp.byteCount <= UInt64(engine.cache.maximumByteCount)
    }

    private func answer(from found: DiskCache.FoundThumbnail) -> ImageResponse? {
        guard key.accepts(found.image), !found.isOfPartial || mayFinishEarly(.nothing) else {
            return nil
        }
        let response =
            found.isOfPartial
            ? PartialBody.response(in: found.bodyMetadata)
            : CachedResponse(decoding: found.bodyMetadata)
        // The thumbnail of a partial body without metadata has no known freshness.
        guard response != nil || !found.isOfPartial else { return nil }
        let now = engine.clock.wallTime()
        let decision = engine.bodyStore.reuse.decision(for: response, key, at: now)
        let isUsable =
            decision == .fresh || (decision == .staleUsable && !found.isOfPartial)
            || (key.isCacheOnly && decision != .notStorable)
        guard isUsable else { return nil }
        var answer = shown(found.image, byteCount: found.byteCount)
        answer.expectedChange = expectedChange(of: response)
        answer.isStale = decision != .fresh
        if answer.isStale { countStaleAnswer() }
        if decision == .staleUsable, !key.isCacheOnly { refreshInBackground() }
        return answer
    }

    func shown(_ image: DecodedImage, byteCount: Int) -> ImageResponse {
        keepInMemory(image)
        engine.tracer.record(.hit(.disk), url: key.url.absoluteString)
        return ImageResponse(image: image, source: .disk, byteCount: byteCount, httpStatus: nil)
    }

    // MARK: Storing

    /// Stores the thumbnail of a local file; `stamp` describes the file before it was read.
    func keepThumbnail(_ image: DecodedImage, ofFileWith stamp: FileStamp?) {
        makeDesktopThumbnail()
        guard let stamp, let picture = LocalPicture(key) else { return }
        engine.thumbnails?.keep(
            image,
            for: key.image,
            of: key.url,
            madeFrom: .file(picture, stamp),
            begun: generations.disk
        )
    }

    /// Stores the thumbnail of a partial body on disk.
    func keepThumbnail(_ image: DecodedImage, of partial: PartialBody) {
        guard key.keepsThumbnail, place != nil else { return }
        engine.thumbnails?.keep(
            image,
            for: key.image,
            of: key.url,
            madeFrom: .partial(partial.bytes),
            begun: generations.disk
        )
    }
}
