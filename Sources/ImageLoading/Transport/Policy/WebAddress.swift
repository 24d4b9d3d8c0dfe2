/// An absolute URL and the parts of it that rules look at, as libcurl reads them, so that what is
/// checked is what is asked.
struct WebAddress: Hashable, Sendable {
    /// The URL.
    let text: String
    /// In lower case.
    let scheme: String
    /// In lower case; an IPv6 address has its brackets.
    let host: String
    /// The scheme's own if the URL has none; 0 for a scheme without.
    let port: Int
    /// Begins with a slash; without the query.
    let path: String

    /// Whether it is one that the transport asks for.
    var isHTTP: Bool { scheme == "http" || scheme == "https" }
    /// Whether it is asked over TLS.
    var isSecure: Bool { scheme == "https" }

    /// Whether scheme, host and port are the same (RFC 6454, 5).
    func hasOrigin(of other: WebAddress) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }
}
