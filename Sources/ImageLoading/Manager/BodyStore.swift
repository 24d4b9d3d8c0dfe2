/// Puts downloaded bodies and their beginnings on disk, by the rules of HTTP and of the hooks (rows
/// C8, C9, M26, F26).
struct BodyStore: Sendable {
    let disk: DiskCache?
    let hooks: LoadingHooks
    let reuse: ReuseRule
    let pool: WorkerPool
    let clock: LoadingClock

    /// Keeps a body soon; look-ups find it from then on.
    ///
    /// `afterwards` is called on a thread of the disk when it is written, or won't be.
    func keep(
        _ bytes: [UInt8],
        _ response: CachedResponse,
        at place: BodyPlace?,
        afterwards: @escaping @Sendable () -> Void = {}
    ) {
        guard let disk, let place else { return afterwards() }
        guard let serialise = hooks.bodyToStore else {
            store(bytes, response, place, in: disk)
            return disk.writer.submit(priority: .normal, afterwards)
        }
        pool.submit(priority: .low) {
            store(serialise(place.url, bytes), response, place, in: disk)
            disk.writer.submit(priority: .normal, afterwards)
        }
    }

    /// Notes what a 304 said of a body on disk, which may be that it must not be there any more.
    func update(_ response: CachedResponse, of url: ImageURL) {
        guard let disk else { return }
        guard reuse.mayStore(response) else { return remove(url, from: disk) }
        disk.updateMetadata(response.encoded(), for: url)
    }

    /// Where bodies go that nobody waits for any more.
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
                pool.submit(priority: .low) {
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
        in disk: DiskCache
    ) {
        guard let bytes, reuse.mayStore(response) else {
            return remove(place.url, from: disk)
        }
        disk.store(bytes, metadata: response.encoded(), for: place.url, begun: place.begun)
    }

    private func remove(_ url: ImageURL, from disk: DiskCache) {
        let key = disk.key(of: url)
        disk.removeSoon([key.body, key.partial])
    }
}

/// Where a body goes on disk, unless the disk cache was cleared since the load began (row F29).
struct BodyPlace: Hashable, Sendable {
    let url: ImageURL
    let begun: CacheGeneration?
}

/// A body in the disk cache, and what its server said of it.
struct CachedBody: Sendable {
    let bytes: [UInt8]
    /// Nil if nothing is known: a program put it there by hand, or another version of this one.
    let response: CachedResponse?
    /// What it may be used for at the moment it was looked up.
    let decision: CacheDecision

    /// Whether nobody needs to be asked before it is used.
    var answersAtOnce: Bool { decision == .fresh || decision == .staleUsable }
}

/// Decides what a body on disk may be used for.
struct ReuseRule: Sendable {
    let policy: CachePolicy
    let freshness: Freshness

    /// `maximumAge` is how long the disk cache keeps what is not used, which is long enough for a
    /// picture whose server says nothing at all about it.
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

    /// Whether the body of such a response goes onto the disk.
    func mayStore(_ response: CachedResponse) -> Bool {
        policy == .ignoreHTTP || response.mayBeStored
    }
}
