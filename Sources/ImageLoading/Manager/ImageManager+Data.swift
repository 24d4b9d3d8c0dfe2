import SystemSupport

extension ImageManager {
    /// The undecoded body of an image.
    public struct ImageData: Hashable, Sendable {
        /// The body, transformed by `LoadingHooks.transformBody` if that hook is set.
        public let bytes: [UInt8]
        /// The source of the body.
        ///
        /// The source is never `memory`, because the memory cache contains only decoded images.
        public let source: ImageSource
        /// The HTTP status, or nil if the body did not come from the network.
        public let httpStatus: Int?
        /// Whether the body is stale and was not revalidated.
        ///
        /// A stale body is used if the server is unreachable, allows the use of stale bodies for a
        /// while, or must not be contacted.
        public let isStale: Bool
    }

    /// Returns the undecoded body of an image, from the disk cache if possible.
    ///
    /// All loads of the same URL share one transfer, regardless of the size they request. The bytes
    /// are not decoded, so they need not be in a known format. Target size, content mode and
    /// processors are ignored. If the task is cancelled, the load is cancelled.
    public func data(for request: ImageRequest) async throws(ImageLoadingError) -> ImageData {
        let response = try await response(for: request, .data)
        return ImageData(
            bytes: response.body ?? [],
            source: response.source,
            httpStatus: response.httpStatus,
            isStale: response.isStale
        )
    }

    /// A fetched body, with the final URL and the header fields of its response.
    public struct FetchedBody: Hashable, Sendable {
        /// The body.
        public let bytes: [UInt8]
        /// The URL after all redirects; relative URLs in the body are resolved against it.
        public let url: String
        /// The header fields of the response, keyed by lowercase name.
        public let headers: [String: String]
        /// Whether the server has a loopback or private network address.
        public let isFromPrivateAddress: Bool
        /// The header fields for a conditional request that revalidates this body.
        ///
        /// Empty if the response had no validator (`ETag` or `Last-Modified`).
        package var conditions: [HeaderField] = []
        /// Whether the server confirmed with a 304 response that the known body is current.
        ///
        /// The result then contains no body.
        package var isUnchanged = false
        /// The metadata of the response; nil if the body was stored earlier.
        var response: CachedResponse?

        init(_ body: DownloadedBody, of url: String, isFromPrivateAddress: Bool) {
            bytes = body.bytes
            self.url = body.head.url ?? url
            headers = body.head.headers
            self.isFromPrivateAddress = isFromPrivateAddress
        }

        init(_ bytes: [UInt8], _ kept: KeptBody) {
            (self.bytes, url) = (bytes, kept.url)
            let fields = ["link": kept.link, "content-type": kept.contentType]
            headers = fields.compactMapValues(\.self)
            isFromPrivateAddress = kept.isFromPrivateAddress
        }
    }

    /// Fetches a body for a feed or another small document, without decoding or caching it.
    ///
    /// The transfer counts toward the limits for image transfers. Only `http` and `https` URLs are
    /// allowed. If `origin` is an untrusted feed, private addresses are refused, even as the target
    /// of a redirect.
    public func body(
        of url: String,
        origin: RequestOrigin = .local
    ) async throws(ImageLoadingError) -> FetchedBody {
        try await body(of: url, origin: origin, unless: [])
    }

    /// Fetches a body unless the server confirms that the body identified by `conditions` is
    /// current.
    private func body(
        of url: String,
        origin: RequestOrigin,
        unless conditions: [HeaderField],
        limits: TransferLimits = TransferLimits()
    ) async throws(ImageLoadingError) -> FetchedBody {
        let (body, fields, isPrivate) = try await engine.downloaded(
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
        // A 304 may contain newer validators.
        fetched.conditions = HeaderField.joined(
            fetched.isUnchanged ? conditions : [],
            response.conditionalFields(for: fields)
        )
        return fetched
    }

    /// Fetches a small body; throws if one of its transfers exceeds `limits`.
    package func body(
        of url: String,
        origin: RequestOrigin,
        limits: TransferLimits
    ) async throws(ImageLoadingError) -> FetchedBody {
        try await body(of: url, origin: origin, unless: [], limits: limits)
    }

    /// Fetches a body within a total time limit.
    ///
    /// The limit also stops a server that sends only a few bytes at a time. `conditions` identify
    /// the known body. If that body has not changed, the result contains no bytes, and
    /// `isUnchanged` is true.
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
        // The timer outlives the fetch and must not keep its result alive.
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
}
