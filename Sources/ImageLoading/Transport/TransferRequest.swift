/// What the transport is to fetch.
public struct TransferRequest: Hashable, Sendable {
    /// Names the transfer in `cancel`.
    public let id: TransferID
    /// An absolute `http` or `https` URL.
    public var url: String
    /// Header lines to send beside the transport's own.
    public var headers: [HeaderField]
    /// The most body bytes accepted; more end the transfer with `tooLarge`.
    public var maximumByteCount: Int
    /// How to treat the server.
    public var policy: TransferPolicy
    /// Whether a connection that was kept from before won't do: the last one broke.
    public var needsNewConnection = false

    /// Makes a request.
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

/// How a transfer treats the server it talks to.
public struct TransferPolicy: Hashable, Sendable {
    /// Sends and keeps cookies, in memory and by host.
    public var handlesCookies = false
    /// Accepts a certificate that can't be verified, from the URL's own host only.
    public var allowsInvalidCertificates = false
    /// Refuses addresses of this machine and of private networks, also after a redirect and
    /// whatever name leads there: for URLs that a feed from the network wrote down.
    public var refusesPrivateAddresses = false
    /// Refuses what the server does not want collected, indexed or used for training (`X-Robots-Tag`).
    public var heedsRobotsTag = false
    /// What it may take, beside what every transfer may.
    package var limits = TransferLimits()
    /// Sent to the URL's own host when it asks for a login; never after a redirect elsewhere.
    public var credentials: HTTPCredentials?

    /// Makes the default policy: no cookies, valid certificates, any address, no credentials.
    public init() {}
}

/// What one transfer may take; nil for no limit of its own.
package struct TransferLimits: Hashable, Sendable {
    /// Bytes of the body.
    package var byteCount: Int?
    /// From its start to its last byte: a server that drips is silent at no moment.
    package var time: Duration?

    package init(byteCount: Int? = nil, time: Duration? = nil) {
        (self.byteCount, self.time) = (byteCount, time)
    }
}

/// A user name and a password for one host; sent to that host only, never logged.
public struct HTTPCredentials: Hashable, Sendable {
    /// The user name.
    public var user: String
    /// The password.
    public var password: String

    /// Makes credentials.
    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }
}

extension HTTPCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable
{
    /// Nothing of the password.
    public var description: String { "credentials of a user" }
    /// Nothing of the password.
    public var debugDescription: String { description }
    /// Nothing of the password.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// One header line of a request.
public struct HeaderField: Hashable, Sendable {
    /// The name; upper and lower case make no difference on the wire.
    public var name: String
    /// The value.
    ///
    /// A field whose name or value holds a control character is not sent, so that text from outside
    /// can't add lines of its own (RFC 9110, 5.5).
    public var value: String

    /// Joins a name and a value.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    /// Whether this is the field of that name, letter case apart.
    public func isNamed(_ other: String) -> Bool {
        name.lowercased() == other.lowercased()
    }
}
