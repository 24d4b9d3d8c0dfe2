internal import Decoders

/// Stores downloaded bodies, partial bodies and processed images on disk, according to the rules of
/// HTTP and the hooks.
struct BodyStore: Sendable {
    let disk: DiskCache?
    let hooks: LoadingHooks
    let policy: CachePolicy
    let pool: WorkerPool
    let thumbnails: ThumbnailStore?
    let clock: LoadingClock
    /// The bodies and images that are being prepared for storage.
    let pending = PendingStores()

    /// The rule for using a body on disk, with the disk cache's current maximum age.
    var reuse: ReuseRule { ReuseRule(policy: policy, maximumAge: disk?.maximumAge) }

    /// An image that was made from a body and is stored with the body.
    struct ProcessedImage: Sendable {
        /// The form in which the image is stored.
        enum Form: Sendable {
            /// The image is stored as an encoded image file.
            case file
            /// The image is stored as the pixels that were shown.
            case thumbnail
        }

        let key: ImageKey
        let image: DecodedImage
        var form = Form.file
    }

    /// Stores a body, and an image that was made from it, on disk soon after the call.
    ///
    /// Without a `bodyToStore` hook, lookups find the body immediately.
    ///
    /// `afterwards` is called on the disk cache's writer thread after the body has been written or
    /// dropped. If there is no disk cache or no place, it is called immediately.
    func keep(
        _ bytes: [UInt8],
        _ response: CachedResponse,
        at place: BodyPlace?,
        image: ProcessedImage? = nil,
        afterwards: @escaping @Sendable () -> Void = {}
    ) {
        guard let disk, let place else { return afterwards() }
        guard let serialize = hooks.bodyToStore else {
            store(bytes, response, place, image, in: disk)
            return disk.writer.submit(priority: .normal, afterwards)
        }
        pending.submit(to: pool) {
            store(serialize(place.url, bytes), response, place, image, in: disk)
            disk.writer.submit(priority: .normal, afterwards)
        }
    }

    /// Stores an image that was made from a body, in the disk cache.
    ///
    /// An image of the form `file` is encoded first, when the decode pool is idle.
    ///
    /// `body` is the body as it is stored on disk.
    func keep(_ image: ProcessedImage, madeFrom body: [UInt8], at place: BodyPlace?) {
        guard let disk, let place else { return }
        guard image.form == .file else {
            thumbnails?.keep(
                image.image,
                for: image.key,
                of: place.url,
                madeFrom: .body(body),
                begun: place.begun
            )
            return
        }
        pending.submit(to: pool) {
            guard let encoded = EncodedImage(image.image) else { return }
            disk.storeImage(
                encoded,
                for: image.key,
                of: place.url,
                madeFrom: ContentChecksum(of: body),
                begun: place.begun
            )
        }
    }

    /// Updates the metadata of a body on disk after a 304 response, or removes the body if the
    /// response forbids storing it.
    ///
    /// If `place` is nil, the load stores nothing on disk, so the stored metadata stays as it is. A
    /// body that must not be stored is removed in any case.
    func update(_ response: CachedResponse, of url: ImageURL, at place: BodyPlace?) {
        guard let disk else { return }
        guard reuse.mayStore(response) else { return disk.removeSoon(url) }
        if place != nil { disk.updateMetadata(response.encoded(), for: url) }
    }

    /// The handlers that store bodies that no load waits for anymore.
    ///
    /// A complete body is stored like any other body.
    var detachedDownloads: DetachedDownloads {
        DetachedDownloads(
            keepPartial: { request, partial in
                guard let disk, let place = request.place else { return }
                disk.storePartial(
                    partial.bytes,
                    metadata: partial.metadata,
                    for: place.url,
                    begun: place.begun
                )
            },
            keepBody: { request, body in
                guard disk != nil, let place = request.place, body.head.status != 304 else {
                    return
                }
                let times = body.times(or: clock.wallTime())
                let response = CachedResponse(body.head, of: request.headers, times: times)
                guard let transform = hooks.transformBody else {
                    return keep(body.bytes, response, at: place)
                }
                pending.submit(to: pool) {
                    guard let bytes = transform(place.url, body.bytes) else { return }
                    keep(bytes, response, at: place)
                }
            }
        )
    }

    /// Replaces the stored body, which is always older, or removes it if the new body must not be
    /// stored.
    private func store(
        _ bytes: [UInt8]?,
        _ response: CachedResponse,
        _ place: BodyPlace,
        _ image: ProcessedImage?,
        in disk: DiskCache
    ) {
        guard let bytes, reuse.mayStore(response) else { return disk.removeSoon(place.url) }
        disk.store(bytes, metadata: response.encoded(), for: place.url, begun: place.begun)
        if let image { keep(image, madeFrom: bytes, at: place) }
    }
}

/// The place of a body on disk, valid unless the disk cache was cleared after the load began.
struct BodyPlace: Hashable, Sendable {
    let url: ImageURL
    let begun: CacheGeneration?
}

/// A body in the disk cache, with the metadata of its response.
struct CachedBody: Sendable {
    let bytes: [UInt8]
    /// The metadata of the response, or nil if a program stored the body itself.
    let response: CachedResponse?
    /// The way in which the body may be used, determined at the time of the lookup.
    let decision: CacheDecision

    /// Whether the body can be used without waiting for a response from its server.
    var answersAtOnce: Bool { decision == .fresh || decision == .staleUsable }
}

/// Decides how a body on disk may be used.
struct ReuseRule: Sendable {
    let policy: CachePolicy
    let freshness: Freshness

    /// Creates a rule.
    ///
    /// `maximumAge` is the time for which the disk cache keeps unused bodies. A body whose server
    /// sent no information about its freshness is fresh for the same time.
    init(policy: CachePolicy, maximumAge: Duration?) {
        self.policy = policy
        freshness = Freshness(
            silentLifetime: maximumAge.map { Int(clamping: $0.components.seconds) }
        )
    }

    func body(_ entry: DiskEntry, for key: LoadKey, at now: Int) -> CachedBody {
        let response = CachedResponse(decoding: entry.metadata)
        return CachedBody(
            bytes: entry.bytes,
            response: response,
            decision: decision(for: response, key, at: now)
        )
    }

    func decision(
        for response: CachedResponse?,
        _ key: LoadKey,
        at now: Int
    ) -> CacheDecision {
        guard let response, policy == .respectHTTP else {
            return key.isRefresh ? .mayServeOnError(.serverErrors) : .fresh
        }
        return freshness.decision(
            for: response,
            request: key.headers,
            isRefresh: key.isRefresh,
            at: now
        )
    }

    /// Returns the time after which the server is expected to have a new image, according to
    /// `response`.
    func expectedChange(of response: CachedResponse?, at now: Int) -> Duration? {
        guard let response, policy == .respectHTTP else { return nil }
        return freshness.expectedChange(of: response, at: now).map { .seconds($0) }
    }

    /// Returns whether the body of a response may be stored on disk.
    func mayStore(_ response: CachedResponse) -> Bool {
        policy == .ignoreHTTP || response.mayBeStored
    }
}
