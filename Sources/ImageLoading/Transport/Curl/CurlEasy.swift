internal import CCurl

/// One easy handle of libcurl with the options that never change; serves one transfer at a time
/// and is used again for the next.
///
/// Belongs to the curl thread.
final class CurlEasy {
    let handle: UnsafeMutableRawPointer
    private let functions: CurlFunctions
    private var headerList: UnsafeMutablePointer<curl_slist>?

    /// Nil if libcurl is out of memory.
    init?(_ functions: CurlFunctions, _ configuration: CurlTransportConfiguration) {
        guard let handle = functions.table.pointee.easy_init() else { return nil }
        self.handle = handle
        self.functions = functions
        setLimits(configuration)
        setIdentity(configuration)
    }

    deinit {
        functions.table.pointee.easy_cleanup(handle)
        functions.table.pointee.slist_free_all(headerList)
    }

    // MARK: One transfer

    /// Sets what differs from one transfer to the next.
    ///
    /// `context` goes to the body and head callbacks and comes back from `context`.
    func prepare(for request: TransferRequest, context: UnsafeMutableRawPointer) {
        let isSecure = request.url.hasPrefix("https:")
        set(CURLOPT_URL, request.url)
        // A redirect never leaves TLS, and never leads to file: or the like (row F32).
        set(CURLOPT_REDIR_PROTOCOLS_STR, isSecure ? "https" : "http,https")
        set(CURLOPT_HTTP_VERSION, isSecure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1)
        // Waiting to see whether the first connection speaks HTTP/2 costs a handshake with TLS,
        // but a whole response without: nothing tells before it.
        set(CURLOPT_PIPEWAIT, isSecure ? 1 : 0)
        // Content coding and ranges don't go together: a range of what? (theme T15)
        let hasRange = request.headers.contains { $0.isNamed("Range") }
        set(CURLOPT_ACCEPT_ENCODING, hasRange ? nil : "")
        ccurl_set_size(
            functions.table,
            handle,
            CURLOPT_MAXFILESIZE_LARGE,
            curl_off_t(max(1, request.maximumByteCount))
        )
        setHeaders(request.headers)
        set(CURLOPT_PRIVATE, context)
        set(CURLOPT_WRITEDATA, context)
        set(CURLOPT_HEADERDATA, context)
    }

    /// What was given to `prepare`.
    var context: UnsafeMutableRawPointer? { ccurl_get_private(functions.table, handle) }

    /// The errno behind a failed connection; 0 if there is none.
    var osError: Int32 {
        Int32(truncatingIfNeeded: ccurl_get_long(functions.table, handle, CURLINFO_OS_ERRNO))
    }

    /// The status with which a proxy answered CONNECT; 0 if none was asked.
    var proxyStatus: Int {
        ccurl_get_long(functions.table, handle, CURLINFO_HTTP_CONNECTCODE)
    }

    /// Has redirects from now on lead to `https` only, if the present answer came over it.
    ///
    /// `prepare` can't know: a redirect may have led from `http` to `https`, and the next one may
    /// lead back.
    func keepTLS() {
        guard ccurl_is_secure(functions.table, handle) else { return }
        set(CURLOPT_REDIR_PROTOCOLS_STR, "https")
    }

    /// A field that could break out of its line is left out.
    private func setHeaders(_ fields: [HeaderField]) {
        let append = functions.table.pointee.slist_append
        functions.table.pointee.slist_free_all(headerList)
        headerList = nil
        for field in fields where field.isSafe {
            // libcurl takes "Name:" as a wish to leave a header out; "Name;" sends it empty.
            let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
            headerList = append(headerList, line) ?? headerList
        }
        set(CURLOPT_HTTPHEADER, headerList.map { UnsafeMutableRawPointer($0) })
    }

    // MARK: All transfers

    private func setLimits(_ configuration: CurlTransportConfiguration) {
        set(CURLOPT_CONNECTTIMEOUT_MS, configuration.connectMilliseconds)
        set(CURLOPT_LOW_SPEED_LIMIT, 1)
        set(CURLOPT_LOW_SPEED_TIME, configuration.idleSeconds)
        set(CURLOPT_PROTOCOLS_STR, "http,https")
        set(CURLOPT_FOLLOWLOCATION, 1)
        set(CURLOPT_MAXREDIRS, max(0, configuration.maximumRedirects))
        // Else ending a transfer whose host name is still being looked up waits for the look-up,
        // which takes 5 to 30 s with a dead name server, and all other transfers wait with it. The
        // look-up's thread ends by itself.
        set(CURLOPT_QUICK_EXIT, 1)
        // A proxy's answer to CONNECT is not the response, and must not be taken for its head.
        set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // Timeouts by SIGALRM would hit whatever thread the signal happens to choose.
        set(CURLOPT_NOSIGNAL, 1)
        // 16 KiB, the default, costs half of the throughput on loopback (5.7 k requests a second
        // against 9 k).
        set(CURLOPT_BUFFERSIZE, 64 << 10)
    }

    private func setIdentity(_ configuration: CurlTransportConfiguration) {
        set(CURLOPT_USERAGENT, configuration.userAgent)
        set(CURLOPT_SSL_VERIFYPEER, 1)
        set(CURLOPT_SSL_VERIFYHOST, 2)
        if let proxy = configuration.proxy { set(CURLOPT_PROXY, proxy) }
        if let file = configuration.certificateAuthorityFile { set(CURLOPT_CAINFO, file) }
        ccurl_set_function(functions.table, handle, CURLOPT_WRITEFUNCTION, receiveBody)
        ccurl_set_function(functions.table, handle, CURLOPT_HEADERFUNCTION, receiveHeaderLine)
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
    /// Whether it is one line: no control characters, a name that is not empty and ends at the
    /// first colon.
    fileprivate var isSafe: Bool {
        !name.isEmpty && !name.utf8.contains(UInt8(ascii: ":"))
            && !Self.hasControl(name) && !Self.hasControl(value)
    }

    private static func hasControl(_ text: String) -> Bool {
        text.utf8.contains { byte in byte < 0x20 || byte == 0x7F }
    }
}

/// libcurl's callback for a piece of the body.
///
/// `context` is the `CurlTransfer`.
private func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    deliver(bytes, size &* count, context) { $0.receiveBody($1) }
}

/// libcurl's callback for one header line.
///
/// `context` is the `CurlTransfer`.
private func receiveHeaderLine(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    deliver(bytes, size &* count, context) { $0.receiveHeaderLine($1) }
}

/// Returning less than was given makes libcurl end the transfer with CURLE_WRITE_ERROR.
private func deliver(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?,
    to receive: (CurlTransfer, UnsafeRawBufferPointer) -> Bool
) -> Int {
    guard let context, count > 0 else { return 0 }
    let transfer = CurlTransfer.at(context)
    return receive(transfer, UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
}
