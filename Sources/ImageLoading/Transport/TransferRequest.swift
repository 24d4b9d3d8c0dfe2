/// A request to the transport.
public struct TransferRequest: Hashable, Sendable {
    /// The identifier, which can be passed to `cancel`.
    public let id: TransferID
    /// An absolute `http` or `https` URL.
    public var url: String
    /// The header fields to send in addition to the transport's own.
    public var headers: [HeaderField]
    /// The maximum size of the body in bytes; if the body is larger, the transfer ends with
    /// `tooLarge`.
    public var maximumByteCount: Int
    /// The rules for this transfer.
    public var policy: TransferPolicy
    /// Whether the transfer must use a new connection, because the previous connection broke.
    public var needsNewConnection = false

    /// Creates a request.
    public init(
        id: TransferID = .unique(),
        url: String,
        headers: [HeaderField] = [],
        maximumByteCount: Int = 64 << 20,
        policy: TransferPolicy = TransferPolicy()
    ) {
        self.id = id
        self.url = url
        self.headers = headers
        self.maximumByteCount = maximumByteCount
        self.policy = policy
    }
}

/// The rules for a transfer, such as cookies, certificates and credentials.
public struct TransferPolicy: Hashable, Sendable {
    /// Whether cookies are sent and stored in memory for each host.
    ///
    /// If false, a cookie that a redirect sets is sent only in later requests of the same transfer,
    /// and only to the host that set it.
    public var handlesCookies = false
    /// Whether a certificate that fails verification is accepted from the host of the URL.
    ///
    /// Certificates of other hosts are always verified, even after a redirect.
    public var allowsInvalidCertificates = false
    /// Whether addresses of this machine and of private networks are refused.
    ///
    /// Set this property for URLs from a feed on the network. The rule also applies to redirects
    /// and to host names that resolve to such an address.
    public var refusesPrivateAddresses = false
    /// Whether an image is refused if its server does not allow collecting, indexing or training
    /// (`X-Robots-Tag`).
    public var heedsRobotsTag = false
    /// Whether cookies and logins from a netrc file may be sent.
    ///
    /// They are never sent to a host in `ImageManagerConfiguration.insecureHosts`.
    package var mayRevealSecrets = true
    /// Additional limits for this transfer.
    package var limits = TransferLimits()
    /// The login for the host of the URL.
    ///
    /// It is sent only if the host requests a login, and never after a redirect to another host.
    public var credentials: HTTPCredentials?

    /// Creates the default policy: no cookies, valid certificates, any address, no credentials.
    public init() {}
}

/// Additional limits for one transfer; nil means no additional limit.
package struct TransferLimits: Hashable, Sendable {
    /// The maximum size of the body in bytes.
    package var byteCount: Int?
    /// The maximum time from the start to the last byte.
    ///
    /// This limit stops a server that sends slowly but never pauses long enough to reach
    /// `CurlTransportConfiguration.idleTimeout`.
    package var time: Duration?

    package init(byteCount: Int? = nil, time: Duration? = nil) {
        (self.byteCount, self.time) = (byteCount, time)
    }
}

/// A user name and a password for one host; sent only to that host and never logged.
public struct HTTPCredentials: Hashable, Sendable {
    /// The user name.
    public var user: String
    /// The password.
    public var password: String

    /// Creates credentials.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

extension HTTPCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// A description without the password.
    public var description: String { "credentials of a user" }
    /// A description without the password.
    public var debugDescription: String { description }
    /// A mirror without the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A header field of a request.
public struct HeaderField: Hashable, Sendable {
    /// The name of the field; HTTP ignores its case.
    public var name: String
    /// The value of the field.
    ///
    /// A field is not sent if its name or value contains a control character, so text from outside
    /// the program cannot add header lines (RFC 9110, 5.5).
    public var value: String

    /// Creates a field from a name and a value.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Returns whether the field has this name; case is ignored.
    public func isNamed(_ other: String) -> Bool {
        name.lowercased() == other.lowercased()
    }
}
