internal import Decoders

/// The stages of the journey that the network answers.
extension ImageManager {
    /// The picture from the network, or the server's word that the known one is good; kept in both
    /// caches.
    ///
    /// Of the processes that share a cache directory one at a time asks for a URL; the others look
    /// at the disk when they get their turn.
    func fetch(
        _ known: KnownPicture,
        for run: LoadTask
    ) async throws(ImageLoadingError) -> ImageResponse {
        let lease = await lease(for: run)
        // Before hooks are asked about what nobody waits for any more.
        guard !Task.isCancelled else { throw .cancelled }
        var known = known
        if lease?.wasContended == true {
            counters.withLock { $0.leaseWaits += 1 }
            known.partial = nil
        }
        if let lease, let left = try await answerOfOthers(known, lease, for: run) { return left }
        return try await ask(known, for: run, lease)
    }

    private func ask(
        _ known: KnownPicture,
        for run: LoadTask,
        _ lease: LeaseShare?
    ) async throws(ImageLoadingError) -> ImageResponse {
        let request = try await downloadRequest(for: run, known)
        let settled = Protected<DecodedImage?>(nil)
        let previews =
            request.reportsPartials ? previewMaker(for: run, known, settled: settled) : nil
        defer { previews?.stop() }
        let body = try await downloader.body(
            for: request,
            handle: run.download
        ) { [weak self] event in
            switch event {
            case .queued: self?.tell(.queued, to: run)
            case .progress(let progress): self?.tell(.progress(progress), to: run)
            case .partial(let bytes, let expected):
                guard let previews, let least = self?.leastGain(for: run, known) else { return }
                let partial = PreviewSlot.PartialData(bytes: bytes, expected: expected)
                previews.offer(partial, least: least, priority: run.priority)
            }
        }
        previews?.stop()
        if body.isPartial, let image = settled.withLock({ $0 }) {
            return answer(image, from: body, lease, for: run)
        }
        let times = body.times(or: clock.wallTime())
        guard body.head.status == 304 else {
            let response = CachedResponse(body.head, of: run.key.headers, times: times)
            let arrival = Arrival(body: body, response: response, lease: lease)
            return try await arrived(arrival, known, for: run)
        }
        let confirmed = try await confirmed(body.head, times, known, for: run)
        if let confirmed { return confirmed }
        // The 304 speaks of other bytes than ours, or ours are no picture: ask without condition.
        return try await ask(.nothing, for: run, lease)
    }

    // MARK: Other processes

    private func lease(for run: LoadTask) async -> LeaseShare? {
        guard run.place != nil, let leases else { return nil }
        return await leases.share(of: run.key.url.fileKey) { [weak self] in
            self?.releaseQueuePosition(run)
        }
    }

    /// What another process has fetched meanwhile, if nobody need be asked any more.
    ///
    /// It may have ended between our look at the disk and our turn, without having made us wait.
    private func answerOfOthers(
        _ known: KnownPicture,
        _ lease: LeaseShare,
        for run: LoadTask
    ) async throws(ImageLoadingError) -> ImageResponse? {
        if lease.wasContended, known.body == nil, let answer = await answerFromPartial(for: run) {
            return answer
        }
        if !lease.wasContended {
            guard known.body == nil, await cache.disk?.contains(run.key.url) == true else {
                return nil
            }
        }
        guard let body = await cachedBody(for: run) else { return nil }
        let isNew = body.response != known.body?.response
        guard body.decision == .fresh || (run.key.isRefresh && isNew) else { return nil }
        return try await pictureOnDisk(body, for: run)
    }

    // MARK: Asking

    func downloadRequest(
        for run: LoadTask,
        _ known: KnownPicture
    ) async throws(ImageLoadingError) -> DownloadRequest {
        let key = run.key
        let conditions = known.body?.response?.conditionalFields(for: key.headers) ?? []
        var request = DownloadRequest(
            url: key.url.absoluteString,
            headers: key.headers + conditions,
            policy: key.policy
        )
        request.place = cache.disk == nil ? nil : run.place
        request.sequenceNumber = run.number
        request.continuesInBackground = key.continuesInBackground
        request.asksUnavailableHost = key.retriesFailed
        // Row M16: with a picture on the screen, half of another would be a step back.
        request.reportsPartials = key.purpose == .picture && known.shown == nil
        if conditions.isEmpty { request.partial = await partial(known, key) }
        guard let modify = resolver.hooks.modifyRequest else { return request }
        releaseQueuePosition(run)
        let modified = try await modify(request)
        guard !Task.isCancelled else { throw .cancelled }
        return modified
    }

    /// As it was found before, unless another process has had the lease since.
    private func partial(_ known: KnownPicture, _ key: LoadKey) async -> PartialBody? {
        guard let look = known.partial else { return await partial(for: key) }
        return look.partial
    }

    /// The beginning of the body, if an earlier transfer left one (row F26).
    func partial(for key: LoadKey) async -> PartialBody? {
        guard let entry = await cache.disk?.partial(for: key.url) else { return nil }
        return PartialBody(bytes: entry.bytes, metadata: entry.metadata)
    }
}
