/// How a transfer failed below HTTP.
public struct TransferFailure: Hashable, Sendable {
    /// What went wrong; decides on the class, on retries and on how long it is remembered.
    public enum Kind: String, CaseIterable, Sendable {
        /// There is no network at all.
        case noNetwork
        /// No address for the host's name.
        case hostNotFound
        /// No address for the proxy's name.
        case proxyNotFound
        /// The host can't be reached, or refuses the connection.
        case noConnection
        /// No connection, or no byte, within the time allowed.
        case timedOut
        /// The connection broke before the answer was whole.
        case connectionLost
        /// TLS failed: a certificate that isn't trusted, or no common version.
        case insecure
        /// Not a URL, a scheme that isn't allowed, or a redirect to such.
        case badURL
        /// What came is no HTTP.
        case notHTTP
        /// The body's content coding can't be undone.
        case badEncoding
        /// The head of the answer is larger than any picture's needs to be.
        case headTooLarge
        /// More redirects than are followed.
        case tooManyRedirects
        /// The body is larger than the limit; what knows the limit says `tooLarge` instead.
        case tooLarge
        /// No memory, thread or file descriptor is left; no fault of the host's.
        case noResources
        /// A library of the system's isn't installed: libcurl for transfers, libcrypto for the
        /// names of what is kept.
        case missingLibrary
        /// Anything else; asking again won't help.
        case other
    }

    /// What went wrong.
    public let kind: Kind
    /// The same in words, fit for a line of a log; no URL, no secrets.
    public let text: String
    /// libcurl's number for it, for logs; nil if it wasn't libcurl that said so.
    public let curlCode: Int?
    /// How many requests came to nothing: more than one if the first went out on a connection that
    /// was kept from before and turned out to be closed.
    ///
    /// Each is an attempt of its own.
    public let requestCount: Int

    /// Makes a failure; without a text, in the kind's own words.
    public init(_ kind: Kind, text: String? = nil, curlCode: Int? = nil, requestCount: Int = 1) {
        self.kind = kind
        self.text = text ?? kind.text
        self.curlCode = curlCode
        self.requestCount = requestCount
    }
}

extension TransferFailure {
    /// Says what to install.
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
        case .badEncoding: "body cannot be decompressed"
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
