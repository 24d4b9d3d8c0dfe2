internal import CCurl
internal import Glibc

/// Converts libcurl's error codes to engine errors.
enum CurlFailure {
    /// Returns the error for a libcurl code; `osError` is the `errno` of a failed connection.
    static func error(
        code number: Int,
        osError: Int32 = 0,
        requestCount: Int = 1
    ) -> ImageLoadingError {
        let code = CURLcode(rawValue: UInt32(truncatingIfNeeded: number))
        let (kind, text) = meaning(of: code, osError: osError)
        let failure = TransferFailure(
            kind,
            text: text,
            curlCode: Int(code.rawValue),
            requestCount: max(1, requestCount)
        )
        return .download(.transport(failure))
    }

    static func error(
        _ code: CURLcode,
        osError: Int32 = 0,
        requestCount: Int = 1
    ) -> ImageLoadingError {
        error(code: Int(code.rawValue), osError: osError, requestCount: requestCount)
    }

    /// The CURLE_TOO_LARGE code, which libcurl's headers before version 8.6 do not define.
    static let tooLarge = CURLcode(rawValue: 100)

    private typealias Meaning = (kind: TransferFailure.Kind, text: String?)

    private static func meaning(of code: CURLcode, osError: Int32) -> Meaning {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_CONNECT:
            connectionMeaning(of: code, osError: osError)
        case CURLE_COULDNT_RESOLVE_PROXY: (.proxyNotFound, nil)
        case CURLE_OPERATION_TIMEDOUT: (.timedOut, nil)
        // The scheme has already been checked, so the response does not start like HTTP.
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY: (.notHTTP, nil)
        case CURLE_URL_MALFORMAT: (.badURL, nil)
        case CURLE_TOO_MANY_REDIRECTS: (.tooManyRedirects, nil)
        case CURLE_BAD_CONTENT_ENCODING: (.badEncoding, nil)
        case CURLE_FILESIZE_EXCEEDED: (.tooLarge, nil)
        case CURLE_OUT_OF_MEMORY: (.noResources, nil)
        default: lostConnection(code) ?? tlsFailure(code) ?? (.other, nil)
        }
    }

    private static func connectionMeaning(of code: CURLcode, osError: Int32) -> Meaning {
        switch osError {
        case ENETUNREACH, ENETDOWN: (.noNetwork, nil)
        case _ where code == CURLE_COULDNT_RESOLVE_HOST: (.hostNotFound, nil)
        case EHOSTUNREACH: (.noConnection, "host unreachable")
        case ETIMEDOUT: (.noConnection, "timed out")
        default: (.noConnection, nil)
        }
    }

    /// Returns the meaning of a code for a broken connection, or nil for any other code.
    ///
    /// After a broken connection, a retry usually succeeds.
    private static func lostConnection(_ code: CURLcode) -> Meaning? {
        switch code {
        case CURLE_PARTIAL_FILE: (.connectionLost, "connection closed too early")
        case CURLE_GOT_NOTHING: (.connectionLost, "empty response")
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR: (.connectionLost, nil)
        case CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3, CURLE_QUIC_CONNECT_ERROR:
            (.connectionLost, "HTTP stream broken")
        default: nil
        }
    }

    private static func tlsFailure(_ code: CURLcode) -> Meaning? {
        switch code {
        case CURLE_PEER_FAILED_VERIFICATION: (.insecure, "TLS certificate not trusted")
        case CURLE_SSL_CERTPROBLEM: (.insecure, "TLS client certificate unusable")
        case CURLE_SSL_CACERT_BADFILE: (.insecure, "TLS certificate file unreadable")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED,
            CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_CIPHER, CURLE_SSL_SHUTDOWN_FAILED,
            CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS:
            (.insecure, nil)
        default: nil
        }
    }
}
