import Glibc

/// Writes bytes to the terminal without waiting for it.
///
/// Lives on the UI thread. What the terminal doesn't take at once waits here, and nothing else is
/// written before: whoever paints asks `isIdle` first, so that a slow terminal gets the newest frame
/// and never a queue of old ones.
final class TerminalOutput {
    /// Where it writes; to be waited for while there is something pending.
    let descriptor: Int32
    private var pending: [UInt8] = []
    private var start = 0

    /// The descriptor is not owned.
    ///
    /// Where it blocks, writing waits.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Whether everything was written.
    var isIdle: Bool { start == pending.count }

    /// Writes as much as the terminal takes, and keeps the rest for `flush`.
    ///
    /// False if the terminal is gone; then it is unknown what the screen shows.
    func write(_ bytes: ArraySlice<UInt8>) -> Bool {
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

    /// Goes on with what waits; false if the terminal is gone.
    func flush() -> Bool {
        guard let count = writeOnce(pending[start...]) else { return false }
        start += count
        if isIdle { discard() }
        return true
    }

    /// Forgets what waits: a sequence may have been cut short.
    func discard() {
        pending = []
        start = 0
    }

    /// Writes until the terminal takes no more; how many bytes that were, nil if it is gone.
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
