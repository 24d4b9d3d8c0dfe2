/// What a response's `Cache-Control` says to a private cache (RFC 9111, 5.2.2; RFC 5861; RFC 8246).
///
/// `s-maxage` and `proxy-revalidate` are for shared caches and mean nothing here.
struct CacheControl: Hashable, Sendable {
    /// The greatest number of seconds; more is held there (RFC 9111, 1.2.2).
    static let maximumSeconds = 1 << 31

    /// Seconds for which the response is fresh.
    var maximumAge: Int?
    /// Seconds after that in which it may be used while it is asked about in the background.
    var staleWhileRevalidate: Int?
    /// Seconds after that in which it may be used if asking fails.
    var staleIfError: Int?
    /// `no-store`: must not be kept.
    var forbidsStorage = false
    /// `no-cache`: must be asked about before each use.
    var alwaysRevalidates = false
    /// `must-revalidate`: must not be used stale, whatever happens.
    var mustRevalidate = false
    /// `immutable`: won't change while it is fresh, so that even a reload need not ask.
    var isImmutable = false
    /// `public`.
    var isPublic = false
    /// `private`.
    var isPrivate = false

    /// Nothing said.
    init() {}

    /// Reads a field's value; what isn't understood is left out.
    ///
    /// Of a directive given twice the first counts (RFC 9111, 4.2.1). `no-cache` with field names
    /// is taken for the plain one, as caches do (5.2.2.4). A `max-age` that is no number makes the
    /// response stale, as 4.2.1 encourages.
    init(_ fieldValue: String) {
        for directive in CacheDirective.list(fieldValue) {
            take(directive)
        }
    }

    private mutating func take(_ directive: CacheDirective) {
        switch directive.name {
        case "max-age": maximumAge = maximumAge ?? directive.seconds ?? 0
        case "stale-while-revalidate":
            staleWhileRevalidate = staleWhileRevalidate ?? directive.seconds ?? 0
        case "stale-if-error": staleIfError = staleIfError ?? directive.seconds ?? 0
        case "no-store": forbidsStorage = true
        case "no-cache": alwaysRevalidates = true
        case "must-revalidate": mustRevalidate = true
        case "immutable": isImmutable = true
        case "public": isPublic = true
        case "private": isPrivate = true
        default: break
        }
    }
}
