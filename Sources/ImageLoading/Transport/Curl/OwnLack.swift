internal import CCurl
internal import Glibc

/// An exhausted resource of this process, such as file descriptors, that made a transfer fail.
///
/// libcurl's error code would indicate a failure of the server instead.
struct OwnLack: Hashable, Sendable {
    /// A description for the log.
    let text: String

    /// Creates the description of the exhausted resource; returns nil if no resource is exhausted.
    ///
    /// `missingSocket` is the `errno` of a socket that could not be opened. If no file descriptor
    /// is left, a name lookup, loading a library or reading the certificate file may fail too, but
    /// libcurl does not report that reason. In these cases, a descriptor is opened as a test.
    init?(after code: CURLcode, missingSocket: Int32?) {
        guard let number = missingSocket ?? Self.missingDescriptor(after: code) else { return nil }
        switch number {
        case EMFILE:
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            text = "no file descriptor left: the limit is \(limit.rlim_cur) (ulimit -n)"
        case ENFILE: text = "no file descriptor left in the whole system"
        case ENOBUFS, ENOMEM: text = "no memory left for a connection"
        default: return nil
        }
    }

    private static func missingDescriptor(after code: CURLcode) -> Int32? {
        let codes = [
            CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_COULDNT_CONNECT,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_CONNECT_ERROR, CURLE_OUT_OF_MEMORY,
            CURLE_FAILED_INIT,
        ]
        guard codes.contains(code) else { return nil }
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        guard descriptor < 0 else {
            close(descriptor)
            return nil
        }
        return errno
    }
}
