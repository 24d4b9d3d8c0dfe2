/// How a transfer treats the server it talks to.
public struct TransferPolicy: Hashable, Sendable {
    /// Sends and keeps cookies, in memory and by host (row D5).
    public var handlesCookies = false
    /// Accepts a certificate that can't be verified, from the URL's own host only (row O10).
    public var allowsInvalidCertificates = false
    /// Refuses addresses of this machine and of private networks, also after a redirect and
    /// whatever name leads there: for URLs that a feed from the network wrote down (row F32).
    public var refusesPrivateAddresses = false
    /// Sent to the URL's own host when it asks for a login; never after a redirect elsewhere.
    public var credentials: Credentials?

    /// Makes the default policy: no cookies, valid certificates, any address, no credentials.
    public init() {}
}
