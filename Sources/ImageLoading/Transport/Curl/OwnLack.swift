internal import CCurl
internal import Glibc

/// What the process itself lacked when a transfer failed, which libcurl blames on the server.
struct OwnLack: Hashable, Sendable {
    /// For a line of a log.
    let text: String

    /// Nil if nothing of our own was missing, as far as can be told.
    ///
    /// `missingSocket` is the errno of a socket that was not to be had. A look-up, a library or the
    /// certificates' file that lack a descriptor don't say so: those ask for one.
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
