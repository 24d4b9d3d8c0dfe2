/// Where a transfer is after the redirects so far, and what it may take along.
///
/// What belongs to the first URL's server (login, cookies of the caller, the exception for its
/// certificate) is lost with the first step away from it, and stays lost on the way back: the
/// server in between has chosen the URL.
struct RedirectChain: Sendable {
    /// The URL to ask next, or being asked.
    private(set) var current: WebAddress
    /// Whether every URL so far had the first one's scheme, host and port.
    private(set) var isAtHome = true
    /// Whether every URL so far had the first one's host.
    private(set) var isOnHomeHost = true

    static let schemeNotAllowed = ImageLoadingError.transfer(.badURL, "scheme not allowed")

    private static let leavesTLS = ImageLoadingError.transfer(
        .badURL,
        "redirect from https to http"
    )

    private let home: WebAddress
    private let limit: Int
    private var count = 0

    /// A chain that has its first URL, and allows that many redirects.
    init(from home: WebAddress, limit: Int) {
        self.home = home
        self.limit = limit
        current = home
    }

    /// Whether an answer with this status and a Location leads on (RFC 9110, 15.4).
    static func isRedirect(_ status: Int) -> Bool {
        [301, 302, 303, 307, 308].contains(status)
    }

    /// Goes on to where a Location leads, nil if that is no URL; returns why not, if so.
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

    /// The header fields that may go to the present URL.
    ///
    /// Away from home only those that never hold a secret: a login hides not only in Authorization
    /// and Cookie, but in any field that a service has made up.
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
