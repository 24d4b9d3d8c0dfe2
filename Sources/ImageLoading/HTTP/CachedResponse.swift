/// The properties of a response that are required to use its stored body again (RFC 9111, section
/// 3).
///
/// Times are seconds since 1970-01-01 UTC.
struct CachedResponse: Hashable, Sendable {
    /// The maximum length of a stored Content-Type in bytes; a longer value is not stored.
    static let contentTypeLimit = 256

    /// The status code.
    var status: Int
    /// The ETag, if it is valid.
    var entityTag: EntityTag?
    /// The time in Last-Modified.
    var lastModified: Int?
    /// The time at which the server created the response, according to Date.
    var date: Int?
    /// The number of seconds that the response spent in other caches, according to Age.
    var age: Int?
    /// The expiration time according to Expires; an invalid date is stored as 0, which is in the
    /// past (RFC 9111, 5.3).
    var expires: Int?
    /// The directives of Cache-Control.
    var cacheControl = CacheControl()
    /// The rule from Vary, with a digest of the request's values.
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

    /// Creates a value from the head of a response; `request` contains the fields that were sent.
    init(_ head: TransferHead, of request: [HeaderField], times: ExchangeTimes) {
        self.init(status: head.status, times: times)
        let type = head.headers["content-type"]
        contentType = type.flatMap { $0.utf8.count <= Self.contentTypeLimit ? $0 : nil }
        vary = VaryRule(head.headers["vary"], of: request)
        read(head.headers)
    }

    /// Replaces the properties whose fields are present, and always replaces `date` and `age`.
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
    /// `private` and a request with Authorization do not prevent storage in a cache with one user.
    /// A status that is not cacheable by default requires an explicit directive: a 201 or 202
    /// describes the request that created the resource, not the resource itself.
    var mayBeStored: Bool {
        guard !cacheControl.forbidsStorage else { return false }
        return allowsHeuristics || cacheControl.isPrivate || cacheControl.maximumAge != nil
            || expires != nil
    }

    /// Whether the response may be treated as fresh although it specifies no lifetime (RFC 9111,
    /// 4.2.2).
    ///
    /// This applies to the statuses 200 and 203, which are cacheable by default (RFC 9110, 15.1)
    /// and have a complete body, and to any status with `public`.
    var allowsHeuristics: Bool { status == 200 || status == 203 || cacheControl.isPublic }
}

extension CachedResponse {
    /// Returns the fields of a conditional request; empty if a conditional request is not possible.
    ///
    /// If the request's fields do not match the response's `Vary`, a date does not identify the
    /// response, and only the tag is sent (RFC 9111, 4.3.1).
    func conditionalFields(for request: [HeaderField]) -> [HeaderField] {
        var fields: [HeaderField] = []
        if let entityTag { fields.append(HeaderField("If-None-Match", entityTag.fieldValue)) }
        if let lastModified, vary.matches(request) {
            let date = HTTPDate(seconds: lastModified)
            fields.append(HeaderField("If-Modified-Since", date.text))
        }
        return fields
    }

    /// Returns the properties of the stored body after a 304; nil if the 304 applies to other
    /// bytes, and the entry must be loaded again (RFC 9111, 3.2 and 4.3.4).
    ///
    /// `request` contains the request's fields without the conditional fields. Fields of the 304
    /// replace the stored fields. The stored Content-Type is kept, and so is the stored tag, which
    /// may be strong while the 304 contains its weak form.
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

/// The times when a request was sent and its response arrived, according to the local clock.
struct ExchangeTimes: Hashable, Sendable {
    /// The time of the request, in seconds since 1970-01-01 UTC.
    let request: Int
    /// The time of the response, in seconds since 1970-01-01 UTC.
    let response: Int
}

/// The identifier of one version of a resource (RFC 9110, 8.8.3).
struct EntityTag: Hashable, Sendable {
    /// The maximum length of the opaque part in bytes; a longer tag is not stored.
    static let byteLimit = 1024

    /// The text between the quotes.
    let opaque: String
    /// Whether two versions with the same meaning but different bytes may share the tag.
    let isWeak: Bool

    /// Parses a field value; nil if the tag is invalid or too long to store.
    ///
    /// Non-ASCII bytes are rejected: if they are not valid UTF-8, decoding the header loses them,
    /// and two different tags could look equal.
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

    /// The tag as written in a field.
    var fieldValue: String { isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"" }

    /// Returns whether both tags identify the same bytes, which a range request requires (8.8.3.2).
    func stronglyMatches(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Returns whether both tags identify the same content, which a 304 requires.
    func weaklyMatches(_ other: EntityTag) -> Bool {
        opaque == other.opaque
    }
}
