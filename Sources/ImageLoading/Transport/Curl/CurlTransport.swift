internal import Glibc
internal import SystemSupport

/// The transport that uses libcurl: HTTP/1.1 and HTTP/2, with connection reuse.
///
/// One dedicated thread does all the work, and sleeps while no transfer is running. The thread
/// starts with the first transfer, so a program that never uses the network never loads libcurl.
/// Releasing the transport ends running transfers with `.cancelled` and waits for the thread.
///
/// Redirects are followed within `http` and `https`, but never from `https` to `http`. Data meant
/// for the first URL's server is not sent to another server. Unless a request's `TransferPolicy`
/// changes this, certificates are verified, cookies are neither stored nor sent, and private
/// addresses are allowed. The proxy variables of the environment (`https_proxy`, `no_proxy` and so
/// on) apply as they do for curl.
public final class CurlTransport: HTTPTransport {
    private struct Running {
        let mailbox: CurlMailbox
        let thread: POSIXThread
    }

    private let configuration: CurlTransportConfiguration
    private let running = Protected<Running?>(nil)

    /// Creates a transport without starting its thread.
    public init(configuration: CurlTransportConfiguration = CurlTransportConfiguration()) {
        self.configuration = configuration
    }

    deinit {
        // No other reference exists, so no command can follow this one.
        guard let running = running.withLock({ $0 }) else { return }
        running.mailbox.post(.stop)
        running.thread.join()
    }

    /// Starts a transfer on the transport's thread, which calls `onEvent`.
    public func start(
        _ request: TransferRequest,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) {
        startBatching(request) { events in
            for event in events { onEvent(event) }
        }
    }

    /// Starts a transfer on the transport's thread and delivers its events in batches.
    ///
    /// Each call to `onEvents` receives all events that libcurl had at that time, for example the
    /// head, the body and the end of a small image.
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

    /// Ends a transfer, which closes its HTTP/1.1 connection or resets its HTTP/2 stream.
    public func cancel(_ id: TransferID) {
        running.withLock { $0?.mailbox }?.post(.cancel(id))
    }

    /// Removes the cookies of all hosts; transfers that have already begun are not affected.
    ///
    /// This method can be called on any thread.
    public func clearCookies() {
        running.withLock { $0?.mailbox }?.post(.clearCookies)
    }

    /// Returns the mailbox of the thread, starting the thread on the first call.
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
    /// The time limit for establishing a connection, including TLS; 0 means the default of 10 s.
    public var connectTimeout: Duration = .seconds(10)
    /// The maximum time without a byte of the body, and the maximum wait for the complete head; 0
    /// means the default of 15 s.
    ///
    /// A body must also deliver at least 1 KiB in twice that time.
    public var idleTimeout: Duration = .seconds(15)
    /// The maximum number of redirects; the transfer fails at the next redirect.
    public var maximumRedirects = 5
    /// The User-Agent header; a program should set its own name and version.
    public var userAgent = "ImageLoading"
    /// The proxy's URL.
    ///
    /// If nil, the variables `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` are read from
    /// the environment when the first transfer starts the transport's thread. An empty string
    /// disables the proxy. `no_proxy` also applies to a proxy set here.
    public var proxy: String?
    /// Whether a login challenge is answered from `netrcFile` if the request has no credentials of
    /// its own.
    public var usesNetrc = false
    /// The file that contains the login for each host, for `usesNetrc`; nil means `~/.netrc`.
    public var netrcFile: String?
    /// A PEM file of trusted certificate authorities that replaces the system's authorities, for
    /// servers with a private certificate.
    ///
    /// If nil, the variables `CURL_CA_BUNDLE` and `SSL_CERT_FILE` of the environment apply, as for
    /// curl. An empty string selects the system's authorities regardless of the environment.
    /// Certificates are verified unless `TransferPolicy.allowsInvalidCertificates` is set.
    public var certificateAuthorityFile: String?
    /// The maximum number of connections kept open for reuse, for all hosts together.
    public var maximumIdleConnections = 32
    /// The maximum time for which an idle connection can be reused.
    ///
    /// The value is rounded down to whole seconds and is at least 1 second. The default is
    /// libcurl's own default. Most servers close idle connections sooner.
    public var maximumIdleConnectionAge: Duration = .seconds(118)

    /// Entries "host:port:address" that replace name resolution, like curl's option `--resolve`.
    var fixedAddresses: [String] = []
    /// Variables that replace the process's environment.
    var environment: [String: String]?

    /// Creates the default configuration.
    public init() {}

    /// The file from `certificateAuthorityFile` or from the environment; nil to use the system's
    /// authorities.
    var trustedFile: String? {
        let named = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"].lazy.compactMap(variable)
        let file = certificateAuthorityFile ?? named.first { !$0.isEmpty }
        return file.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func variable(_ name: String) -> String? {
        guard let environment else { return getenv(name).map { String(cString: $0) } }
        return environment[name]
    }

    /// The rule that results from `proxy` and the environment.
    var proxyRule: ProxyRule {
        ProxyRule(proxy: proxy, environment: environment ?? ProxyRule.processEnvironment())
    }

    /// The value of CONNECTTIMEOUT_MS, for which 0 would mean libcurl's default of five minutes.
    var connectMilliseconds: Int {
        guard connectTimeout > .zero else { return 10_000 }
        return max(1, connectTimeout.cappedMilliseconds)
    }

    /// The silence limit for `SilenceWatch`, derived from `idleTimeout`.
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
    /// The duration in whole milliseconds, limited to one day to avoid overflow.
    var cappedMilliseconds: Int {
        let parts = min(self, .seconds(86_400)).components
        return Int(parts.seconds) * 1_000 + Int(parts.attoseconds / 1_000_000_000_000_000)
    }
}
