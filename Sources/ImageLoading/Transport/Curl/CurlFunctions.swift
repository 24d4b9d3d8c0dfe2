internal import CCurl
internal import Glibc

/// libcurl's functions, which are loaded when the first transport starts its thread.
///
/// Use an instance, and all objects created with it, only on one curl thread.
final class CurlFunctions {
    /// Whether libcurl was successfully initialized; this is done once per process.
    ///
    /// Swift's lock for static properties protects the initialization, because older builds of
    /// libcurl do not allow two threads to initialize it at the same time.
    private static let isInitialized: Bool = {
        guard let functions = CurlFunctions(loading: ()) else { return false }
        return functions.table.pointee.global_init(ccurl_global_all) == CURLE_OK
    }()

    /// The table of libcurl's functions; valid for the lifetime of this object.
    let table: UnsafeMutablePointer<ccurl_library>

    /// Loads libcurl, or returns nil if it is not installed or cannot be used.
    convenience init?() {
        guard Self.isInitialized else { return nil }
        self.init(loading: ())
    }

    private init?(loading: Void) {
        table = .allocate(capacity: 1)
        guard ccurl_load(table) else { return nil }
    }

    deinit {
        table.deallocate()
    }
}

extension CurlFunctions {
    /// Parses a URL exactly as libcurl does for a request; a relative URL is resolved against
    /// `base`.
    ///
    /// Returns nil if the result is not an absolute URL. Any scheme is accepted. Unusual spellings
    /// of an IPv4 address ("0x7f.1") are normalized.
    func address(_ text: String, relativeTo base: WebAddress? = nil) -> WebAddress? {
        guard let url = table.pointee.url() else { return nil }
        defer { table.pointee.url_cleanup(url) }
        if let base, table.pointee.url_set(url, CURLUPART_URL, base.text, 0) != CURLUE_OK {
            return nil
        }
        guard table.pointee.url_set(url, CURLUPART_URL, text, ccurl_url_parsing) == CURLUE_OK,
            let host = asciiHost(of: url), let whole = part(CURLUPART_URL, of: url),
            let scheme = part(CURLUPART_SCHEME, of: url)
        else { return nil }
        let port = part(CURLUPART_PORT, of: url, flags: ccurl_url_default_port)
        return WebAddress(
            text: whole,
            scheme: scheme.lowercased(),
            host: host.lowercased(),
            port: port.flatMap { Int($0) } ?? 0,
            path: part(CURLUPART_PATH, of: url) ?? "/"
        )
    }

    /// Parses a date in any of the formats that servers use; returns seconds since 1970.
    func date(_ text: String) -> Int? {
        let seconds = table.pointee.getdate(text, nil)
        // -1 is libcurl's only error value, so the second before 1970 cannot be represented.
        return seconds == -1 ? nil : seconds
    }

    /// Returns the host in ASCII; "" if the URL has no host, and nil if the host is invalid.
    ///
    /// If a redirect contains a host with non-ASCII letters, the host is also replaced in the URL.
    private func asciiHost(of url: OpaquePointer) -> String? {
        guard let host = part(CURLUPART_HOST, of: url) else { return "" }
        guard !host.utf8.allSatisfy({ $0 < 0x80 }) else { return host }
        guard case .success(let ascii) = InternationalHost.ascii(host.utf8) else { return nil }
        let text = String(decoding: ascii, as: UTF8.self)
        return table.pointee.url_set(url, CURLUPART_HOST, text, 0) == CURLUE_OK ? text : nil
    }

    private func part(_ part: CURLUPart, of url: OpaquePointer, flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard table.pointee.url_get(url, part, &text, flags) == CURLUE_OK, let text else {
            return nil
        }
        defer { table.pointee.free(text) }
        return String(cString: text)
    }
}

// libcurl's callbacks, which it calls only on the curl thread, from inside one of its functions.
// `context` is an unretained pointer to the `CurlTransfer`.

/// Receives a chunk of the body from libcurl.
///
/// `context` is the `CurlTransfer`.
func receiveBody(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    deliver(bytes, size &* count, context) { $0.receiveBody($1) }
}

/// Receives one header line from libcurl.
///
/// `context` is the `CurlTransfer`.
func receiveHeaderLine(
    _ bytes: UnsafeMutablePointer<CChar>?,
    _ size: Int,
    _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    deliver(bytes, size &* count, context) { $0.receiveHeaderLine($1) }
}

/// Passes bytes to a transfer and returns the number of accepted bytes.
///
/// If the result is less than `count`, libcurl ends the transfer with CURLE_WRITE_ERROR.
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

/// Opens a socket to a resolved address for libcurl.
///
/// If this function returns CURL_SOCKET_BAD, libcurl tries the next address.
func openSocket(
    _ context: UnsafeMutableRawPointer?,
    _ purpose: curlsocktype,
    _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let context, let address else { return -1 }
    var bytes = [UInt8](repeating: 0, count: 16)
    let count = Int(ccurl_address_bytes(address, &bytes))
    guard CurlTransfer.at(context).mayConnect(to: IPAddress(bytes: bytes.prefix(count))) else {
        return -1
    }
    let socket = ccurl_open_socket(address)
    if socket < 0 { CurlTransfer.at(context).noteMissingSocket(errno) }
    return socket
}

/// Decides whether libcurl may send a request on a connection.
///
/// libcurl calls this function before each request, on new and reused connections.
func beforeRequest(
    _ context: UnsafeMutableRawPointer?,
    _ remote: UnsafeMutablePointer<CChar>?,
    _ local: UnsafeMutablePointer<CChar>?,
    _ remotePort: Int32,
    _ localPort: Int32
) -> Int32 {
    guard let context else { return ccurl_may_not_request }
    let address = remote.flatMap { IPAddress(String(cString: $0)) }
    let mayAsk = CurlTransfer.at(context).mayAsk(address, from: Int(localPort))
    return mayAsk ? ccurl_may_request : ccurl_may_not_request
}

/// Records the number of bytes that libcurl has received.
///
/// The number includes bodies that libcurl does not pass to the transfer. If this function returns
/// a value other than 0, libcurl ends the transfer.
func noteProgress(
    _ context: UnsafeMutableRawPointer?,
    _ expected: curl_off_t,
    _ received: curl_off_t,
    _ toSend: curl_off_t,
    _ sent: curl_off_t
) -> Int32 {
    guard let context else { return 1 }
    return CurlTransfer.at(context).mayGoOn(received: Int(received)) ? 0 : 1
}
