/// The properties of a response that the cache needs to reuse the body (RFC 9111, section 3).
///
/// Times are seconds since 1970-01-01 UTC.
struct CachedResponse: Hashable, Sendable {
    /// The maximum length of a stored Content-Type in bytes; a longer value is not stored.
    static let contentTypeLimit = 256

    var status: Int
    /// The entity tag in ETag; nil if it is missing or invalid.
    var entityTag: EntityTag?
    /// The time in Last-Modified.
    var lastModified: Int?
    /// The value of Date: the time at which the server created the response.
    var date: Int?
    /// The value of Age: the number of seconds that the response spent in other caches.
    var age: Int?
    /// The expiration time in Expires.
    ///
    /// An invalid date is stored as 0, which is in the past (RFC 9111, 5.3).
    var expires: Int?
    var cacheControl = CacheControl()
    /// The request fields listed in Vary, with a digest of their values in the request.
    var vary = VaryRule.none
    /// The Content-Type; nil if it is missing or too long.
    var contentType: String?
    /// The times of the request and of the response.
    var times: ExchangeTimes

    /// Creates a response without header fields.
    init(status: Int = 200, times: ExchangeTimes) {
        self.status = status
        self.times = times
    }

    /// Creates the properties of a response from its head; `request` contains the request's fields.
    init(_ head: TransferHead, of request: [HeaderField], times: ExchangeTimes) {
        self.init(status: head.status, times: times)
        let type = head.headers["content-type"]
        contentType = type.flatMap { $0.utf8.count <= Self.contentTypeLimit ? $0 : nil }
        vary = VaryRule(head.headers["vary"], of: request)
        read(head.headers)
    }

    /// Reads the header fields of a new response.
    ///
    /// `date` and `age` are always replaced; the other properties are replaced only if their fields
    /// are present.
    mutating func read(_ headers: [String: String]) {
        let now = times.response
        let instant = { (name: String) in
            headers[name].flatMap { HTTPDate($0, now: now)?.seconds }
        }
        entityTag = headers["etag"].flatMap { EntityTag($0) } ?? entityTag
        lastModified = instant("last-modified") ?? lastModified
        expires = headers["expires"].map { HTTPDate($0, now: now)?.seconds ?? 0 } ?? expires
        cacheControl = headers["cache-control"].map { CacheControl($0) } ?? cacheControl
        // Date and Age belong only to the new response, so the earlier values are dropped.
        date = instant("date")
        age = headers["age"].flatMap { CacheDirective.list("age=\($0)").first?.seconds }
    }

    /// Whether a private cache may store the response (RFC 9111, section 3).
    ///
    /// This cache has one user, so `private` and a request with Authorization do not prevent
    /// storage. A response with a status that is not cacheable by default is stored only if a
    /// directive allows it: a 201 or 202 describes the request that created the resource, not the
    /// resource itself.
    var mayBeStored: Bool {
        guard !cacheControl.forbidsStorage else { return false }
        return allowsHeuristics || cacheControl.isPrivate || cacheControl.maximumAge != nil
            || expires != nil
    }

    /// Whether the response may be treated as fresh even though it specifies no lifetime (RFC 9111,
    /// 4.2.2).
    ///
    /// True for the statuses 200 and 203, which are cacheable by default (RFC 9110, 15.1) and have
    /// a complete body, and for any response with `public`.
    var allowsHeuristics: Bool { status == 200 || status == 203 || cacheControl.isPublic }
}

extension CachedResponse {
    /// Returns the fields that make a request conditional, or an empty list if this is not
    /// possible.
    ///
    /// If the request does not match the response's `Vary`, a date does not identify the response,
    /// so only the entity tag is sent (RFC 9111, 4.3.1).
    func conditionalFields(for request: [HeaderField]) -> [HeaderField] {
        var fields: [HeaderField] = []
        if let entityTag { fields.append(HeaderField("If-None-Match", entityTag.fieldValue)) }
        if let lastModified, vary.matches(request) {
            let date = HTTPDate(seconds: lastModified)
            fields.append(HeaderField("If-Modified-Since", date.text))
        }
        return fields
    }

    /// Returns the properties of a stored feed with the times and the newer entity tag from a 304.
    ///
    /// Unlike an image, a feed is requested in each session, so a wrong tag has no lasting effect.
    func confirmed(by answer: CachedResponse?) -> CachedResponse {
        var merged = self
        merged.times = answer?.times ?? times
        merged.entityTag = answer?.entityTag ?? entityTag
        return merged
    }

    /// Returns the properties of the stored body after the server has confirmed it with a 304.
    ///
    /// Returns nil if the 304 applies to other bytes, so the resource must be loaded again (RFC
    /// 9111, 3.2 and 4.3.4). `request` contains the request's fields without the conditional
    /// fields. Fields of the 304 replace the stored fields, with two exceptions: the stored
    /// Content-Type is kept, and so is the stored entity tag, because it may be strong while the
    /// 304 contains its weak form.
    func revalidated(
        by head: TransferHead,
        of request: [HeaderField],
        times: ExchangeTimes
    ) -> CachedResponse? {
        let theirs = head.headers["etag"].flatMap { EntityTag($0) }
        if let theirs, let ours = entityTag, !theirs.weaklyMatches(ours) { return nil }
        var merged = self
        merged.times = times
        merged.read(head.headers)
        merged.entityTag = entityTag ?? theirs
        merged.vary =
            head.headers["vary"].map { VaryRule($0, of: request) }
            ?? vary.applied(to: request)
        return merged
    }
}

/// The times at which a request was sent and its response arrived, according to the local clock.
struct ExchangeTimes: Hashable, Sendable {
    /// The time of the request, in seconds since 1970-01-01 UTC.
    let request: Int
    /// The time of the response, in seconds since 1970-01-01 UTC.
    let response: Int
}

/// An entity tag, which identifies one version of a resource (RFC 9110, 8.8.3).
struct EntityTag: Hashable, Sendable {
    /// The maximum length of the text between the quotes in bytes; a longer tag is not stored.
    static let byteLimit = 1024

    /// The text between the quotes.
    let opaque: String
    /// Whether the tag is weak: two versions with different bytes may share it.
    let isWeak: Bool

    /// Parses the value of an ETag field; returns nil if the tag is invalid or too long.
    ///
    /// A tag with non-ASCII bytes is invalid: header fields are decoded as UTF-8, which loses
    /// invalid bytes, so two different tags could look equal.
    init?(_ fieldValue: String) {
        let isWeak = fieldValue.hasPrefix("W/")
        let quoted = fieldValue.utf8.dropFirst(isWeak ? 2 : 0)
        let quote = UInt8(ascii: "\"")
        guard quoted.count >= 2, quoted.first == quote, quoted.last == quote else { return nil }
        let opaque = quoted.dropFirst().dropLast()
        guard opaque.count <= Self.byteLimit,
            opaque.allSatisfy({ (0x21...0x7E).contains($0) && $0 != quote })
        else { return nil }
        self.opaque = String(decoding: opaque, as: UTF8.self)
        self.isWeak = isWeak
    }

    /// The tag as written in a header field.
    var fieldValue: String { isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"" }

    /// Returns whether both tags identify the same bytes, as a range request requires (RFC 9110,
    /// 8.8.3.2).
    func stronglyMatches(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Returns whether both tags identify the same content, as a 304 requires.
    func weaklyMatches(_ other: EntityTag) -> Bool {
        opaque == other.opaque
    }
}
