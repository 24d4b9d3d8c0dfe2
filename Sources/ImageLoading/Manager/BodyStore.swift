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
