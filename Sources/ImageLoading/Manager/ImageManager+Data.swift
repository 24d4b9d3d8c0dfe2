extension ImageManager {
    /// An image's body as it came, not decoded.
    public struct ImageData: Hashable, Sendable {
        /// The body, after `LoadingHooks.transformBody` if there is one.
        public let bytes: [UInt8]
        /// Which level answered; never `memory`, which holds decoded images.
        public let source: ImageSource
        /// The HTTP status; nil unless the network answered.
        public let httpStatus: Int?
        /// Whether it is older than its server allows: the server can't be reached, allows it for a
        /// while, or must not be asked.
        public let isStale: Bool
    }

    /// The bytes of an image, through the disk cache: what is there is not asked for again, what
    /// comes is kept there.
    ///
    /// It shares the transfer with the loads of the same URL at whatever size. The bytes are not
    /// decoded: they may be of a format that no decoder knows. Target size, content mode and
    /// processors don't matter. Cancelling the task cancels the load.
    public func data(for request: ImageRequest) async throws(ImageLoadingError) -> ImageData {
        let response = try await response(for: request, .data)
        return ImageData(
            bytes: response.body ?? [],
            source: response.source,
            httpStatus: response.httpStatus,
            isStale: response.isStale
        )
    }

    /// A body as it came, and from where.
    public struct FetchedBody: Hashable, Sendable {
        /// The body.
        public let bytes: [UInt8]
        /// Where it came from, behind redirects: what addresses in it are relative to.
        public let url: String
        /// The fields of the answer's head, by lower-case names.
        public let headers: [String: String]
        /// Whether the server has an address of this machine or of a private network.
        public let isFromPrivateAddress: Bool
        /// The header fields that ask the server whether it still has this body; none if it names no
        /// version of it.
        package var conditions: [HeaderField] = []
        /// Whether the server still has the body that was asked about (304), and sent none.
        package var isUnchanged = false
        /// What its server said of it; nil of one that was kept.
        var response: CachedResponse?

        init(_ body: DownloadedBody, of url: String, isFromPrivateAddress: Bool) {
            bytes = body.bytes
            self.url = body.head.url ?? url
            headers = body.head.headers
            self.isFromPrivateAddress = isFromPrivateAddress
        }

        init(_ bytes: [UInt8], _ kept: KeptBody) {
            (self.bytes, url) = (bytes, kept.url)
            headers = kept.link.map { ["link": $0] } ?? [:]
            isFromPrivateAddress = kept.isFromPrivateAddress
        }
    }

    /// Fetches a body as it is, neither decoded nor cached: for feeds and other small texts.
    ///
    /// It shares the transfers' limits and slots with the images. Only `http` and `https`; what a
    /// stranger's feed names (`origin`) must not lead to a private address.
    public func body(
        of url: String,
        origin: RequestOrigin = .local
    ) async throws(ImageLoadingError) -> FetchedBody {
        try await body(of: url, origin: origin, unless: [])
    }

    /// As above; asks for a body of which an earlier one is known only if it has changed since.
    private func body(
        of url: String,
        origin: RequestOrigin,
        unless conditions: [HeaderField],
        limits: TransferLimits = TransferLimits()
    ) async throws(ImageLoadingError) -> FetchedBody {
        let (body, fields, isPrivate) = try await downloaded(
            url,
            conditions,
            origin: origin,
            limits: limits
        )
        var fetched = FetchedBody(body, of: url, isFromPrivateAddress: isPrivate)
        fetched.isUnchanged = body.head.status == 304
        let times = body.times(or: engine.clock.wallTime())
        let response = CachedResponse(body.head, of: fields, times: times)
        fetched.response = response
        fetched.conditions =
            fetched.isUnchanged ? conditions : response.conditionalFields(for: fields)
        return fetched
    }

    /// Fetches a small body, with limits for each of its transfers; what passes them is an error.
    package func body(
        of url: String,
        origin: RequestOrigin,
        limits: TransferLimits
    ) async throws(ImageLoadingError) -> FetchedBody {
        try await body(of: url, origin: origin, unless: [], limits: limits)
    }

    /// A part of a body, as it is: for archives on servers.
    package struct FetchedPart: Sendable {
        /// The part, or the whole where the server sends no parts.
        package let bytes: [UInt8]
        /// Where it begins; nil of the whole.
        package let offset: Int?
        /// The length of the whole, if it is known.
        package let totalByteCount: Int?
        /// What tells this version of the whole from others.
        package let validator: String?
        /// Whether the server has an address of this machine or of a private network.
        package let isFromPrivateAddress: Bool
    }

    /// Fetches the part that a value of `Range` names, of the version that `validator` names.
    ///
    /// As `body(of:origin:)`; of another version the whole comes.
    package func part(
        of url: String,
        range: String,
        validator: String? = nil
    ) async throws(ImageLoadingError) -> FetchedPart {
        var fields = [HeaderField("Range", range), HeaderField("Accept-Encoding", "identity")]
        if let validator { fields.append(HeaderField("If-Range", validator)) }
        let (body, _, isFromPrivateAddress) = try await downloaded(url, fields, origin: .local)
        let range = body.head.headers["content-range"].flatMap { ContentRange($0) }
        let isPart = body.head.status == 206
        // A part without a usable range would be mistaken for the whole archive. No archive is longer than
        // 2^61 bytes, and sums of such lengths do not overflow.
        guard !isPart || range?.bytes?.count == body.bytes.count && range?.total ?? .max <= 1 << 61
        else { throw .download(.rangeMismatch) }
        return FetchedPart(
            bytes: body.bytes,
            offset: isPart ? range?.bytes?.lowerBound : nil,
            totalByteCount: isPart ? range?.total : body.bytes.count,
            validator: ArchiveValidator.of(body.head),
            isFromPrivateAddress: isFromPrivateAddress
        )
    }

    /// A body, the header fields that are asked with anyway, and whether it is from a private address.
    private func downloaded(
        _ url: String,
        _ fields: [HeaderField],
        origin: RequestOrigin,
        limits: TransferLimits = TransferLimits()
    ) async throws(ImageLoadingError) -> (DownloadedBody, [HeaderField], isFromPrivateAddress: Bool)
    {
        var policy = TransferPolicy()
        (policy.refusesPrivateAddresses, policy.limits) = (true, limits)
        let url = try ImageURL(parsing: url, origin: .remoteFeed)
        guard !engine.resolver.isOffline else {
            throw ImageLoadingError(stage: .cache, kind: .policy, reason: .notCached)
        }
        do throws(ImageLoadingError) {
            return try await body(of: url, fields, policy)
        } catch {
            // Refused before anything was sent, and that tells what we want to know. The second
            // request finds the same address: libcurl keeps what a name stood for for a minute.
            // Another host is where a redirect from outside leads, and stays refused.
            guard origin != .remoteFeed, case .privateAddress(url.host) = error.reason else {
                throw error
            }
            policy.refusesPrivateAddresses = false
            return try await body(of: url, fields, policy)
        }
    }

    /// As above, within a time that counts from the asking to the last byte: a server that drips is
    /// silent at no moment.
    ///
    /// `conditions` are those of the body that is known; where the server still has it, none comes.
    package func body(
        of url: String,
        origin: RequestOrigin = .local,
        within limit: Duration,
        unless conditions: [HeaderField] = []
    ) async throws(ImageLoadingError) -> FetchedBody {
        let (hasTimedOut, clock) = (CancellationFlag(), engine.clock)
        let fetch = Task(executorPreference: StepExecutor.shared) {
            await Self.result { () async throws(ImageLoadingError) in
                try await self.body(of: url, origin: origin, unless: conditions)
            }
        }
        // The alarm outlives the fetch, and must not keep what it brought.
        let running = Protected<Task<Result<FetchedBody, ImageLoadingError>, Never>?>(fetch)
        clock.notify(at: clock.uptime() + limit) {
            guard let fetch = running.withLock({ $0 }) else { return }
            hasTimedOut.cancel()
            fetch.cancel()
        }
        let result = await withTaskCancellationHandler {
            await fetch.value
        } onCancel: {
            fetch.cancel()
        }
        running.withLock { $0 = nil }
        guard case .failure(.cancelled) = result, hasTimedOut.isCancelled else {
            return try result.get()
        }
        throw .transfer(.timedOut, "not received within \(limit.components.seconds) s")
    }

    private static func result<Value>(
        _ work: () async throws(ImageLoadingError) -> Value
    ) async -> Result<Value, ImageLoadingError> {
        do throws(ImageLoadingError) {
            return .success(try await work())
        } catch {
            return .failure(error)
        }
    }

    private func body(
        of url: ImageURL,
        _ fields: [HeaderField],
        _ policy: TransferPolicy
    ) async throws(ImageLoadingError) -> (DownloadedBody, [HeaderField], Bool) {
        let own = engine.resolver.headers(of: ImageRequest(url: url.absoluteString), url: url)
        let request = DownloadRequest(
            url: url.absoluteString,
            headers: HeaderField.joined(own, fields),
            policy: policy
        )
        let body = try await engine.downloader.body(
            for: request,
            handle: DownloadHandle(priority: .high),
            onEvent: { _ in }
        )
        return (body, own, !policy.refusesPrivateAddresses)
    }
}
