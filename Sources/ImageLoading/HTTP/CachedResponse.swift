/// What must be known of a response to use its kept body again (RFC 9111, 3).
///
/// Times are seconds since 1970-01-01 UTC.
struct CachedResponse: Hashable, Sendable {
    /// The longest Content-Type that is kept.
    static let contentTypeLimit = 256

    /// The HTTP status.
    var status: Int
    /// ETag, if it is one.
    var entityTag: EntityTag?
    /// Last-Modified.
    var lastModified: Int?
    /// Date: when the server made the response.
    var date: Int?
    /// Age: the seconds it had spent in other caches.
    var age: Int?
    /// Expires; a value that is no date is 0, long gone (RFC 9111, 5.3).
    var expires: Int?
    /// Cache-Control.
    var cacheControl = CacheControl()
    /// Vary, with the request's values as a digest.
    var vary = VaryRule.none
    /// Content-Type.
    var contentType: String?
    /// When the request was sent and its answer came.
    var times: ExchangeTimes

    /// A response that says nothing about itself.
    init(status: Int = 200, times: ExchangeTimes) {
        self.status = status
        self.times = times
    }

    /// Reads a response's head; `request` are the fields that were sent.
    init(_ head: TransferHead, of request: [HeaderField], times: ExchangeTimes) {
        self.init(status: head.status, times: times)
        let type = head.headers["content-type"]
        contentType = type.flatMap { $0.utf8.count <= Self.contentTypeLimit ? $0 : nil }
        vary = VaryRule(head.headers["vary"], of: request)
        read(head.headers)
    }

    /// Takes over the fields that are there.
    mutating func read(_ headers: [String: String]) {
        let now = times.response
        let instant = { (name: String) in
            headers[name].flatMap { HTTPDate($0, now: now)?.seconds }
        }
        entityTag = headers["etag"].flatMap { EntityTag($0) } ?? entityTag
        lastModified = instant("last-modified") ?? lastModified
        expires = headers["expires"].map { HTTPDate($0, now: now)?.seconds ?? 0 } ?? expires
        cacheControl = headers["cache-control"].map { CacheControl($0) } ?? cacheControl
        // These two belong to one answer and never to the one before it.
        date = instant("date")
        age = headers["age"].flatMap { CacheDirective.list("age=\($0)").first?.seconds }
    }

    /// Whether a private cache may keep it (RFC 9111, 3).
    ///
    /// `private` and a request with Authorization are no hindrance for a cache with one user. A
    /// status that isn't cacheable by itself needs a word that says so: 201 or 202 with a picture
    /// in it tells of the request that made it, and not what the URL will hold.
    var mayBeStored: Bool {
        guard !cacheControl.forbidsStorage else { return false }
        return allowsHeuristics || cacheControl.isPrivate || cacheControl.maximumAge != nil
            || expires != nil
    }

    /// Whether it may be taken for fresh although it doesn't say for how long (RFC 9111, 4.2.2):
    /// of the statuses that come with a whole body 200 and 203 (RFC 9110, 15.1), or any that is
    /// `public`.
    var allowsHeuristics: Bool { status == 200 || status == 203 || cacheControl.isPublic }
}

extension CachedResponse {
    /// The fields that ask whether the server still has these bytes; empty if it can't be asked.
    ///
    /// A date would say nothing about a response that was chosen for other fields: then only the
    /// tag is sent (RFC 9111, 4.3.1).
    func conditionalFields(for request: [HeaderField]) -> [HeaderField] {
        var fields: [HeaderField] = []
        if let entityTag { fields.append(HeaderField("If-None-Match", entityTag.fieldValue)) }
        if let lastModified, vary.matches(request) {
            let date = HTTPDate(seconds: lastModified)
            fields.append(HeaderField("If-Modified-Since", date.text))
        }
        return fields
    }

    /// What is known of the kept body after a 304; nil if the 304 speaks of other bytes, and the
    /// entry must be fetched again (RFC 9111, 3.2 and 4.3.4).
    ///
    /// `request` are the fields without the conditional ones. Fields that the 304 has replace ours.
    /// What describes the body stays: Content-Type, and our tag, which may be strong where the 304
    /// has the weak form of it.
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

/// When a request was sent and when its answer came, by our own wall clock.
struct ExchangeTimes: Hashable, Sendable {
    /// Seconds since 1970-01-01 UTC.
    let request: Int
    /// Seconds since 1970-01-01 UTC.
    let response: Int
}

/// The name of one version of a resource (RFC 9110, 8.8.3).
struct EntityTag: Hashable, Sendable {
    /// The longest opaque part that is kept; a longer one is of no use to us.
    static let byteLimit = 1024

    /// What stands between the quotes.
    let opaque: String
    /// Whether two versions that only mean the same may share the tag.
    let isWeak: Bool

    /// Reads a field's value; nil for what is no tag, and for one that is too long to keep.
    ///
    /// Bytes outside of ASCII are refused: a header's text has lost them if they are not UTF-8,
    /// and two tags could look equal.
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

    /// As it stands in a field.
    var fieldValue: String { isWeak ? "W/\"\(opaque)\"" : "\"\(opaque)\"" }

    /// Whether both stand for the same bytes (8.8.3.2): what a range needs.
    func stronglyMatches(_ other: EntityTag) -> Bool {
        !isWeak && !other.isWeak && opaque == other.opaque
    }

    /// Whether both stand for the same content: what a 304 needs.
    func weaklyMatches(_ other: EntityTag) -> Bool {
        opaque == other.opaque
    }
}
