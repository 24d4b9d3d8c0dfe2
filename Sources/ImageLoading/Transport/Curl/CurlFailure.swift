internal import CCurl
internal import Glibc

/// What libcurl's codes mean to us: the table that decides on retries and on how long a failure is
/// remembered (table 1.12).
enum CurlFailure {
    /// The error for a code of libcurl and, for a connection that failed, the `errno` behind it.
    static func error(code number: Int, osError: Int32 = 0) -> ImageLoadingError {
        let code = CURLcode(rawValue: UInt32(truncatingIfNeeded: number))
        let isOffline = [ENETUNREACH, ENETDOWN].contains(osError)
        if isOffline, code == CURLE_COULDNT_RESOLVE_HOST || code == CURLE_COULDNT_CONNECT {
            return error(code, .offline, "no network")
        }
        let (kind, text) = meaning(of: code, osError: osError)
        return error(code, kind, text)
    }

    /// CURLE_TOO_LARGE, which headers before 8.6 lack.
    static let tooLarge = CURLcode(rawValue: 100)

    static let tooManyRedirects = error(code: Int(CURLE_TOO_MANY_REDIRECTS.rawValue))
    static let notAURL = error(code: Int(CURLE_URL_MALFORMAT.rawValue))
    static let schemeNotAllowed = error(
        CURLE_UNSUPPORTED_PROTOCOL,
        .permanent,
        "scheme not allowed"
    )
    static let headTooLarge = error(CURLE_WRITE_ERROR, .permanent, "response head too large")
    static let badRedirect = error(CURLE_URL_MALFORMAT, .permanent, "redirect to what is no URL")
    static let redirectLeavesTLS = error(
        CURLE_UNSUPPORTED_PROTOCOL,
        .permanent,
        "redirect from https to http"
    )

    private static func error(
        _ code: CURLcode,
        _ kind: ImageLoadingError.Class,
        _ text: String
    ) -> ImageLoadingError {
        .download(kind, .transport(code: Int(code.rawValue), text: text))
    }

    private static func meaning(
        of code: CURLcode,
        osError: Int32
    ) -> (ImageLoadingError.Class, String) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: (.transient, "no such host")
        case CURLE_COULDNT_RESOLVE_PROXY: (.transient, "no such proxy")
        case CURLE_COULDNT_CONNECT: (.transient, connectText(osError))
        case CURLE_OPERATION_TIMEDOUT: (.transient, "timed out")
        // The scheme has been checked before; what is left is an answer that begins like none.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
            (.permanent, "not an HTTP answer")
        case CURLE_URL_MALFORMAT: (.permanent, "not a URL")
        case CURLE_TOO_MANY_REDIRECTS: (.permanent, "too many redirects")
        case CURLE_BAD_CONTENT_ENCODING: (.permanent, "body can't be unpacked")
        case CURLE_FILESIZE_EXCEEDED: (.permanent, "too large")
        default: lostConnection(code) ?? tlsFailure(code) ?? (.permanent, "transfer failed")
        }
    }

    private static func connectText(_ osError: Int32) -> String {
        switch osError {
        case EHOSTUNREACH: "host unreachable"
        case ETIMEDOUT: "timed out"
        default: "connection refused"
        }
    }

    /// The connection was there and went away; asking again usually works.
    private static func lostConnection(_ code: CURLcode) -> (ImageLoadingError.Class, String)? {
        switch code {
        case CURLE_PARTIAL_FILE: (.transient, "connection closed too early")
        case CURLE_GOT_NOTHING: (.transient, "empty answer")
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR: (.transient, "connection lost")
        case CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3, CURLE_QUIC_CONNECT_ERROR:
            (.transient, "HTTP stream broken")
        case CURLE_OUT_OF_MEMORY: (.transient, "out of memory")
        default: nil
        }
    }

    private static func tlsFailure(_ code: CURLcode) -> (ImageLoadingError.Class, String)? {
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION: (.permanent, "TLS certificate not trusted")
        case CURLE_SSL_CERTPROBLEM: (.permanent, "TLS client certificate unusable")
        case CURLE_SSL_CACERT_BADFILE: (.permanent, "TLS certificate file unreadable")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
            CURLE_SSL_ENGINE_INITFAILED,
            CURLE_SSL_CIPHER, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS:
            (.permanent, "TLS handshake failed")
        default: nil
        }
    }
}
