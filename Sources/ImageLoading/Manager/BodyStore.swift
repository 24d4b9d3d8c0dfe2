internal import Decoders

/// Puts downloaded bodies, parts of them and what was made of them on disk, by the rules of HTTP and
/// of the hooks.
struct BodyStore: Sendable {
    let disk: DiskCache?
    let hooks: LoadingHooks
    let policy: CachePolicy
    let pool: WorkerPool
    let thumbnails: ThumbnailStore?
    let clock: LoadingClock
    /// What is being made ready for the disk.
    let pending = PendingStores()

    /// What a body on disk may be used for, by the age that the disk cache allows at this moment.
    var reuse: ReuseRule { ReuseRule(policy: policy, maximumAge: disk?.maximumAge) }

    /// What was made of a body, to be kept beside it.
    struct ProcessedImage: Sendable {
        /// How it is kept.
        enum Form: Sendable {
            /// As a file of its own format.
            case file
            /// As it was shown.
            case thumbnail
        }

        let key: ImageKey
        let image: DecodedImage
        var form = Form.file
    }

    /// Keeps a body soon, with an image that was made of it; look-ups find the body from then on.
    ///
    /// `afterwards` is called on a thread of the disk when the body is written, or won't be.
    func keep(
        _ bytes: [UInt8],
        _ response: CachedResponse,
        at place: BodyPlace?,
        image: ProcessedImage? = nil,
        afterwards: @escaping @Sendable () -> Void = {}
    ) {
        guard let disk, let place else { return afterwards() }
        guard let serialise = hooks.bodyToStore else {
            store(bytes, response, place, image, in: disk)
            return disk.writer.submit(priority: .normal, afterwards)
        }
        pending.submit(to: pool) {
            store(serialise(place.url, bytes), response, place, image, in: disk)
            disk.writer.submit(priority: .normal, afterwards)
        }
    }

    /// Keeps an image that was made of a body that is on disk; encodes it on the decode pool when
    /// nothing else is to be done there.
    ///
    /// `body` is the body as it lies on the disk.
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

    /// Notes what a 304 said of a body on disk, which may be that it must not be there any more.
    ///
    /// Without a place the load keeps nothing on disk, so what is there stays as it is; what must
    /// not be there leaves all the same.
    func update(_ response: CachedResponse, of url: ImageURL, at place: BodyPlace?) {
        guard let disk else { return }
        guard reuse.mayStore(response) else { return disk.removeSoon(url) }
        if place != nil { disk.updateMetadata(response.encoded(), for: url) }
    }

    /// Where bodies go that no load waits for any more.
    ///
    /// A whole one takes the same way as any other body.
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

    /// In place of what is there, which is older in any case.
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

/// Where a body goes on disk, unless the disk cache was cleared since the load began.
struct BodyPlace: Hashable, Sendable {
    let url: ImageURL
    let begun: CacheGeneration?
}

/// A body in the disk cache, and what its server said of it.
struct CachedBody: Sendable {
    let bytes: [UInt8]
    /// Nil if nothing is known: a program put it there by hand.
    let response: CachedResponse?
    /// What it may be used for at the moment it was looked up.
    let decision: CacheDecision

    /// Whether it is used without asking its server first.
    var answersAtOnce: Bool { decision == .fresh || decision == .staleUsable }
}

/// Decides what a body on disk may be used for.
struct ReuseRule: Sendable {
    let policy: CachePolicy
    let freshness: Freshness

    /// `maximumAge` is how long the disk cache keeps what is not used, which is long enough for a
    /// image whose server says nothing at all about it.
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

    /// How soon the server may have another picture, by its word.
    func expectedChange(of response: CachedResponse?, at now: Int) -> Duration? {
        guard let response, policy == .respectHTTP else { return nil }
        return freshness.expectedChange(of: response, at: now).map { .seconds($0) }
    }

    /// Whether the body of such a response goes onto the disk.
    func mayStore(_ response: CachedResponse) -> Bool {
        policy == .ignoreHTTP || response.mayBeStored
    }
}
