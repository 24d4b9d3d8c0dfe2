/// One request of a transfer, with everything that depends on earlier redirects.
struct CurlAttempt {
    let address: WebAddress
    var headers: [HeaderField]
    let maximumByteCount: Int
    /// The login, which is sent only after the server has requested one.
    let credentials: HTTPCredentials?
    /// Whether credentials may be read from `~/.netrc`.
    let usesNetrc: Bool
    /// Whether any certificate is accepted.
    let acceptsAnyCertificate: Bool
    /// Whether the system's directory of certificate authorities is searched.
    let looksInFolder: Bool
    /// The proxy's URL; nil for a direct connection.
    let proxy: String?
    /// Whether sockets may be opened only to public addresses.
    let refusesPrivateAddresses: Bool
    var timeLimit: Duration?
    /// Whether the request must not reuse a connection.
    var needsNewConnection = false

    /// Whether the connection uses TLS, to the server or to the proxy.
    var isEncrypted: Bool {
        address.isSecure || proxy?.lowercased().hasPrefix("https:") == true
    }

    /// Whether libcurl may answer a login challenge.
    var mayLogIn: Bool { credentials != nil || usesNetrc }

    /// Returns whether another attempt needs the same libcurl options, apart from the URL.
    func isLike(_ other: CurlAttempt) -> Bool {
        address.isSecure == other.address.isSecure && headers == other.headers
            && maximumByteCount == other.maximumByteCount && credentials == other.credentials
            && usesNetrc == other.usesNetrc && acceptsAnyCertificate == other.acceptsAnyCertificate
            && looksInFolder == other.looksInFolder && proxy == other.proxy
            && timeLimit == other.timeLimit
            && needsNewConnection == other.needsNewConnection
    }
}
