internal import Glibc
internal import SystemSupport

/// A transport that uses libcurl for HTTP/1.1 and HTTP/2 and reuses connections.
///
/// One dedicated thread does all the work and sleeps while no transfer is running. The first
/// transfer starts the thread, so a program that never uses the network never loads libcurl.
/// Releasing the transport ends running transfers with `.cancelled` and waits until the thread has
/// ended.
///
/// Redirects to `http` and `https` URLs are followed, but never from `https` to `http`. Data for
/// the first URL's server is not sent to any other server. By default, certificates are verified,
/// cookies are used only within the redirects of one transfer, and private addresses are allowed;
/// the `TransferPolicy` of a request can change this. Proxy environment variables (`https_proxy`,
/// `no_proxy` and so on) have the same effect as in curl.
public final class CurlTransport: HTTPTransport {
    private struct Running {
        let mailbox: CurlMailbox
        let thread: POSIXThread
    }

    private let configuration: CurlTransportConfiguration
    private let running = Protected<Running?>(nil)

    /// Creates a transport; its thread starts later.
    public init(configuration: CurlTransportConfiguration = CurlTransportConfiguration()) {
        self.configuration = configuration
    }

    deinit {
        // No other reference exists, so no command can follow this one.
        guard let running = running.withLock({ $0 }) else { return }
        running.mailbox.post(.stop)
        running.thread.join()
    }

    /// Starts a transfer; `onEvent` is called on the transport's thread.
    public func start(
        _ request: TransferRequest,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) {
        startBatching(request) { events in
            for event in events { onEvent(event) }
        }
    }

    /// Starts a transfer and delivers its events in batches on the transport's thread.
    ///
    /// Each call to `onEvents` receives all events that are available at that time. For a small
    /// image, for example, these are the head, the body and the end.
    public func startBatching(
        _ request: TransferRequest,
        onEvents: @escaping @Sendable ([TransferEvent]) -> Void
    ) {
        guard let mailbox = bringUp() else {
            let text = "no thread or file descriptor left"
            return onEvents([.finished(.transfer(.noResources, text))])
        }
        mailbox.post(.start(request, onEvents))
    }

    /// Ends a transfer; this closes its HTTP/1.1 connection or resets its HTTP/2 stream.
    public func cancel(_ id: TransferID) {
        running.withLock { $0?.mailbox }?.post(.cancel(id))
    }

    /// Removes the cookies of all hosts; running transfers are not affected.
    ///
    /// This method can be called on any thread.
    public func clearCookies() {
        running.withLock { $0?.mailbox }?.post(.clearCookies)
    }

    /// Returns the mailbox of the thread; the first call starts the thread.
    private func bringUp() -> CurlMailbox? {
        let configuration = configuration
        return running.withLock { running in
            if let running { return running.mailbox }
            guard let mailbox = CurlMailbox(),
                let thread = POSIXThread.start(
                    name: "transport",
                    body: { CurlLoop.run(mailbox, configuration) }
                )
            else { return nil }
            running = Running(mailbox: mailbox, thread: thread)
            return mailbox
        }
    }
}

/// The network settings of a `CurlTransport`.
public struct CurlTransportConfiguration: Hashable, Sendable {
    /// The time limit for opening a connection, including TLS; 0 means the default of 10 s.
    public var connectTimeout: Duration = .seconds(10)
    /// The maximum time without receiving a byte of the body; 0 means the default of 15 s.
    ///
    /// It is also the maximum time to wait for the complete response head. At least 1 KiB of a body
    /// must be received within twice this time.
    public var idleTimeout: Duration = .seconds(15)
    /// The maximum number of redirects; a transfer with more redirects fails.
    public var maximumRedirects = 5
    /// The value of the User-Agent field; a program should set its own name and version.
    public var userAgent = "ImageLoading"
    /// The proxy's URL.
    ///
    /// If nil, the environment variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`
    /// determine the proxy. They are read when the first transfer starts the transport's thread. If
    /// empty, no proxy is used. `no_proxy` also applies to a proxy that is set here.
    public var proxy: String?
    /// Whether `netrcFile` provides the login if a server requests one and the request has no
    /// credentials.
    public var usesNetrc = false
    /// The file with the login for each host, used if `usesNetrc` is true; nil means `~/.netrc`.
    public var netrcFile: String?
    /// A PEM file of trusted certificate authorities, for servers with a private certificate.
    ///
    /// The file replaces the system's authorities. If nil, the environment variables
    /// `CURL_CA_BUNDLE` and `SSL_CERT_FILE` apply, as in curl. If empty, the system's authorities
    /// are used, regardless of the environment. Certificates are verified unless
    /// `TransferPolicy.allowsInvalidCertificates` is set.
    public var certificateAuthorityFile: String?
    /// The maximum number of idle connections that are kept for reuse across all hosts.
    public var maximumIdleConnections = 32
    /// How long an idle connection can be reused.
    ///
    /// The value is rounded down to whole seconds and is at least 1 second. The default is
    /// libcurl's own default. Most servers close idle connections sooner.
    public var maximumIdleConnectionAge: Duration = .seconds(118)

    /// Entries of the form "host:port:address" that replace name resolution, like curl's
    /// `--resolve`.
    var fixedAddresses: [String] = []
    /// Variables that replace the environment of the process; nil in normal use.
    var environment: [String: String]?

    /// Creates the default configuration.
    public init() {}

    /// The file of certificate authorities from this configuration or from the environment.
    ///
    /// Nil means the system's authorities.
    var trustedFile: String? {
        let named = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"].lazy.compactMap(variable)
        let file = certificateAuthorityFile ?? named.first { !$0.isEmpty }
        return file.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func variable(_ name: String) -> String? {
        guard let environment else { return getenv(name).map { String(cString: $0) } }
        return environment[name]
    }

    /// The rule that selects the proxy for a URL, based on `proxy` and the environment.
    var proxyRule: ProxyRule {
        ProxyRule(proxy: proxy, environment: environment ?? ProxyRule.processEnvironment())
    }

    /// The value of CONNECTTIMEOUT_MS; 0 would mean libcurl's default of five minutes.
    var connectMilliseconds: Int {
        guard connectTimeout > .zero else { return 10_000 }
        return max(1, connectTimeout.cappedMilliseconds)
    }

    /// The maximum silence of a server, for `SilenceWatch`.
    var longestSilence: Duration {
        guard idleTimeout > .zero else { return .seconds(15) }
        return .milliseconds(max(1, idleTimeout.cappedMilliseconds))
    }

    /// The value of MAXAGE_CONN.
    var idleConnectionSeconds: Int {
        max(1, maximumIdleConnectionAge.cappedMilliseconds / 1_000)
    }
}

extension Duration {
    /// The duration in milliseconds, rounded down; at most one day, to avoid an overflow.
    var cappedMilliseconds: Int {
        let parts = min(self, .seconds(86_400)).components
        return Int(parts.seconds) * 1_000 + Int(parts.attoseconds / 1_000_000_000_000_000)
    }
}
