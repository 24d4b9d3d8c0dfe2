/// The bytes of a download that ended well.
public struct DownloadedBody: Hashable, Sendable {
    /// The body, complete unless `isPartial`, and without content coding; empty only for a 304 that
    /// was asked for.
    public let bytes: [UInt8]
    /// The response's head; of a body that was resumed, that of the whole: a 200
    /// with the whole length.
    public let head: TransferHead
    /// Whether it is only as much as had come when the caller said that this is enough
    /// (`DownloadHandle.finishEarly`).
    public internal(set) var isPartial = false
    /// Whether it was joined of a part from before and the rest.
    var isResumed = false
    /// Of the attempt that brought it, without what it waited for before; nil if made by hand.
    var times: ExchangeTimes?

    /// Joins a body with its head.
    public init(bytes: [UInt8], head: TransferHead) {
        self.bytes = bytes
        self.head = head
    }

    /// Its times; of one without, a moment.
    func times(or now: Int) -> ExchangeTimes {
        times ?? ExchangeTimes(request: now, response: now)
    }
}

/// The first part of a body whose transfer broke off or was given up, with what it takes to resume.
public struct PartialBody: Hashable, Sendable {
    /// The first bytes of the body, never empty.
    public var bytes: [UInt8]
    /// What the server must still have for the rest to fit (RFC 9110 13.1.5): a strong entity tag,
    /// or a date of last change; goes into `If-Range` as it is.
    public var validator: String
    /// The length of the whole body in bytes; nil if it was not announced.
    public var totalByteCount: Int?
    /// What its server said of the whole, which tells how long this part is good for; nil if
    /// unknown.
    var response: CachedResponse?

    /// Makes a partial body.
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

    /// What to keep beside the bytes on disk, at most 4 KiB; no secrets.
    var metadata: [UInt8] {
        var fields = TaggedFields()
        fields[text: Tag.validator] = validator
        fields[number: Tag.totalByteCount] = totalByteCount
        fields[number: Tag.byteCount] = bytes.count
        fields[bytes: Tag.response] = response?.encoded()
        return fields.encoded(version: Self.version)
    }

    /// Joins bytes with what `metadata` said of them; nil if they don't fit together.
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

    /// What its server said of the whole, by what was kept beside the part.
    static func response(in metadata: [UInt8]) -> CachedResponse? {
        TaggedFields(decoding: metadata, version: version)
            .flatMap { $0[bytes: Tag.response] }.flatMap { CachedResponse(decoding: $0) }
    }

    /// A strong tag or a date, as both go into a request.
    private static func isUsable(_ validator: String) -> Bool {
        if let tag = EntityTag(validator) { return !tag.isWeak }
        return HTTPDate(validator) != nil
    }
}

extension TransferHead {
    /// The head that the whole body would have had, made of the head of its last part
    /// (RFC 9110, 15.3.7.3).
    ///
    /// An answer to If-Range need not repeat Last-Modified, which is known from the validator.
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

/// What becomes of bytes that nobody waits for any more; called on any thread, must be quick.
public struct DetachedDownloads: Sendable {
    /// A partial body, which a later transfer can resume.
    public var keepPartial: @Sendable (DownloadRequest, PartialBody) -> Void
    /// A whole body whose last listener left before it was there.
    public var keepBody: @Sendable (DownloadRequest, DownloadedBody) -> Void

    /// Makes the two; by default what they would keep is dropped.
    public init(
        keepPartial: @escaping @Sendable (DownloadRequest, PartialBody) -> Void = { _, _ in },
        keepBody: @escaping @Sendable (DownloadRequest, DownloadedBody) -> Void = { _, _ in }
    ) {
        self.keepPartial = keepPartial
        self.keepBody = keepBody
    }
}
