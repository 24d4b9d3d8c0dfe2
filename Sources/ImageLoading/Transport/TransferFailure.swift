/// A transfer error below the HTTP level.
public struct TransferFailure: Hashable, Sendable {
    /// The kind of failure, which determines the class of the error, whether the transfer is
    /// retried, and how long the failure is remembered.
    public enum Kind: String, CaseIterable, Sendable {
        /// There is no network.
        case noNetwork
        /// The host name has no address.
        case hostNotFound
        /// The proxy's name has no address.
        case proxyNotFound
        /// The host is unreachable or refuses the connection.
        case noConnection
        /// No connection was established, or no byte received, within the time limit.
        case timedOut
        /// The connection broke before the response was complete.
        case connectionLost
        /// TLS failed: an untrusted certificate, or no common version.
        case insecure
        /// An invalid URL or a scheme that is not allowed, in the request or in a redirect, or a
        /// redirect from `https` to `http`.
        case badURL
        /// The response is not HTTP.
        case notHTTP
        /// The body cannot be decoded: its content coding is unknown, or its data is damaged.
        case badEncoding
        /// The response head is larger than any image requires.
        case headTooLarge
        /// The transfer exceeded the maximum number of redirects.
        case tooManyRedirects
        /// The body is larger than the limit; if the limit is known, the error is `tooLarge`
        /// instead.
        case tooLarge
        /// No memory, thread or file descriptor is left; the host is not at fault.
        case noResources
        /// A system library is not installed: libcurl for transfers, or libcrypto for the names of
        /// cache entries.
        case missingLibrary
        /// Any other failure; a retry does not help.
        case other
    }

    /// The kind of failure.
    public let kind: Kind
    /// A description for one log line, without URLs and secrets.
    public let text: String
    /// libcurl's error code, for logs; nil if the failure was not reported by libcurl.
    public let curlCode: Int?
    /// The number of requests that failed.
    ///
    /// The number is more than 1 if the first request was sent on a reused connection that turned
    /// out to be closed. Each request counts as a separate attempt.
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
