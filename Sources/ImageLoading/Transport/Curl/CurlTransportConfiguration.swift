/// How `CurlTransport` talks to servers.
public struct CurlTransportConfiguration: Hashable, Sendable {
    /// The longest wait for a connection, TLS included; 0 means the default of 10 s.
    public var connectTimeout: Duration = .seconds(10)
    /// The longest time without a byte; 0 means the default of 15 s (row D3).
    ///
    /// Whole seconds.
    public var idleTimeout: Duration = .seconds(15)
    /// Redirects followed before the transfer fails (row F32).
    public var maximumRedirects = 5
    /// The User-Agent header; a program says its own name and version.
    public var userAgent = "ImageLoading"
    /// The proxy's URL; nil takes what the environment says (`http_proxy`, `https_proxy`,
    /// `no_proxy`).
    public var proxy: String?
    /// A PEM file of certificate authorities to trust in place of the system's, for servers with a
    /// certificate of one's own.
    ///
    /// Certificates are always verified.
    public var certificateAuthorityFile: String?
    /// Connections kept open for the next transfer, over all hosts.
    public var maximumIdleConnections = 32

    /// Makes the default configuration.
    public init() {}

    /// libcurl's CONNECTTIMEOUT_MS, where 0 would mean its own five minutes.
    var connectMilliseconds: Int {
        guard connectTimeout > .zero else { return 10_000 }
        return max(1, Self.milliseconds(connectTimeout))
    }

    /// libcurl's LOW_SPEED_TIME, where 0 would mean for ever.
    var idleSeconds: Int {
        guard idleTimeout > .zero else { return 15 }
        return max(1, Self.milliseconds(idleTimeout) / 1_000)
    }

    /// Bounded by a day, which also keeps the arithmetic from overflowing.
    private static func milliseconds(_ duration: Duration) -> Int {
        let parts = min(duration, .seconds(86_400)).components
        return Int(parts.seconds) * 1_000 + Int(parts.attoseconds / 1_000_000_000_000_000)
    }
}
