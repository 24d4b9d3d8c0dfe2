/// Reads parts of resources on web servers, for an `ImageDataSource`.
///
/// The requests follow the engine's rules: permitted addresses, limits per host and retries.
public struct NetworkReader: Sendable {
    /// The engine that performs the requests.
    ///
    /// The reference is weak because the engine owns the sources that hold this value.
    private weak let engine: LoadEngine?
    /// The origin of the request that needs the parts, which determines the permitted addresses.
    public let origin: RequestOrigin

    init(_ engine: LoadEngine, origin: RequestOrigin) {
        self.engine = engine
        self.origin = origin
    }

    /// A received part of a resource.
    public struct Part: Sendable {
        /// The part, or the whole resource if the server does not support ranges.
        public let bytes: [UInt8]
        /// The offset of the part, or nil for the whole resource.
        public let offset: Int?
        /// The length of the whole resource, or nil if it is unknown.
        public let totalByteCount: Int?
        /// The validator that identifies the version of the resource.
        public let validator: String?
        /// Whether the server has a loopback or private network address.
        public let isFromPrivateAddress: Bool
    }

    /// Requests the part of a resource that is selected by a `Range` value, such as `bytes=0-99`.
    ///
    /// `validator` identifies the expected version of the resource. If the version has changed, the
    /// server sends the whole resource. The result is not cached. Throws `cancelled` if the manager
    /// no longer exists.
    public func part(
        of url: String,
        range: String,
        validator: String? = nil
    ) async throws(ImageLoadingError) -> Part {
        guard let engine else { throw .cancelled }
        var fields = [HeaderField("Range", range), HeaderField("Accept-Encoding", "identity")]
        if let validator { fields.append(HeaderField("If-Range", validator)) }
        let (body, _, isFromPrivateAddress) = try await engine.downloaded(
            url,
            fields,
            origin: origin
        )
        let range = body.head.headers["content-range"].flatMap { ContentRange($0) }
        let isPart = body.head.status == 206
        // A part without a usable range would be mistaken for the whole resource. No resource is
        // longer than 2^61 bytes, and sums of such lengths do not overflow.
        guard !isPart || range?.bytes?.count == body.bytes.count && range?.total ?? .max <= 1 << 61
        else { throw .download(.rangeMismatch) }
        return Part(
            bytes: body.bytes,
            offset: isPart ? range?.bytes?.lowerBound : nil,
            totalByteCount: isPart ? range?.total : body.bytes.count,
            validator: EntityValidator.of(body.head),
            isFromPrivateAddress: isFromPrivateAddress
        )
    }
}

extension ImageManager {
    /// A reader for parts of resources on web servers.
    ///
    /// The reader does not retain the manager.
    public var network: NetworkReader { NetworkReader(engine, origin: .local) }
}

extension LoadEngine {
    /// Returns the URL of the same image in the current version of a resource, after a transfer
    /// failed because the resource has changed.
    ///
    /// Throws `error` if the transfer failed for another reason, or if the source does not find the
    /// image.
    func currentURL(
        of url: ImageURL,
        origin: RequestOrigin,
        after error: ImageLoadingError
    ) async throws(ImageLoadingError) -> String {
        let network = NetworkReader(self, origin: origin)
        guard case .changedResource = error.reason, case .source(let scheme) = url.scheme,
            let source = resolver.sources[scheme],
            let current = try await source.currentURL(of: url, reading: network)
        else { throw error }
        return current
    }

    /// Requests a URL, and returns the body, the header fields that every request for the URL
    /// contains, and whether the server has a private address.
    func downloaded(
        _ url: String,
        _ fields: [HeaderField],
        origin: RequestOrigin,
        limits: TransferLimits = TransferLimits()
    ) async throws(ImageLoadingError) -> (DownloadedBody, [HeaderField], isFromPrivateAddress: Bool)
    {
        var policy = TransferPolicy()
        (policy.refusesPrivateAddresses, policy.limits) = (true, limits)
        let url = try ImageURL(parsing: url, origin: .remoteFeed)
        guard !resolver.isOffline else {
            throw ImageLoadingError(stage: .cache, kind: .policy, reason: .notCached)
        }
        do throws(ImageLoadingError) {
            return try await body(of: url, fields, policy)
        } catch {
            // The first request was refused before anything was sent, which reveals that the
            // address is private. The second request finds the same address, because libcurl caches
            // name resolutions for a minute. A different host is the target of a redirect, and
            // stays refused.
            guard origin != .remoteFeed, case .privateAddress(url.host) = error.reason else {
                throw error
            }
            policy.refusesPrivateAddresses = false
            return try await body(of: url, fields, policy)
        }
    }

    private func body(
        of url: ImageURL,
        _ fields: [HeaderField],
        _ policy: TransferPolicy
    ) async throws(ImageLoadingError) -> (DownloadedBody, [HeaderField], Bool) {
        let own = resolver.headers(of: ImageRequest(url: url.absoluteString), url: url)
        let request = DownloadRequest(
            url: url.absoluteString,
            headers: HeaderField.joined(own, fields),
            policy: policy
        )
        let body = try await downloader.body(
            for: request,
            handle: DownloadHandle(priority: .high),
            onEvent: { _ in }
        )
        return (body, own, !policy.refusesPrivateAddresses)
    }
}
