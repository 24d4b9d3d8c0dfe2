import Glibc

/// Sends bytes to the terminal without waiting for it.
///
/// Use this class on the UI thread only. If the terminal does not accept all bytes immediately, the
/// remaining bytes are kept, and later bytes are written after them. The painters check `isIdle`
/// before painting, so a slow terminal receives the newest frame instead of a queue of old frames.
final class TerminalOutput {
    /// The output descriptor; the caller polls it while bytes are pending.
    package let descriptor: Int32
    private var pending: [UInt8] = []
    private var start = 0

    /// Creates an output that writes to `descriptor` but does not own it.
    ///
    /// If the descriptor is in blocking mode, writing blocks.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Whether all bytes have been written.
    package var isIdle: Bool { start == pending.count }

    /// Writes as many bytes as the terminal accepts, and keeps the rest for `flush`.
    ///
    /// Returns false if the terminal is gone, in which case the content of the screen is unknown.
    package func write(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard isIdle else {
            pending += bytes
            return flush()
        }
        let count = writeOnce(bytes)
        guard let count else { return false }
        pending = Array(bytes.dropFirst(count))
        start = 0
        return true
    }

    /// Writes as many of the pending bytes as the terminal accepts.
    ///
    /// Returns false if the terminal is gone.
    package func flush() -> Bool {
        guard let count = writeOnce(pending[start...]) else { return false }
        start += count
        if isIdle { discard() }
        return true
    }

    /// Discards the pending bytes, which may leave the last control sequence incomplete.
    package func discard() {
        pending = []
        start = 0
    }

    /// Writes bytes until the terminal accepts no more, and returns the number of bytes written, or
    /// nil if the terminal is gone.
    private func writeOnce(_ bytes: ArraySlice<UInt8>) -> Int? {
        bytes.withUnsafeBytes { buffer in
            var rest = UnsafeRawBufferPointer(rebasing: buffer[...])
            while let start = rest.baseAddress, !rest.isEmpty {
                let written = Glibc.write(descriptor, start, rest.count)
                if written > 0 {
                    rest = UnsafeRawBufferPointer(rebasing: rest[written...])
                } else if written < 0, errno == EAGAIN {
                    break
                } else if written < 0, errno != EINTR {
                    return nil
                }
            }
            return buffer.count - rest.count
        }
    }
}
