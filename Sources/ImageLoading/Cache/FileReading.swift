internal import Glibc

/// What is known of a file without reading it.
struct FileFacts: Hashable, Sendable {
    /// What kind of thing it is.
    let isRegular: Bool
    /// Bytes of content.
    let byteCount: Int
    /// Bytes on the disk, `st_blocks * 512`: the only size budgets and statistics know (fact P2,
    /// flaw F20).
    let allocatedByteCount: Int
    /// Seconds since 1970: the last write, or the last use as far as it is noted (flaw F11).
    let modified: Int

    init(_ status: stat) {
        isRegular = status.st_mode & S_IFMT == S_IFREG
        byteCount = Int(status.st_size)
        allocatedByteCount = Int(status.st_blocks) * 512
        modified = Int(status.st_mtim.tv_sec)
    }

    /// Looks at a name, not at what a symbolic link there points to.
    static func of(_ path: String) throws(FileFailure) -> FileFacts {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .last("lstat") }
        return FileFacts(status)
    }
}

/// Reads whole files.
///
/// Blocks; for threads of our own.
enum FileReading {
    enum Problem: Error, Hashable {
        case failure(FileFailure)
        /// A directory, pipe, socket or device.
        case notRegular
        /// Larger than allowed, or cut while it was read.
        case unexpectedSize
    }

    /// The whole content and the facts.
    ///
    /// Never waits for a pipe's other end (`O_NONBLOCK`).
    static func contents(
        of path: String,
        maximumByteCount: Int,
        followsLinks: Bool
    ) throws(Problem) -> (bytes: [UInt8], facts: FileFacts) {
        try withFile(at: path, followsLinks: followsLinks) { file, facts throws(Problem) in
            (try contents(of: file, facts, maximumByteCount: maximumByteCount), facts)
        }
    }

    /// Opens a regular file for reading while `body` runs.
    static func withFile<Result>(
        at path: String,
        followsLinks: Bool,
        _ body: (Int32, FileFacts) throws(Problem) -> Result
    ) throws(Problem) -> Result {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
        let file = retryingOnInterrupt { open(path, flags) }
        guard file >= 0 else { throw .failure(.last("open")) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .failure(.last("fstat")) }
        let facts = FileFacts(status)
        guard facts.isRegular else { throw .notRegular }
        return try body(file, facts)
    }

    /// The whole content of an open file.
    static func contents(
        of file: Int32,
        _ facts: FileFacts,
        maximumByteCount: Int
    ) throws(Problem) -> [UInt8] {
        guard facts.byteCount <= maximumByteCount else { throw .unexpectedSize }
        return try read(file, count: facts.byteCount)
    }

    /// Up to `count` bytes; less if the file ends before.
    static func read(_ file: Int32, count: Int) throws(Problem) -> [UInt8] {
        var failure: FileFailure?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let target = UnsafeMutableRawBufferPointer(
                    UnsafeMutableBufferPointer(rebasing: buffer[filled...])
                )
                let step = retryingOnInterrupt {
                    Glibc.read(file, target.baseAddress, target.count)
                }
                if step < 0 { failure = .last("read") }
                guard step > 0 else { return }
                filled += step
            }
        }
        if let failure { throw .failure(failure) }
        return bytes
    }
}
