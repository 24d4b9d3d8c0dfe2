/// One request of a transfer, with all that depends on where redirects have led it.
struct CurlAttempt {
    let address: WebAddress
    var headers: [HeaderField]
    let maximumByteCount: Int
    /// Offered once the server asks for them.
    let credentials: HTTPCredentials?
    /// Whether `~/.netrc` may be asked for credentials.
    let usesNetrc: Bool
    /// Whether any certificate will do.
    let acceptsAnyCertificate: Bool
    /// Whether the system's folder of certificate authorities is looked into.
    let looksInFolder: Bool
    /// The proxy's URL; nil to ask directly.
    let proxy: String?
    /// Whether a socket may be opened to public addresses only.
    let refusesPrivateAddresses: Bool
    var timeLimit: Duration?
    /// Whether a connection that was kept from before won't do.
    var needsNewConnection = false

    /// Whether the connection speaks TLS, to the server or to the proxy.
    var isEncrypted: Bool {
        address.isSecure || proxy?.lowercased().hasPrefix("https:") == true
    }

    /// Whether libcurl may answer a question for a login.
    var mayLogIn: Bool { credentials != nil || usesNetrc }

    /// Whether another asks in the same way, for whatever URL.
    func isLike(_ other: CurlAttempt) -> Bool {
        address.isSecure == other.address.isSecure && headers == other.headers
            && maximumByteCount == other.maximumByteCount && credentials == other.credentials
            && usesNetrc == other.usesNetrc && acceptsAnyCertificate == other.acceptsAnyCertificate
            && looksInFolder == other.looksInFolder && proxy == other.proxy
            && timeLimit == other.timeLimit
            && needsNewConnection == other.needsNewConnection
    }
}
