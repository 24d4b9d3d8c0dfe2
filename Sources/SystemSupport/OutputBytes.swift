internal import Glibc

/// Writes to a descriptor without the C library's buffer, so the reader of a pipe receives each
/// line immediately.
package enum OutputBytes {
    /// Writes all bytes; returns false if writing fails, for example because the reader has closed
    /// the pipe.
    package static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 {
                rest = rest.dropFirst(written)
            } else if !isWorthAnotherTry(descriptor) {
                return false
            }
        }
        return true
    }

    /// Returns whether to retry after a failed write.
    ///
    /// If another program has made the terminal or pipe nonblocking, this method waits until the
    /// descriptor is writable.
    private static func isWorthAnotherTry(_ descriptor: Int32) -> Bool {
        switch errno {
        case EINTR: return true
        case EAGAIN:
            var writable = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            return poll(&writable, 1, -1) >= 0 || errno == EINTR
        default: return false
        }
    }
}
