internal import Decoders
internal import SystemSupport

/// The steps of a load that use the network.
extension LoadTask {
    /// Fetches the image from its server, or returns the known image if the server confirms it.
    ///
    /// A new image is stored in memory and on disk. If several processes share a cache directory,
    /// only one of them at a time requests a URL. The others wait, then check the disk first.
    func fetch(_ known: KnownImage) async throws(ImageLoadingError) -> ImageResponse {
        var known = known
        // If the task already holds the lease, it took the lease before it checked the disk.
        if lease == nil {
            let lease = await takeLease()
            // Check for cancellation, so no hook is called for a load that no caller is waiting
            // for.
            guard !Task.isCancelled else { throw .cancelled }
            // The earlier lookup is valid unless another process has held the lease in the
            // meantime.
            if lease?.wasContended == true { known.partial = nil }
            if let lease, let answer = try await answerOfOthers(known, lease) { return answer }
        }
        return try await ask(known)
    }

    /// Requests the image.
    ///
    /// If `isWhole` is true, the request is the second attempt: the first attempt joined two parts
    /// of a body, and the result was not an image.
    private func ask(
        _ known: KnownImage,
        isWhole: Bool = false
    ) async throws(ImageLoadingError) -> ImageResponse {
        let request = try await downloadRequest(known)
        if request.reportsPartials { setPreviews(makePreviews(known)) }
        defer { setPreviews(nil) }
        let body = try await body(for: request, known)
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
        // The 304 refers to other bytes, or the stored bytes are not an image, so the request is
        // repeated without conditions.
        return try await ask(.nothing)
    }

    /// Downloads a body.
    ///
    /// The image may be part of a larger resource. If the transfer fails because that resource has
    /// changed on its server, the part's URL in the current version is requested, but only once.
    private func body(
        for request: DownloadRequest,
        _ known: KnownImage
    ) async throws(ImageLoadingError) -> DownloadedBody {
        let body: DownloadedBody
        do throws(ImageLoadingError) {
            body = try await transfer(request, known)
        } catch {
            var request = request
            if let repeated = self.request(request, fromPage: error) {
                return try await transfer(repeated, known)
            }
            request.url = try await engine.currentURL(
                of: key.url,
                origin: key.request.origin,
                after: error
            )
            // The cache location and the partial body belong to the version at the original URL.
            (request.place, request.partial) = (nil, nil)
            guard !Task.isCancelled else { throw .cancelled }
            var body = try await transfer(request, known)
            body.isOfNewerResource = true
            return body
        }
        guard body.isPage, let repeated = self.request(request, fromPage: nil) else { return body }
        return try await transfer(repeated, known)
    }

    /// Returns the request with a `Referer` field, to be sent if the server returned a page instead
    /// of the image or refused the image with 403.
    ///
    /// Returns nil if the request failed for another reason, or if the page must not be revealed.
    private func request(
        _ request: DownloadRequest,
        fromPage error: ImageLoadingError?
    ) -> DownloadRequest? {
        guard error == nil || error?.httpStatus == 403, !Task.isCancelled,
            key.request.alternativeGroup == nil,
            !request.headers.contains(where: { $0.isNamed("Referer") }),
            let page = Referer.value(page: key.request.page, image: key.url)
        else { return nil }
        var request = request
        request.headers.append(HeaderField("Referer", page))
        request.partial = nil
        return request
    }

    private func transfer(
        _ request: DownloadRequest,
        _ known: KnownImage
    ) async throws(ImageLoadingError) -> DownloadedBody {
        try await engine.downloader.body(for: request, handle: download) { event in
            self.note { stopwatch, now in stopwatch.note(event, at: now) }
            switch event {
            case .queued: self.tell(.queued)
            case .waiting(let error): self.tell(.waiting(error))
            case .progress(let progress): self.tell(.progress(progress))
            case .partial(let bytes, let expected):
                self.offerPreview(of: bytes, expected: expected, known)
            }
        }
    }

    /// Requests the whole body after two joined parts did not form an image.
    ///
    /// The server had confirmed that the parts match. The first part is deleted.
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

    /// Takes the lease on the URL, so no other process requests the URL at the same time.
    ///
    /// The task holds the lease until it ends, or until other processes can find the body. Returns
    /// nil if the load stores nothing on disk, because no lease is needed then. `look` is passed to
    /// `KeyLeases.share`.
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

    /// Returns the image that another process has fetched in the meantime, or nil if a request is
    /// still needed.
    ///
    /// If this process did not wait for the lease, the disk is checked again, because the other
    /// process may have finished after the first check.
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

    // MARK: The request

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
        // If another image can be shown, a failure is more useful than waiting for a refresh.
        request.waitsForHost = beginAsking(hasStandIn: known.body != nil || known.shown != nil)
        // If a complete image is already shown, a preview would look worse.
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

extension DownloadedBody {
    /// Whether the server sent a page instead of an image.
    fileprivate var isPage: Bool {
        head.headers["content-type"]?.lowercased().hasPrefix("text/html") == true
    }
}
