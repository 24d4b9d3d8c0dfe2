/// One request of a transfer, with all settings that depend on earlier redirects.
struct CurlAttempt {
    let address: WebAddress
    var headers: [HeaderField]
    let maximumByteCount: Int
    /// The user name and password, which are sent only after the server has requested a login.
    let credentials: HTTPCredentials?
    /// Whether the user name and password may be read from `~/.netrc`.
    let usesNetrc: Bool
    let acceptsAnyCertificate: Bool
    /// Whether the system's directory of certificate authorities is searched.
    let looksInFolder: Bool
    /// The proxy's URL; nil for a direct connection.
    let proxy: String?
    let refusesPrivateAddresses: Bool
    var timeLimit: Duration?
    var needsNewConnection = false

    /// Whether the connection to the server or to the proxy uses TLS.
    var isEncrypted: Bool {
        address.isSecure || proxy?.lowercased().hasPrefix("https:") == true
    }

    /// Whether libcurl may respond to a login request from the server.
    var mayLogIn: Bool { credentials != nil || usesNetrc }

    /// Returns whether two requests need the same libcurl options, except for the URL.
    func isLike(_ other: CurlAttempt) -> Bool {
        address.isSecure == other.address.isSecure && headers == other.headers
            && maximumByteCount == other.maximumByteCount && credentials == other.credentials
            && usesNetrc == other.usesNetrc && acceptsAnyCertificate == other.acceptsAnyCertificate
            && looksInFolder == other.looksInFolder && proxy == other.proxy
            && timeLimit == other.timeLimit
            && needsNewConnection == other.needsNewConnection
    }
}
