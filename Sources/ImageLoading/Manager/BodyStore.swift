internal import Decoders

/// Writes bodies, partial bodies and processed images to disk if HTTP and the hooks allow it.
struct BodyStore: Sendable {
    let disk: DiskCache?
    let hooks: LoadingHooks
    let policy: CachePolicy
    let pool: WorkerPool
    let thumbnails: ThumbnailStore?
    let clock: LoadingClock
    /// The time at which this process began to load images, in seconds since 1970.
    let sessionStart: Int
    /// The bodies and images that are being prepared for storage.
    let pending = PendingStores()

    /// The rule for using bodies on disk, with the current maximum age of the disk cache.
    var reuse: ReuseRule {
        ReuseRule(policy: policy, maximumAge: disk?.maximumAge, sessionStart: sessionStart)
    }

    /// An image that was made from a body and is stored with it.
    struct ProcessedImage: Sendable {
        enum Form: Sendable {
            /// The image is stored as an encoded image file.
            case file
            /// The image is stored as pixels, at the size at which it is shown.
            case thumbnail
        }

        let key: ImageKey
        let image: DecodedImage
        var form = Form.file
    }

    /// Stores a body on disk in the background, together with an image made from it.
    ///
    /// Without a `bodyToStore` hook, lookups find the body immediately. `afterwards` is called on
    /// the writer thread of the disk cache, after the body has been written or dropped. If there is
    /// no disk cache, or if `place` is nil, `afterwards` is called immediately.
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

    /// Stores an image that was made from `body` in the disk cache.
    ///
    /// `body` contains the bytes as they are stored on disk. If the form is `file`, the image is
    /// encoded first, when the decode pool is idle.
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

    /// Updates the metadata of a body on disk after a 304 response.
    ///
    /// If the response forbids storing the body, the body is removed. If `place` is nil, the load
    /// stores nothing on disk, so the stored metadata does not change.
    func update(_ response: CachedResponse, of url: ImageURL, at place: BodyPlace?) {
        guard let disk else { return }
        guard reuse.mayStore(response) else { return disk.removeSoon(url) }
        if place != nil { disk.updateMetadata(response.encoded(), for: url) }
    }

    /// The handlers that store the bodies of downloads without listeners.
    ///
    /// A complete body is stored like the body of a load.
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

    /// Replaces the stored body, if any, with a newer one.
    ///
    /// If the new body must not be stored, the old body is removed.
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

/// The URL under which a body is stored and the cache generation when the load began.
///
/// If the disk cache was cleared after the load began, the body is not stored.
struct BodyPlace: Hashable, Sendable {
    let url: ImageURL
    let begun: CacheGeneration?
}

/// A body in the disk cache, with the metadata of its response.
struct CachedBody: Sendable {
    let bytes: [UInt8]
    /// The metadata of the response, or nil if a program stored the body itself.
    let response: CachedResponse?
    /// The permitted use of the body, determined when the body was found.
    let decision: CacheDecision

    /// Whether the body may be used without waiting for its server.
    var answersAtOnce: Bool { decision == .fresh || decision == .staleUsable }
}

/// Determines how a body on disk may be used.
struct ReuseRule: Sendable {
    let policy: CachePolicy
    let freshness: Freshness

    /// Creates a rule.
    ///
    /// `maximumAge` is how long the disk cache keeps unused bodies. It is also how long bodies are
    /// fresh if their servers send no freshness information.
    init(policy: CachePolicy, maximumAge: Duration?, sessionStart: Int) {
        self.policy = policy
        freshness = Freshness(
            silentLifetime: maximumAge.map { Int(clamping: $0.components.seconds) },
            sessionStart: sessionStart
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

    /// Returns the time until the server is expected to have a new image, according to the header
    /// fields of `response`.
    func expectedChange(of response: CachedResponse?, at now: Int) -> Duration? {
        guard let response, policy == .respectHTTP else { return nil }
        return freshness.expectedChange(of: response, at: now).map { .seconds($0) }
    }

    /// Returns whether the body of a response may be stored on disk.
    func mayStore(_ response: CachedResponse) -> Bool {
        policy == .ignoreHTTP || response.mayBeStored
    }
}
