/// A transfer error below the HTTP level.
public struct TransferFailure: Hashable, Sendable {
    /// The kind of a failure.
    ///
    /// It determines the class of the error, whether the transfer is retried, and how long the
    /// failure is remembered.
    public enum Kind: String, CaseIterable, Sendable {
        /// The network is unavailable.
        case noNetwork
        /// The host name could not be resolved.
        case hostNotFound
        /// The proxy name could not be resolved.
        case proxyNotFound
        /// The host is unreachable or refuses the connection.
        case noConnection
        /// No connection was established, or no byte received, within the time limit.
        case timedOut
        /// The connection broke before the response was complete.
        case connectionLost
        /// TLS failed: the certificate is not trusted, or there is no common TLS version.
        case insecure
        /// The URL is invalid, has a scheme that is not allowed, or was redirected to such a URL.
        ///
        /// A redirect from `https` to `http` is not allowed either.
        case badURL
        /// The response is not HTTP.
        case notHTTP
        /// The body cannot be decompressed, because its coding is unknown or its data is damaged.
        case badEncoding
        /// The header fields are larger than any image requires.
        case headTooLarge
        /// The transfer exceeded the maximum number of redirects.
        case tooManyRedirects
        /// The body is larger than the limit.
        ///
        /// If the limit is known, the error's reason is `tooLarge` instead.
        case tooLarge
        /// No memory, thread or file descriptor is left; the host is not at fault.
        case noResources
        /// A system library is not installed.
        ///
        /// libcurl is needed for transfers, and libcrypto for the names of cache entries.
        case missingLibrary
        /// Any other failure; a retry does not help.
        case other
    }

    /// The kind of failure.
    public let kind: Kind
    /// A description for one log line, without URLs or secrets.
    public let text: String
    /// libcurl's error code, for logs; nil if the failure was not reported by libcurl.
    public let curlCode: Int?
    /// The number of requests that failed.
    ///
    /// The number is more than 1 if the first request was sent on a reused connection that had
    /// already been closed. Each request counts as a separate attempt.
    public let requestCount: Int

    /// Creates a failure; if `text` is nil, the description of the kind is used.
    public init(_ kind: Kind, text: String? = nil, curlCode: Int? = nil, requestCount: Int = 1) {
        self.kind = kind
        self.text = text ?? kind.text
        self.curlCode = curlCode
        self.requestCount = requestCount
    }
}

extension TransferFailure {
    /// Returns a message that names the package to install.
    static func missing(_ library: String, debian: String, fedora: String) -> String {
        "\(library) is not installed (package \(debian) of Debian, \(fedora) of Fedora)"
    }
}

extension TransferFailure.Kind {
    fileprivate var text: String {
        switch self {
        case .noNetwork: "no network"
        case .hostNotFound: "no such host"
        case .proxyNotFound: "no such proxy"
        case .noConnection: "connection refused"
        case .timedOut: "timed out"
        case .connectionLost: "connection lost"
        case .insecure: "TLS handshake failed"
        case .badURL: "not a URL"
        case .notHTTP: "not an HTTP response"
        case .badEncoding: "response cannot be decompressed"
        case .headTooLarge: "response head too large"
        case .tooManyRedirects: "too many redirects"
        case .tooLarge: "too large"
        case .noResources: "no memory or file descriptor left"
        case .missingLibrary:
            TransferFailure.missing("libcurl", debian: "libcurl4", fedora: "libcurl")
        case .other: "transfer failed"
        }
    }
}
