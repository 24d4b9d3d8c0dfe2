/// The redirects of a transfer: the current URL and the data that may be sent to it.
///
/// Some data must be sent only to the server of the first URL: a login, the caller's cookies, and
/// the exception for its certificate. After a redirect to another server, this data is no longer
/// used. This also applies if a later redirect leads back to the first server, because the other
/// server has chosen that URL.
struct RedirectChain: Sendable {
    /// The URL of the current or next request.
    private(set) var current: WebAddress
    /// Whether all URLs have the scheme, host and port of the first URL.
    private(set) var isAtHome = true
    /// Whether all URLs have the host of the first URL.
    private(set) var isOnHomeHost = true

    static let schemeNotAllowed = ImageLoadingError.transfer(.badURL, "scheme not allowed")

    private static let leavesTLS = ImageLoadingError.transfer(
        .badURL,
        "redirect from https to http"
    )

    private let home: WebAddress
    private let limit: Int
    private var count = 0

    /// Creates a chain with its first URL; `limit` is the maximum number of redirects.
    init(from home: WebAddress, limit: Int) {
        self.home = home
        self.limit = limit
        current = home
    }

    /// Returns whether a response with this status is a redirect if it has a Location field (RFC
    /// 9110, 15.4).
    static func isRedirect(_ status: Int) -> Bool {
        [301, 302, 303, 307, 308].contains(status)
    }

    /// Follows a redirect; returns an error if it must not be followed.
    ///
    /// `target` is nil if the URL is invalid.
    mutating func follow(_ target: WebAddress?) -> ImageLoadingError? {
        guard count < limit else { return .transfer(.tooManyRedirects) }
        guard let target else { return .transfer(.badURL, "redirect to an invalid URL") }
        guard target.isHTTP else { return Self.schemeNotAllowed }
        guard target.isSecure || !current.isSecure else { return Self.leavesTLS }
        count += 1
        current = target
        isAtHome = isAtHome && target.hasOrigin(of: home)
        isOnHomeHost = isOnHomeHost && target.host == home.host
        return nil
    }

    /// Returns the header fields that may be sent to the current URL.
    ///
    /// Another server receives only fields that never contain a secret, because any custom field
    /// can contain a login, not only Authorization and Cookie.
    func fields(of all: [HeaderField]) -> [HeaderField] {
        guard !isAtHome else { return all }
        return all.filter { Self.harmlessNames.contains($0.name.lowercased()) }
    }

    private static let harmlessNames: Set<String> = [
        "accept", "accept-encoding", "accept-language", "cache-control", "if-match",
        "if-modified-since", "if-none-match", "if-range", "if-unmodified-since", "pragma", "range",
        "user-agent",
    ]
}

/// An absolute URL and its parts as parsed by libcurl.
///
/// libcurl parses it for both the checks and the request, so the requested URL is the URL that was
/// checked.
struct WebAddress: Hashable, Sendable {
    /// The complete URL.
    let text: String
    /// The scheme in lowercase.
    let scheme: String
    /// The host in lowercase; an IPv6 address has brackets.
    let host: String
    /// The port, or the default port of the scheme if the URL has none; 0 if there is no default.
    let port: Int
    /// The path without the query; begins with a slash.
    let path: String

    /// Whether the transport supports the scheme.
    var isHTTP: Bool { scheme == "http" || scheme == "https" }
    /// Whether the URL is requested over TLS.
    var isSecure: Bool { scheme == "https" }

    /// Returns whether both URLs have the same scheme, host and port (RFC 6454, 5).
    func hasOrigin(of other: WebAddress) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }
}
