/// The bytes of a successful download.
public struct DownloadedBody: Hashable, Sendable {
    /// The bytes of the body with any content coding removed.
    ///
    /// They are complete unless `isPartial` is true. They are empty only for a 304 response to a
    /// conditional request.
    public let bytes: [UInt8]
    /// The head of the response.
    ///
    /// If the body was resumed, this is the head of the complete body: a 200 with the total length.
    public let head: TransferHead
    /// Whether the body is incomplete because the caller ended the transfer early
    /// (`DownloadHandle.finishEarly`).
    public internal(set) var isPartial = false
    /// Whether the body was assembled from an earlier partial body and a later transfer.
    var isResumed = false
    /// Whether the body is part of a resource that has changed since the image's URL was created.
    var isOfNewerResource = false
    /// The times of the request and of its response; nil if a program created the body.
    var times: ExchangeTimes?

    /// Creates a body with the head of its response.
    public init(bytes: [UInt8], head: TransferHead) {
        self.bytes = bytes
        self.head = head
    }

    /// Returns the times of the request and the response; for a body without times, both are `now`.
    func times(or now: Int) -> ExchangeTimes {
        times ?? ExchangeTimes(request: now, response: now)
    }
}

/// The first part of a body, with the data needed to request the remaining bytes.
///
/// The transfer of the body was interrupted or stopped.
public struct PartialBody: Hashable, Sendable {
    /// The received part of the body, starting with the first byte; never empty.
    public var bytes: [UInt8]
    /// The strong entity tag or modification date that identifies the version of the body (RFC
    /// 9110, 13.1.5).
    ///
    /// The remaining bytes must belong to the same version. The value is sent unchanged in
    /// `If-Range`.
    public var validator: String
    /// The length of the complete body in bytes, or nil if it was not announced.
    public var totalByteCount: Int?
    /// The metadata that determines how long the bytes are fresh; nil if unknown.
    var response: CachedResponse?

    /// Creates a partial body.
    public init(bytes: [UInt8], validator: String, totalByteCount: Int?) {
        self.bytes = bytes
        self.validator = validator
        self.totalByteCount = totalByteCount
    }
}

extension PartialBody {
    private static let version: UInt8 = 0xB1

    private enum Tag {
        static let validator: UInt8 = 1
        static let totalByteCount: UInt8 = 2
        static let byteCount: UInt8 = 3
        static let response: UInt8 = 4
    }

    /// The metadata to store with the bytes on disk, at most 4 KiB and without secrets.
    var metadata: [UInt8] {
        var fields = TaggedFields()
        fields[text: Tag.validator] = validator
        fields[number: Tag.totalByteCount] = totalByteCount
        fields[number: Tag.byteCount] = bytes.count
        fields[bytes: Tag.response] = response?.encoded()
        return fields.encoded(version: Self.version)
    }

    /// Creates a partial body from its bytes and stored metadata; returns nil if they do not match.
    init?(bytes: [UInt8], metadata: [UInt8]) {
        guard let fields = TaggedFields(decoding: metadata, version: Self.version),
            let validator = fields[text: Tag.validator], Self.isUsable(validator),
            fields[number: Tag.byteCount] == bytes.count, !bytes.isEmpty
        else { return nil }
        let total = fields[number: Tag.totalByteCount]
        guard bytes.count < total ?? Int.max else { return nil }
        self.init(bytes: bytes, validator: validator, totalByteCount: total)
        response = fields[bytes: Tag.response].flatMap { CachedResponse(decoding: $0) }
    }

    /// Returns the response metadata contained in a partial body's stored metadata.
    static func response(in metadata: [UInt8]) -> CachedResponse? {
        TaggedFields(decoding: metadata, version: version)
            .flatMap { $0[bytes: Tag.response] }.flatMap { CachedResponse(decoding: $0) }
    }

    /// Returns whether `validator` is a strong entity tag or a valid date; only these can be sent.
    private static func isUsable(_ validator: String) -> Bool {
        if let tag = EntityTag(validator) { return !tag.isWeak }
        return HTTPDate(validator) != nil
    }
}

extension TransferHead {
    /// Returns the head of the complete body (RFC 9110, 15.3.7.3).
    ///
    /// `self` is the head of the response that contained the rest of the body. Such a response may
    /// omit `Last-Modified`, because its request had an `If-Range` field. If `validator` is a date,
    /// it becomes the `Last-Modified` of the result.
    func completing(validator: String, totalByteCount: Int) -> TransferHead {
        var headers = headers
        headers["content-range"] = nil
        headers["content-length"] = String(totalByteCount)
        if EntityTag(validator) == nil { headers["last-modified"] = validator }
        return TransferHead(
            status: 200,
            expectedByteCount: totalByteCount,
            headers: headers,
            httpVersion: httpVersion
        )
    }
}

/// Handlers that store bodies and partial bodies that no caller is waiting for.
///
/// The handlers are called on any thread and must return quickly.
public struct DetachedDownloads: Sendable {
    /// Stores a partial body, which a later transfer can resume.
    public var keepPartial: @Sendable (DownloadRequest, PartialBody) -> Void
    /// Stores a body that was completed after all listeners had left.
    public var keepBody: @Sendable (DownloadRequest, DownloadedBody) -> Void

    /// Creates the handlers; the default handlers drop the bytes.
    public init(
        keepPartial: @escaping @Sendable (DownloadRequest, PartialBody) -> Void = { _, _ in },
        keepBody: @escaping @Sendable (DownloadRequest, DownloadedBody) -> Void = { _, _ in }
    ) {
        self.keepPartial = keepPartial
        self.keepBody = keepBody
    }
}
