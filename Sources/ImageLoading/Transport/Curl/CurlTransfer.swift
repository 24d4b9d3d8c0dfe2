internal import CCurl

/// One running transfer: reads the head, counts the body, hands both on.
///
/// Belongs to the curl thread: it is made there, libcurl calls back only inside `multi_perform` and
/// `multi_remove_handle`, which run there, and it is let go there. libcurl knows it as a pointer
/// without a reference count; the pointer is good because `CurlEngine.live` keeps the object from
/// before the handle is added until after it is removed.
final class CurlTransfer {
    let request: TransferRequest
    let easy: CurlEasy
    private let onEvent: @Sendable (TransferEvent) -> Void
    private var reader = ResponseHeadReader()
    private var isHeadSent = false
    private var receivedByteCount = 0
    /// Why we made libcurl stop; it only knows that we did.
    private var refusal: ImageLoadingError?

    init(
        _ request: TransferRequest,
        easy: CurlEasy,
        onEvent: @escaping @Sendable (TransferEvent) -> Void
    ) {
        self.request = request
        self.easy = easy
        self.onEvent = onEvent
    }

    /// The transfer behind a pointer that `context` gave out.
    static func at(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
        Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Takes a header line; false ends the transfer.
    func receiveHeaderLine(_ line: UnsafeRawBufferPointer) -> Bool {
        guard reader.read(line) else {
            let code = Int(CURLE_WRITE_ERROR.rawValue)
            refusal = .download(
                .permanent,
                .transport(code: code, text: "response head too large")
            )
            return false
        }
        easy.keepTLS()
        // The empty line ends an answer. A 3xx may be followed, so it has to wait for a body.
        if line.first == UInt8(ascii: "\r") || line.first == UInt8(ascii: "\n"),
            let status = reader.head?.status, !(300..<400).contains(status)
        {
            sendHead()
        }
        return true
    }

    /// Takes a piece of the body, content coding undone; false ends the transfer.
    ///
    /// The limit holds for what comes out of the decompressor too, so a small file that unpacks to
    /// gigabytes stops here.
    func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
        receivedByteCount += bytes.count
        guard receivedByteCount <= request.maximumByteCount else {
            refusal = .download(.permanent, .tooLarge(limit: request.maximumByteCount))
            return false
        }
        sendHead()
        onEvent(.chunk(Array(bytes)))
        return true
    }

    /// What libcurl's verdict on the transfer means; asked while the easy handle still has it.
    func error(for code: CURLcode) -> ImageLoadingError? {
        if let refusal { return refusal }
        switch code {
        case CURLE_OK: return nil
        case CURLE_FILESIZE_EXCEEDED:
            return .download(.permanent, .tooLarge(limit: request.maximumByteCount))
        default: break
        }
        // "407 login needed" says more than that there is no tunnel.
        let status = easy.proxyStatus
        if status >= 400 { return .download(HTTPStatusRule.kind(of: status), .httpStatus(status)) }
        return CurlFailure.error(code: Int(code.rawValue), osError: easy.osError)
    }

    /// Ends the transfer.
    ///
    /// A good one without a body still owes its head.
    func finish(_ error: ImageLoadingError?) {
        if error == nil { sendHead() }
        onEvent(.finished(error))
    }

    /// Only once: trailers come through the same callback.
    private func sendHead() {
        guard !isHeadSent, let head = reader.head else { return }
        isHeadSent = true
        onEvent(.head(head))
    }
}
