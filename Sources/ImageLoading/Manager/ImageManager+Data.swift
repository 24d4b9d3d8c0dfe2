import SystemSupport

extension ImageManager {
    /// The undecoded body of an image.
    public struct ImageData: Hashable, Sendable {
        /// The body, after `LoadingHooks.transformBody` if that hook is set.
        public let bytes: [UInt8]
        /// The source of the body.
        ///
        /// The source is never `memory`, because the memory cache contains decoded images only.
        public let source: ImageSource
        /// The HTTP status, or nil if the body did not come from the network.
        public let httpStatus: Int?
        /// Whether the body is no longer fresh and was not revalidated, because the server is
        /// unreachable, permits the use of stale bodies for a while, or must not be contacted.
        public let isStale: Bool
    }

    /// Returns the undecoded body of an image, from the disk cache if possible.
    ///
    /// The call shares the transfer with all loads of the same URL, at any size. The bytes are not
    /// decoded, so their format may be unknown. Target size, content mode and processors are
    /// ignored. Cancelling the task cancels the load.
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
        /// The final URL after redirects, which is the base of relative URLs in the body.
        public let url: String
        /// The header fields of the response, keyed by lowercase name.
        public let headers: [String: String]
        /// Whether the server has a loopback or private network address.
        public let isFromPrivateAddress: Bool
        /// The header fields of a conditional request for this body; empty if the body has no
        /// validator.
        package var conditions: [HeaderField] = []
        /// Whether the server confirmed the known body (304) and sent no body.
        package var isUnchanged = false
        /// The metadata of the response, or nil for a stored body.
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

    /// Fetches a body without decoding or caching it, for feeds and other small documents.
    ///
    /// The transfer counts toward the limits for images. Only `http` and `https` URLs are allowed.
    /// If `origin` is an untrusted feed, the URL must not lead to a private address.
    public func body(
        of url: String,
        origin: RequestOrigin = .local
    ) async throws(ImageLoadingError) -> FetchedBody {
        try await body(of: url, origin: origin, unless: [])
    }

    /// Fetches a body if it differs from the known body, which `conditions` identify.
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
        fetched.conditions =
            fetched.isUnchanged ? conditions : response.conditionalFields(for: fields)
        return fetched
    }

    /// Fetches a small body with limits for each of its transfers; exceeding a limit is an error.
    package func body(
        of url: String,
        origin: RequestOrigin,
        limits: TransferLimits
    ) async throws(ImageLoadingError) -> FetchedBody {
        try await body(of: url, origin: origin, unless: [], limits: limits)
    }

    /// Fetches a body within a total time limit, which also covers servers that send a few bytes at
    /// a time.
    ///
    /// `conditions` identify the known body. If the body has not changed, the result contains no
    /// bytes and `isUnchanged` is true.
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
