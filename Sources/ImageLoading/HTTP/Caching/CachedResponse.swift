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
    /// `private` and a request with Authorization are no hindrance for a cache with one user.
    var mayBeStored: Bool { !cacheControl.forbidsStorage }
}
