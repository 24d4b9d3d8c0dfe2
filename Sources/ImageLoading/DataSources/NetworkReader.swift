/// Requests parts of resources on web servers for an `ImageDataSource`.
///
/// The engine's rules for permitted addresses, per-host limits and retries apply.
public struct NetworkReader: Sendable {
    /// The engine that performs the requests.
    ///
    /// The reference is weak because the engine owns the sources, which may hold this reader.
    private weak let engine: LoadEngine?
    /// The origin of the image request; it determines the permitted addresses.
    public let origin: RequestOrigin

    init(_ engine: LoadEngine, origin: RequestOrigin) {
        self.engine = engine
        self.origin = origin
    }

    /// A received part of a resource.
    public struct Part: Sendable {
        /// The bytes of the part, or of the whole resource if the server does not support ranges.
        public let bytes: [UInt8]
        /// The offset of the part in the resource, in bytes; nil if `bytes` is the whole resource.
        public let offset: Int?
        /// The length of the whole resource in bytes, or nil if it is unknown.
        public let totalByteCount: Int?
        /// The validator, which identifies the version of the resource; nil if the response has
        /// none.
        public let validator: String?
        /// Whether the server has a loopback or private network address.
        public let isFromPrivateAddress: Bool
    }

    /// Requests part of a resource.
    ///
    /// `range` is the value of the `Range` header field, such as `bytes=0-99`. `validator`
    /// identifies the expected version of the resource. If the version has changed, the server
    /// sends the whole resource. The result is not cached. If the manager no longer exists, the
    /// method throws `cancelled`.
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
