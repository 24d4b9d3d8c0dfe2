import Glibc

/// Writes to a descriptor at once, without the C library's buffer: whoever reads a pipe sees each
/// line when it is made.
enum OutputBytes {
    /// Writes everything; false if the other end is gone.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
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

    /// After a failed write.
    ///
    /// A terminal or pipe that another program made non-blocking has to be waited for.
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
