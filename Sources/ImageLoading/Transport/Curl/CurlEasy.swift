internal import CCurl

/// A libcurl easy handle with the options that are the same for all requests.
///
/// A handle performs one transfer at a time and is then reused for another transfer. Use it only on
/// the curl thread.
final class CurlEasy {
    let handle: UnsafeMutableRawPointer
    private let functions: CurlFunctions
    private let authorities: CertificateAuthorities
    /// The latest request whose options were set.
    private var last: CurlAttempt?
    private var headerList: UnsafeMutablePointer<curl_slist>?
    private var addressList: UnsafeMutablePointer<curl_slist>?
    /// The buffer for libcurl's error message; the message is more detailed than the error code.
    private let message = UnsafeMutableBufferPointer<CChar>.allocate(capacity: messageCapacity)
    /// The value of CURL_ERROR_SIZE.
    private static let messageCapacity = 256

    /// Creates a handle, or returns nil if libcurl is out of memory.
    init?(_ functions: CurlFunctions, _ configuration: CurlTransportConfiguration) {
        guard let handle = functions.table.pointee.easy_init() else { return nil }
        self.handle = handle
        self.functions = functions
        let text = { info in
            ccurl_get_string(functions.table, handle, info).map { String(cString: $0) }
        }
        authorities = CertificateAuthorities(
            configuration,
            systemFile: text(CURLINFO_CAINFO),
            systemFolder: text(CURLINFO_CAPATH)
        )
        message.initialize(repeating: 0)
        set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(message.baseAddress))
        setLimits(configuration)
        setIdentity(configuration)
        for entry in configuration.fixedAddresses {
            addressList = functions.table.pointee.slist_append(addressList, entry) ?? addressList
        }
        set(CURLOPT_RESOLVE, addressList.map { UnsafeMutableRawPointer($0) })
    }

    deinit {
        functions.table.pointee.easy_cleanup(handle)
        functions.table.pointee.slist_free_all(headerList)
        functions.table.pointee.slist_free_all(addressList)
        message.deallocate()
    }

    // MARK: One transfer

    /// Sets the options that differ between requests.
    ///
    /// libcurl passes `context` to all callbacks; the `context` property returns it.
    func prepare(for attempt: CurlAttempt, context: UnsafeMutableRawPointer) {
        message[0] = 0
        set(CURLOPT_URL, attempt.address.text)
        // Most requests differ only in their URL, and setting the options takes as long as
        // transferring a small file.
        if last.map({ !attempt.isLike($0) }) ?? true { setOptions(attempt) }
        last = attempt
        for option in [
            CURLOPT_PRIVATE, CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_OPENSOCKETDATA,
            CURLOPT_PREREQDATA, CURLOPT_XFERINFODATA,
        ] {
            set(option, context)
        }
    }

    private func setOptions(_ attempt: CurlAttempt) {
        let isSecure = attempt.address.isSecure
        set(CURLOPT_HTTP_VERSION, isSecure ? ccurl_http_2_over_tls : ccurl_http_1_1)
        // With TLS, waiting to see whether the first connection supports HTTP/2 costs a handshake.
        // Without TLS, it costs a whole response, because the version is not known earlier.
        set(CURLOPT_PIPEWAIT, isSecure ? 1 : 0)
        set(CURLOPT_FRESH_CONNECT, attempt.needsNewConnection ? 1 : 0)
        // 0 means no limit.
        set(CURLOPT_TIMEOUT_MS, attempt.timeLimit.map { max(1, $0.cappedMilliseconds) } ?? 0)
        ccurl_set_size(
            functions.table,
            handle,
            CURLOPT_MAXFILESIZE_LARGE,
            curl_off_t(max(1, attempt.maximumByteCount))
        )
        setHeaders(attempt.headers + Self.codingFields(beside: attempt.headers))
        setLogin(attempt)
        setTrust(attempt)
    }

    /// Returns whether to search the directory of certificate authorities after a certificate has
    /// been refused.
    ///
    /// The directory may contain the issuer of the certificate. Returns false if it was already
    /// searched, if it does not exist, or if every certificate is accepted.
    func mayLookInFolder(after attempt: CurlAttempt) -> Bool {
        !attempt.looksInFolder && !attempt.acceptsAnyCertificate && authorities.hasRest
    }

    /// The context passed to `prepare`.
    var context: UnsafeMutableRawPointer? { ccurl_get_private(functions.table, handle) }

    /// The `errno` of a failed connection, or 0.
    var osError: Int32 {
        Int32(truncatingIfNeeded: ccurl_get_long(functions.table, handle, CURLINFO_OS_ERRNO))
    }

    /// Whether the server closed the connection during the TLS handshake.
    ///
    /// libcurl reports the same error code if the server refuses the handshake, so only the error
    /// message distinguishes the two cases.
    var isHandshakeCut: Bool {
        let bytes = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let text = String(decoding: bytes, as: UTF8.self)
        // The first text is from OpenSSL, and the last two are from libcurl 8.12 and later.
        return ["SSL_ERROR_SYSCALL", "unexpected eof", "Connection reset", "Broken pipe"].contains {
            text.contains($0)
        }
    }

    /// The socket and the local port of the transfer's connection.
    ///
    /// Nil while the transfer is running, or if the connection has been closed.
    var connection: (socket: Int32, localPort: Int)? {
        let socket = ccurl_get_socket(functions.table, handle)
        guard socket >= 0 else { return nil }
        return (socket, ccurl_get_long(functions.table, handle, CURLINFO_LOCAL_PORT))
    }

    /// The status of a proxy's response to CONNECT; 0 if CONNECT was not sent.
    var proxyStatus: Int {
        ccurl_get_long(functions.table, handle, CURLINFO_HTTP_CONNECTCODE)
    }

    private func setLogin(_ attempt: CurlAttempt) {
        // libcurl does not pass the body of a 401 to the body callback if it responds to the 401
        // itself, so the progress callback counts the bytes.
        set(CURLOPT_NOPROGRESS, attempt.mayLogIn ? 0 : 1)
        set(CURLOPT_USERNAME, attempt.credentials?.user)
        set(CURLOPT_PASSWORD, attempt.credentials?.password)
        set(CURLOPT_NETRC, attempt.usesNetrc ? ccurl_netrc_optional : ccurl_netrc_ignored)
    }

    /// Sets how the server is verified and which proxy is used.
    ///
    /// libcurl reuses a connection only for transfers with the same settings.
    private func setTrust(_ attempt: CurlAttempt) {
        set(CURLOPT_SSL_VERIFYPEER, attempt.acceptsAnyCertificate ? 0 : 1)
        set(CURLOPT_SSL_VERIFYHOST, attempt.acceptsAnyCertificate ? 0 : 2)
        let folder = authorities.folder(isNeeded: attempt.looksInFolder)
        set(CURLOPT_CAPATH, folder)
        set(CURLOPT_PROXY_CAPATH, folder)
        // An empty string keeps libcurl from reading the environment; see `ProxyRule`.
        set(CURLOPT_PROXY, attempt.proxy ?? "")
    }

    /// Returns the `Accept-Encoding` field to add to `fields`.
    ///
    /// Returns an empty array if the request already has this field, or if it is a range request.
    /// With a content coding, the range would refer to compressed bytes.
    private static func codingFields(beside fields: [HeaderField]) -> [HeaderField] {
        let isPlain = fields.contains { $0.isNamed("Range") || $0.isNamed("Accept-Encoding") }
        return isPlain ? [] : [HeaderField("Accept-Encoding", ContentDecoder.offer)]
    }

    /// Sets the header fields, omitting any that could add another header line.
    private func setHeaders(_ fields: [HeaderField]) {
        let append = functions.table.pointee.slist_append
        functions.table.pointee.slist_free_all(headerList)
        headerList = nil
        for field in fields where field.isSafe {
            // libcurl reads "Name:" as "omit this header"; "Name;" sends it with an empty value.
            let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
            headerList = append(headerList, line) ?? headerList
        }
        set(CURLOPT_HTTPHEADER, headerList.map { UnsafeMutableRawPointer($0) })
    }

    // MARK: All transfers

    private func setLimits(_ configuration: CurlTransportConfiguration) {
        set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectMilliseconds)
        set(CURLOPT_MAXAGE_CONN, configuration.idleConnectionSeconds)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        // `RedirectChain` handles redirects. libcurl counts its own retry with a login as a
        // redirect. Digest may need two retries, because the first one can be stale.
        set(CURLOPT_FOLLOWLOCATION, 0)
        set(CURLOPT_MAXREDIRS, 3)
        // Without this option, ending a transfer during name resolution waits for the resolver. If
        // the name server does not respond, that takes 5 to 30 s, and all other transfers wait too.
        // The resolver's thread ends on its own.
        set(CURLOPT_QUICK_EXIT, 1)
        // A proxy's response to CONNECT is not the server's response and must not be parsed as its
        // head.
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // SIGALRM timeouts would interrupt an arbitrary thread.
        set(CURLOPT_NOSIGNAL, 1)
        // The default of 16 KiB reduces loopback throughput from about 9,000 to 5,700 requests per
        // second.
        set(CURLOPT_BUFFERSIZE, 64 << 10)
    }

    private func setIdentity(_ configuration: CurlTransportConfiguration) {
        set(CURLOPT_USERAGENT, configuration.userAgent)
        set(CURLOPT_SSLVERSION, ccurl_tls_1_2)
        set(CURLOPT_NOPROXY, "")
        // More than one method is allowed, so libcurl sends no login before the server requests
        // one.
        set(CURLOPT_HTTPAUTH, ccurl_login_methods)
        if let file = configuration.netrcFile { set(CURLOPT_NETRC_FILE, file) }
        if let file = authorities.ownFile { set(CURLOPT_CAINFO, file) }
        ccurl_set_function(functions.table, handle, CURLOPT_WRITEFUNCTION, receiveBody)
        ccurl_set_function(functions.table, handle, CURLOPT_HEADERFUNCTION, receiveHeaderLine)
        ccurl_set_open_socket(functions.table, handle, openSocket)
        ccurl_set_before_request(functions.table, handle, beforeRequest)
        ccurl_set_progress(functions.table, handle, noteProgress)
    }

    private func set(_ option: CURLoption, _ value: Int) {
        ccurl_set_long(functions.table, handle, option, value)
    }

    private func set(_ option: CURLoption, _ value: String?) {
        ccurl_set_string(functions.table, handle, option, value)
    }

    private func set(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) {
        ccurl_set_pointer(functions.table, handle, option, value)
    }
}

extension HeaderField {
    /// Whether the field can be sent as one line.
    ///
    /// It must not contain control characters, and its name must not be empty or contain a colon.
    fileprivate var isSafe: Bool {
        !name.isEmpty && !name.utf8.contains(UInt8(ascii: ":"))
            && !Self.hasControl(name) && !Self.hasControl(value)
    }

    private static func hasControl(_ text: String) -> Bool {
        text.utf8.contains { byte in byte < 0x20 || byte == 0x7F }
    }
}
