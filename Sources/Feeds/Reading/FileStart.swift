package import Glibc
internal import ImageLoading
package import SystemSupport

/// The start of a file, up to a requested number of bytes, and the status of the file.
package struct FileStart: Sendable {
    package let bytes: [UInt8]
    package let status: stat

    /// Reads up to `count` bytes of a regular file; reading a pipe could block forever.
    package init(of path: String, count: Int) throws(FileReading.Problem) {
        (bytes, status) = try FileReading.withFile(at: path, followsLinks: true) {
            file,
            _ throws(FileReading.Problem) in
            var status = stat()
            fstat(file, &status)
            // Memory for `count` bytes may be far more than the file needs. Files in /proc have the
            // size 0.
            let size = Int(status.st_size)
            return (try FileReading.read(file, count: size > 0 ? min(count, size) : count), status)
        }
    }
}

/// The identity and version of a file: its device, inode, length and modification time.
///
/// These values identify the content of the file without reading it: they differ for older content
/// and for other files.
package struct FileStamp: Hashable, Sendable {
    private let byteCount: Int
    /// The time of the last write, in nanoseconds since 1970.
    package let modified: Int
    private let device: UInt64
    private let inode: UInt64

    package init(_ status: stat) {
        byteCount = Int(status.st_size)
        modified = Int(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int(status.st_mtim.tv_nsec)
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }
}
