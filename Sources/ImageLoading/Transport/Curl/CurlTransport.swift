internal import Glibc

/// The transport over libcurl: HTTP/1.1 and HTTP/2, with connections used again.
///
/// One thread of its own does everything, asleep while nothing runs; it starts with the first
/// transfer, so a program that never fetches never loads libcurl. Letting go of the transport ends
/// what still runs with `.cancelled` and waits for the thread.
///
/// Redirects are followed within `http` and `https`, never from `https` to `http`; what is meant
/// for the first URL's server is not taken elsewhere. Certificates are verified, cookies neither
/// kept nor sent and private addresses asked, unless a request's `TransferPolicy` says otherwise.
/// The proxy variables of the environment hold (`https_proxy`, `no_proxy` and so on, as for curl).
public final class CurlTransport: HTTPTransport {
    private struct Running {
        let mailbox: CurlMailbox
        let thread: POSIXThread
    }

    private let configuration: CurlTransportConfiguration
    private let running = Protected<Running?>(nil)

    /// Makes a transport; nothing is started yet.
    public init(configuration: CurlTransportConfiguration = CurlTransportConfiguration()) {
        self.configuration = configuration
    }

    deinit {
        // Nobody else has a reference, so no command can come after this one.
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

    /// Starts a transfer on the transport's thread, which calls `onEvents` once for all that libcurl had
    /// of it at a time: head, body and end of a small picture.
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

    /// Ends a transfer: over HTTP/1.1 its connection is closed, over HTTP/2 its stream is reset.
    public func cancel(_ id: TransferID) {
        running.withLock { $0?.mailbox }?.post(.cancel(id))
    }

    /// Forgets the cookies of all hosts; transfers that have begun are not changed.
    ///
    /// Callable on any thread.
    public func clearCookies() {
        running.withLock { $0?.mailbox }?.post(.clearCookies)
    }

    /// The mailbox of the running thread, which the first call starts.
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

/// How `CurlTransport` talks to servers.
public struct CurlTransportConfiguration: Hashable, Sendable {
    /// The longest wait for a connection, TLS included; 0 means the default of 10 s.
    public var connectTimeout: Duration = .seconds(10)
    /// The longest time without a byte of the body, and the longest wait for the whole head; 0 means
    /// the default of 15 s.
    ///
    /// In twice that time a body has to bring a kilobyte.
    public var idleTimeout: Duration = .seconds(15)
    /// Redirects followed before the transfer fails.
    public var maximumRedirects = 5
    /// The User-Agent header; a program says its own name and version.
    public var userAgent = "ImageLoading"
    /// The proxy's URL; nil takes what the environment says when the transport is made
    /// (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`), "" is no proxy.
    ///
    /// `no_proxy` holds for this one too.
    public var proxy: String?
    /// Whether a server's question for a login is answered from `netrcFile`, if the request has no
    /// credentials of its own.
    public var usesNetrc = false
    /// The file of logins by host that `usesNetrc` reads; nil is `~/.netrc`.
    public var netrcFile: String?
    /// A PEM file of certificate authorities to trust in place of the system's, for servers with a
    /// certificate of one's own; nil takes what the environment says when the transport is made
    /// (`CURL_CA_BUNDLE`, `SSL_CERT_FILE`, as for curl), "" the system's whatever that says.
    ///
    /// Certificates are verified, but where `TransferPolicy.allowsInvalidCertificates` says not.
    public var certificateAuthorityFile: String?
    /// Connections kept open for the next transfer, over all hosts.
    public var maximumIdleConnections = 32
    /// How long a connection may lie idle and still be used again.
    ///
    /// Whole seconds, at least 1; libcurl's own default. Most servers close theirs sooner.
    public var maximumIdleConnectionAge: Duration = .seconds(118)

    /// Entries "host:port:address" that stand in for a look-up, as curl's option --resolve.
    var fixedAddresses: [String] = []
    /// What stands in for the process's variables.
    var environment: [String: String]?

    /// Makes the default configuration.
    public init() {}

    /// The file of `certificateAuthorityFile` or of the environment; nil for the system's.
    var trustedFile: String? {
        let named = ["CURL_CA_BUNDLE", "SSL_CERT_FILE"].lazy.compactMap(variable)
        let file = certificateAuthorityFile ?? named.first { !$0.isEmpty }
        return file.flatMap { $0.isEmpty ? nil : $0 }
    }

    private func variable(_ name: String) -> String? {
        guard let environment else { return getenv(name).map { String(cString: $0) } }
        return environment[name]
    }

    /// The rule that `proxy` and the environment make.
    var proxyRule: ProxyRule {
        ProxyRule(proxy: proxy, environment: environment ?? ProxyRule.processEnvironment())
    }

    /// libcurl's CONNECTTIMEOUT_MS, where 0 would mean its own five minutes.
    var connectMilliseconds: Int {
        guard connectTimeout > .zero else { return 10_000 }
        return max(1, connectTimeout.cappedMilliseconds)
    }

    /// The limit of `SilenceWatch`.
    var longestSilence: Duration {
        guard idleTimeout > .zero else { return .seconds(15) }
        return .milliseconds(max(1, idleTimeout.cappedMilliseconds))
    }

    /// libcurl's MAXAGE_CONN.
    var idleConnectionSeconds: Int {
        max(1, maximumIdleConnectionAge.cappedMilliseconds / 1_000)
    }

    /// Bounded by a day, which also keeps the arithmetic from overflowing.
}

extension Duration {
    /// Whole milliseconds, of a day at most.
    var cappedMilliseconds: Int {
        let parts = min(self, .seconds(86_400)).components
        return Int(parts.seconds) * 1_000 + Int(parts.attoseconds / 1_000_000_000_000_000)
    }
}
