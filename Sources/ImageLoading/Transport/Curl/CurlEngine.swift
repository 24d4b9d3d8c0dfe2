internal import CCurl
internal import Glibc

/// libcurl's multi handle and the transfers that it runs.
///
/// Create, use and release this object only on the curl thread. libcurl returns a transfer's object
/// through CURLOPT_PRIVATE, so the transfer for an event is found without a search.
final class CurlEngine {
    /// The maximum number of unused easy handles that are kept; each has a buffer of 64 KiB.
    private static let spareLimit = 16

    /// The maximum number of hosts in each of `certificateExceptions` and `folderHosts`.
    ///
    /// When a set reaches the limit, it is emptied, which costs one more handshake per host.
    private static let certificateExceptionLimit = 1_000

    private static let outOfMemory = CurlFailure.error(CURLE_OUT_OF_MEMORY)

    private let configuration: CurlTransportConfiguration
    private let functions: CurlFunctions
    private let multi: UnsafeMutableRawPointer
    private let proxies: ProxyRule
    /// The running transfers.
    ///
    /// The dictionary retains each transfer while libcurl holds a pointer to it.
    private var live: [TransferID: CurlTransfer] = [:]
    private var spares: [CurlEasy] = []
    private let sockets = CurlSockets()
    private var silence: SilenceWatch
    private var cookies: CookieJar
    /// The hosts whose certificates failed verification and were accepted.
    ///
    /// Without this set, each later transfer would begin with a failed handshake.
    private var certificateExceptions: Set<String> = []
    /// The hosts for which the system's directory of certificate authorities is searched.
    ///
    /// Their certificates were refused without the directory.
    private var folderHosts: Set<String> = []

    /// Creates an engine, or returns nil if libcurl cannot be loaded.
    init?(_ configuration: CurlTransportConfiguration) {
        guard let functions = CurlFunctions(),
            let multi = functions.table.pointee.multi_init()
        else { return nil }
        self.configuration = configuration
        self.functions = functions
        self.multi = multi
        proxies = configuration.proxyRule
        silence = SilenceWatch(limit: configuration.longestSilence)
        cookies = CookieJar { functions.date($0) }
        set(CURLMOPT_PIPELINING, ccurl_multiplex)
        set(CURLMOPT_MAXCONNECTS, max(1, configuration.maximumIdleConnections))
    }

    deinit {
        spares = []
        _ = functions.table.pointee.multi_cleanup(multi)
    }

    // MARK: Commands

    /// Adds a transfer to libcurl, which begins it in the next call to `advance`.
    func start(
        _ request: TransferRequest,
        onEvents: @escaping @Sendable ([TransferEvent]) -> Void
    ) {
        guard let address = functions.address(request.url) else {
            return onEvents([.finished(.transfer(.badURL))])
        }
        guard address.isHTTP else {
            return onEvents([.finished(RedirectChain.schemeNotAllowed)])
        }
        let redirects = RedirectChain(from: address, limit: max(0, configuration.maximumRedirects))
        begin(CurlTransfer(request, redirects: redirects, sockets: sockets, onEvents: onEvents))
    }

    /// Ends a transfer; this closes its HTTP/1.1 connection or resets its HTTP/2 stream.
    func cancel(_ id: TransferID) {
        guard let transfer = live[id] else { return }
        release(transfer)
    }

    func cancelAll() {
        for transfer in live.values {
            release(transfer)
            transfer.finish(.cancelled)
        }
    }

    func clearCookies() {
        cookies.removeAll()
    }

    // MARK: Work

    /// Sends and receives bytes without blocking, and ends the transfers that are complete.
    func advance() {
        guard !live.isEmpty else { return }
        var running: Int32 = 0
        let status = functions.table.pointee.multi_perform(multi, &running)
        guard status == CURLM_OK else { return failAll() }
        var left: Int32 = 0
        while let message = functions.table.pointee.multi_info_read(multi, &left) {
            guard ccurl_message_is_done(message) else { continue }
            end(message.pointee.easy_handle, ccurl_message_result(message))
        }
        for transfer in live.values { transfer.tell() }
        endSilent()
    }

    /// Sleeps until there is work to do.
    ///
    /// The thread wakes when a socket or `wakeup` is ready, a libcurl timer expires, or a server
    /// has been silent for too long. While no transfer runs, there are no timers, and the thread
    /// sleeps until it is woken.
    func wait(for wakeup: Int32) {
        var extra = curl_waitfd(fd: wakeup, events: ccurl_wait_readable, revents: 0)
        let limit = live.isEmpty ? nil : silence.sleepLimit(at: SilenceWatch.now())
        let status = functions.table.pointee.multi_poll(multi, &extra, 1, limit ?? .max, nil)
        if status != CURLM_OK { failAll() }
    }

    private func endSilent() {
        let transfers = live.lazy.map { (id: $0.key, activity: $0.value.activity) }
        for id in silence.overdue(at: SilenceWatch.now(), transfers) {
            guard let transfer = live[id] else { continue }
            release(transfer)
            transfer.finish(CurlFailure.error(CURLE_OPERATION_TIMEDOUT))
        }
    }

    private func end(_ handle: UnsafeMutableRawPointer?, _ code: CURLcode) {
        guard let handle, let context = ccurl_get_private(functions.table, handle) else { return }
        let transfer = CurlTransfer.at(context)
        let next = transfer.next(after: code)
        release(transfer)
        switch next {
        case .finish(let error): transfer.finish(error)
        case .follow(let location): follow(location, with: transfer)
        case .askAgain: begin(transfer)
        case .lookInFolder:
            Self.remember(transfer.redirects.current.host, in: &folderHosts)
            begin(transfer)
        case .acceptCertificate:
            Self.remember(transfer.redirects.current.host, in: &certificateExceptions)
            begin(transfer)
        }
    }

    private static func remember(_ host: String, in hosts: inout Set<String>) {
        if hosts.count >= certificateExceptionLimit { hosts = [] }
        hosts.insert(host)
    }

    private func follow(_ location: String, with transfer: CurlTransfer) {
        let target = functions.address(location, relativeTo: transfer.redirects.current)
        if let error = transfer.redirects.follow(target) { return transfer.finish(error) }
        begin(transfer)
    }

    /// Sends the next request of a transfer.
    private func begin(_ transfer: CurlTransfer) {
        let attempt = attempt(of: transfer)
        guard
            !attempt.refusesPrivateAddresses
                || AddressRule.mayBePublic(
                    host: attempt.address.host,
                    isBehindProxy: attempt.proxy != nil
                )
        else { return transfer.finish(.privateAddress(of: attempt.address)) }
        guard let easy = spares.popLast() ?? CurlEasy(functions, configuration) else {
            return transfer.finish(Self.outOfMemory)
        }
        transfer.begin(attempt, on: easy)
        live[transfer.request.id] = transfer
        silence.note(startAt: SilenceWatch.now())
        guard functions.table.pointee.multi_add_handle(multi, easy.handle) == CURLM_OK else {
            live[transfer.request.id] = nil
            return transfer.finish(Self.outOfMemory)
        }
    }

    private func attempt(of transfer: CurlTransfer) -> CurlAttempt {
        let (policy, redirects) = (transfer.request.policy, transfer.redirects)
        let address = redirects.current
        var headers = redirects.fields(of: transfer.request.headers)
        let jar = policy.handlesCookies ? cookies : transfer.chainCookies
        if !headers.contains(where: { $0.isNamed("Cookie") }),
            let field = jar?.field(for: address, now: time(nil))
        {
            headers.append(field)
        }
        return CurlAttempt(
            address: address,
            headers: headers,
            maximumByteCount: transfer.request.maximumByteCount,
            credentials: redirects.isAtHome ? policy.credentials : nil,
            usesNetrc: redirects.isAtHome && configuration.usesNetrc && policy.credentials == nil
                && policy.mayRevealSecrets,
            acceptsAnyCertificate: policy.allowsInvalidCertificates && redirects.isOnHomeHost
                && address.isSecure && certificateExceptions.contains(address.host),
            looksInFolder: folderHosts.contains(address.host),
            proxy: proxies.proxy(for: address),
            refusesPrivateAddresses: policy.refusesPrivateAddresses,
            timeLimit: policy.limits.time,
            needsNewConnection: transfer.request.needsNewConnection
        )
    }

    /// Removes a transfer from `live` and its easy handle from libcurl, and stores its cookies.
    private func release(_ transfer: CurlTransfer) {
        live[transfer.request.id] = nil
        guard let easy = transfer.surrenderEasy() else { return }
        _ = functions.table.pointee.multi_remove_handle(multi, easy.handle)
        keepCookies(of: transfer)
        // A handle keeps the challenge of a Digest login and would treat the next challenge, from
        // any server, as the rejection of a wrong password, so it is not reused.
        if spares.count < Self.spareLimit, !transfer.hasLogin { spares.append(easy) }
    }

    /// Stores the cookies of the responses to the current request.
    ///
    /// Without the `handlesCookies` policy, they are kept only until the end of the transfer, for
    /// its redirects. Some servers redirect to the same URL until the cookie is sent.
    private func keepCookies(of transfer: CurlTransfer) {
        let policy = transfer.request.policy
        guard !transfer.cookies.isEmpty, policy.mayRevealSecrets else { return }
        guard !policy.handlesCookies else { return Self.take(from: transfer, into: &cookies) }
        var jar = transfer.chainCookies ?? CookieJar { [functions] in functions.date($0) }
        Self.take(from: transfer, into: &jar)
        transfer.chainCookies = jar
    }

    private static func take(from transfer: CurlTransfer, into jar: inout CookieJar) {
        let now = time(nil)
        for field in transfer.cookies {
            jar.take(field, from: transfer.redirects.current, now: now)
        }
    }

    /// Ends all transfers with an error, because the multi handle no longer works.
    ///
    /// This happens only if memory is exhausted.
    private func failAll() {
        for transfer in live.values {
            release(transfer)
            transfer.finish(Self.outOfMemory)
        }
    }

    private func set(_ option: CURLMoption, _ value: Int) {
        ccurl_multi_set_long(functions.table, multi, option, value)
    }
}
