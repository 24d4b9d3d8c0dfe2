/// The current URL of a transfer in its chain of redirects, and the data that may be sent to the
/// URL.
///
/// Data meant for the first URL's server (login, the caller's cookies, the exception for its
/// certificate) is dropped at the first redirect to another server. The data stays dropped if a
/// later redirect leads back to the first server, because the other server has chosen that URL.
struct RedirectChain: Sendable {
    /// The URL of the current or next request.
    private(set) var current: WebAddress
    /// Whether no redirect has left the scheme, host and port of the first URL.
    private(set) var isAtHome = true
    /// Whether no redirect has left the host of the first URL.
    private(set) var isOnHomeHost = true

    static let schemeNotAllowed = ImageLoadingError.transfer(.badURL, "scheme not allowed")

    private static let leavesTLS = ImageLoadingError.transfer(
        .badURL,
        "redirect from https to http"
    )

    private let home: WebAddress
    private let limit: Int
    private var count = 0

    /// Creates a chain with its first URL and a maximum number of redirects.
    init(from home: WebAddress, limit: Int) {
        self.home = home
        self.limit = limit
        current = home
    }

    /// Returns whether a response with this status and a Location is a redirect (RFC 9110, 15.4).
    static func isRedirect(_ status: Int) -> Bool {
        [301, 302, 303, 307, 308].contains(status)
    }

    /// Follows a redirect, or returns the error that prevents it; a nil target stands for an
    /// invalid URL.
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
    /// Another server receives only fields that never hold a secret. Apart from Authorization and
    /// Cookie, any custom field of a service can contain a login.
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

/// An absolute URL and its parts as parsed by libcurl, so that the URL that was checked is also the
/// URL that is requested.
struct WebAddress: Hashable, Sendable {
    /// The complete URL.
    let text: String
    /// The scheme in lower case.
    let scheme: String
    /// The host in lower case; an IPv6 address includes its brackets.
    let host: String
    /// The port; the scheme's default if the URL has no port, or 0 if the scheme has no default.
    let port: Int
    /// The path without the query; begins with a slash.
    let path: String

    /// Whether the transport supports the scheme.
    var isHTTP: Bool { scheme == "http" || scheme == "https" }
    /// Whether the URL is requested over TLS.
    var isSecure: Bool { scheme == "https" }

    /// Returns whether scheme, host and port are equal (RFC 6454, 5).
    func hasOrigin(of other: WebAddress) -> Bool {
        scheme == other.scheme && host == other.host && port == other.port
    }
}
