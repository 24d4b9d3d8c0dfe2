import Glibc
import ImageLoading

/// The bytes at the start of a file, and what the system says of it.
struct FileStart: Sendable {
    let bytes: [UInt8]
    let status: stat

    /// Reads up to `count` bytes of a regular file; a pipe could be waited for without end.
    init(of path: String, count: Int) throws(FileReading.Problem) {
        (bytes, status) = try FileReading.withFile(at: path, followsLinks: true) {
            file,
            _ throws(FileReading.Problem) in
            var status = stat()
            fstat(file, &status)
            return (try FileReading.read(file, count: count), status)
        }
    }
}

/// What tells a file's content from an earlier one, or another file's, without reading it.
struct FileStamp: Hashable, Sendable {
    private let byteCount: Int
    /// Nanoseconds since 1970 of the last write.
    let modified: Int
    private let device: UInt64
    private let inode: UInt64

    init(_ status: stat) {
        byteCount = Int(status.st_size)
        modified = Int(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(status.st_mtim.tv_nsec)
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }
}
