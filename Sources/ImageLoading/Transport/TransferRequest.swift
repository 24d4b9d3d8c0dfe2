/// A request to the transport.
public struct TransferRequest: Hashable, Sendable {
    /// The identifier to pass to `cancel`.
    public let id: TransferID
    /// An absolute `http` or `https` URL.
    public var url: String
    /// Header fields sent in addition to the transport's own.
    public var headers: [HeaderField]
    /// The maximum size of the body in bytes; a larger body ends the transfer with `tooLarge`.
    public var maximumByteCount: Int
    /// The rules for communicating with the server.
    public var policy: TransferPolicy
    /// Whether the transfer must not reuse a connection, because the last connection broke.
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

/// The rules for how a transfer communicates with the server.
public struct TransferPolicy: Hashable, Sendable {
    /// Whether cookies are sent, and stored in memory for each host.
    public var handlesCookies = false
    /// Whether a certificate that fails verification is accepted, from the URL's own host only.
    public var allowsInvalidCertificates = false
    /// Whether addresses of this machine and of private networks are refused.
    ///
    /// Set this property for URLs from a feed on the network. The rule also applies after a
    /// redirect, and to any host name that resolves to such an address.
    public var refusesPrivateAddresses = false
    /// Whether an image is refused if its server does not want it collected, indexed or used for
    /// training (`X-Robots-Tag`).
    public var heedsRobotsTag = false
    /// The limits that apply in addition to the limits of every transfer.
    package var limits = TransferLimits()
    /// The login for the URL's own host.
    ///
    /// The login is sent only if the host requests one, and never after a redirect to another host.
    public var credentials: HTTPCredentials?

    /// Creates the default policy: no cookies, valid certificates, any address, no credentials.
    public init() {}
}

/// The limits of one transfer; nil means no additional limit.
package struct TransferLimits: Hashable, Sendable {
    /// The maximum size of the body in bytes.
    package var byteCount: Int?
    /// The maximum time from the start to the last byte.
    ///
    /// A server that sends slowly may never reach the limit for silent servers, so a separate limit
    /// is necessary.
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

/// One header line of a request.
public struct HeaderField: Hashable, Sendable {
    /// The name; case-insensitive in HTTP.
    public var name: String
    /// The value.
    ///
    /// A field is not sent if its name or value contains a control character, so that external text
    /// cannot inject header lines (RFC 9110, 5.5).
    public var value: String

    /// Creates a field from a name and a value.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Returns whether the field has this name, ignoring case.
    public func isNamed(_ other: String) -> Bool {
        name.lowercased() == other.lowercased()
    }
}
