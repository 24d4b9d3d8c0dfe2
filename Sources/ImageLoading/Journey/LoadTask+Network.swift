internal import Decoders

/// The stages of the journey that the network answers.
extension LoadTask {
    /// The image from the network, or the server's word that the known one is good; kept in both
    /// caches.
    ///
    /// Of the processes that share a cache directory one at a time asks for a URL; the others look
    /// at the disk when they get their turn.
    func fetch(_ known: KnownImage) async throws(ImageLoadingError) -> ImageResponse {
        var known = known
        // Else it was taken before the disk was looked at.
        if lease == nil {
            let lease = await takeLease()
            // Before hooks are asked about what nobody waits for any more.
            guard !Task.isCancelled else { throw .cancelled }
            // As it was found before, unless another process has had the lease since.
            if lease?.wasContended == true { known.partial = nil }
            if let lease, let answer = try await answerOfOthers(known, lease) { return answer }
        }
        return try await ask(known)
    }

    /// `isWhole` says that a part from before has shown not to fit.
    private func ask(
        _ known: KnownImage,
        isWhole: Bool = false
    ) async throws(ImageLoadingError) -> ImageResponse {
        let request = try await downloadRequest(known)
        if request.reportsPartials { setPreviews(makePreviews(known)) }
        defer { setPreviews(nil) }
        let body = try await engine.downloader.body(for: request, handle: download) { event in
            self.note { stopwatch, now in stopwatch.note(event, at: now) }
            switch event {
            case .queued: self.tell(.queued)
            case .waiting(let error): self.tell(.waiting(error))
            case .progress(let progress): self.tell(.progress(progress))
            case .partial(let bytes, let expected):
                self.offerPreview(of: bytes, expected: expected, known)
            }
        }
        note { stopwatch, now in stopwatch.noteArrival(at: now) }
        setPreviews(nil)
        let times = body.times(or: engine.clock.wallTime())
        if body.isPartial, let image = sufficientImage { return answer(image, from: body, times) }
        guard body.head.status == 304 else {
            do throws(ImageLoadingError) {
                return try await arrived(body, times, known)
            } catch {
                guard body.isResumed, !isWhole, error.rejectsContent else { throw error }
                return try await askWithoutPart(known)
            }
        }
        let confirmed = try await confirmed(body.head, times, known)
        if let confirmed { return confirmed }
        // The 304 speaks of other bytes than ours, or ours are no image: ask without condition.
        return try await ask(.nothing)
    }

    /// Two parts that don't make an image together, whatever the server says of them: the first
    /// goes, and the whole is asked for at once.
    private func askWithoutPart(
        _ known: KnownImage
    ) async throws(ImageLoadingError) -> ImageResponse {
        rejectedContentHash = nil
        await engine.cache.disk?.removePartial(for: key.url)
        var known = known
        known.partial = PartialLookup()
        return try await ask(known, isWhole: true)
    }

    // MARK: Other processes

    /// The lease on the URL, which the task keeps until its end, or until the body is where other
    /// processes find it; nil if there is nothing to protect.
    ///
    /// `look` is called as `KeyLeases.share` says.
    @discardableResult
    func takeLease(look: (@Sendable () -> Void)? = nil) async -> Lease? {
        guard place != nil, let leases = engine.leases else { return nil }
        let lease = await leases.share(
            of: key.url.fileKey,
            onWait: { [weak self] in self?.releaseReservation() },
            look: look
        )
        if lease.wasContended { engine.counters.withLock { $0.leaseWaits += 1 } }
        self.lease = lease
        return lease
    }

    /// What another process has fetched meanwhile, if nobody need be asked any more.
    ///
    /// It may have ended between our look at the disk and our turn, without having made us wait.
    private func answerOfOthers(
        _ known: KnownImage,
        _ lease: Lease
    ) async throws(ImageLoadingError) -> ImageResponse? {
        if lease.wasContended, known.body == nil, let answer = await lookUpPartial()?.answer {
            return answer
        }
        if !lease.wasContended {
            guard known.body == nil, await engine.cache.disk?.contains(key.url) == true else {
                return nil
            }
        }
        guard let body = await lookUpBody().body else { return nil }
        let isNew = body.response != known.body?.response
        guard body.decision == .fresh || (key.isRefresh && isNew) else { return nil }
        return try await response(from: body)
    }

    // MARK: Asking

    func downloadRequest(_ known: KnownImage) async throws(ImageLoadingError) -> DownloadRequest {
        let conditions = known.body?.response?.conditionalFields(for: key.headers) ?? []
        var request = DownloadRequest(
            url: key.url.absoluteString,
            headers: key.headers + conditions,
            policy: key.policy
        )
        request.place = engine.cache.disk == nil ? nil : place
        request.sequenceNumber = number
        request.continuesInBackground = key.continuesInBackground
        request.asksUnavailableHost = key.retriesFailed
        // With something to show, a failure is worth more than a picture that is only refreshed.
        request.waitsForHost = beginAsking(hasStandIn: known.body != nil || known.shown != nil)
        // With an image on the screen, half of another would be a step back.
        request.reportsPartials = key.purpose == .image && known.shown == nil
        if conditions.isEmpty {
            if let lookup = known.partial {
                request.partial = lookup.partial
            } else {
                request.partial = await partialBody()
            }
        }
        guard let modify = engine.resolver.hooks.modifyRequest else { return request }
        releaseReservation()
        let modified = try await modify(request)
        guard !Task.isCancelled else { throw .cancelled }
        return modified
    }
}
