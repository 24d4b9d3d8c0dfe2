internal import CCurl

// What libcurl calls while it works, always on the curl thread and inside one of its functions.
// `context` is the `CurlTransfer`, without a reference count.

/// libcurl's callback for a piece of the body.
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

/// libcurl's callback for one header line.
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

/// libcurl's callback for a socket to an address that it has found; CURL_SOCKET_BAD makes it try
/// the next one.
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
    return ccurl_open_socket(address)
}

/// libcurl's callback before it sends a request, on a connection that may be an old one.
func beforeRequest(
    _ context: UnsafeMutableRawPointer?,
    _ remote: UnsafeMutablePointer<CChar>?,
    _ local: UnsafeMutablePointer<CChar>?,
    _ remotePort: Int32,
    _ localPort: Int32
) -> Int32 {
    guard let context else { return CURL_PREREQFUNC_ABORT }
    let address = remote.flatMap { IPAddress(String(cString: $0)) }
    let mayAsk = CurlTransfer.at(context).mayAsk(address, from: Int(localPort))
    return mayAsk ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}

/// libcurl's callback for what it has received, the bodies that it keeps for itself included;
/// anything but 0 ends the transfer.
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
