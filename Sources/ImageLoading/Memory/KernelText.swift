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
        // It has no size that could be asked for.
        let bytes = try? FileReading.withFile(at: path, followsLinks: true) {
            (file, _) throws(FileReading.Problem) in
            try FileReading.read(file, count: maximumByteCount)
        }
        return bytes.flatMap { String(validating: $0, as: UTF8.self) }
    }
}
