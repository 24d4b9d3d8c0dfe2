internal import Glibc

/// Small files that the kernel makes as they are read, below `/proc` and `/sys`.
///
/// By plain calls: the first file read through Foundation costs 0.2 ms, and every start reads some.
enum KernelText {
    /// More than any of those that are read here has.
    private static let maximumByteCount = 32 << 10

    /// What a file says; nil without it, which is normal: no control groups, no procfs.
    ///
    /// Blocks as long as the kernel takes to make it, some ten microseconds.
    static func contents(of path: String) -> String? {
        let file = retryingOnInterrupt { open(path, O_RDONLY | O_CLOEXEC) }
        guard file >= 0 else { return nil }
        defer { close(file) }
        return withUnsafeTemporaryAllocation(byteCount: maximumByteCount, alignment: 1) { buffer in
            var filled = 0
            // It has no size that could be asked for, and comes in pieces.
            while filled < buffer.count {
                let count = retryingOnInterrupt {
                    read(file, buffer.baseAddress.map { $0 + filled }, buffer.count - filled)
                }
                guard count >= 0 else { return nil }
                guard count > 0 else { break }
                filled += count
            }
            return String(validating: buffer.prefix(filled), as: UTF8.self)
        }
    }
}
