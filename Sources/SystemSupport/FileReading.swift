package import Glibc

/// An error from a file operation.
package struct FileFailure: Error, Hashable, Sendable {
    /// The name of the failed operation, for example "open" or "write".
    package let operation: String
    /// The system's error number (`errno`), or -1 for `sharedDirectory`.
    package let code: Int32

    /// Creates a failure of `operation` with an error number; `operation` is for developers.
    package init(operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    /// Returns an error with the calling thread's current `errno`.
    package static func last(_ operation: String) -> FileFailure {
        FileFailure(operation: operation, code: errno)
    }

    /// The error for a directory that belongs to another user or is writable by everyone.
    package static let sharedDirectory = FileFailure(operation: "open", code: -1)

    /// Whether the operation failed because the file does not exist.
    package var isMissing: Bool { code == ENOENT }

    /// The system's error message, such as "No space left on device".
    package var text: String {
        guard self != .sharedDirectory else {
            return "other users can write to it; run chmod 700 on it"
        }
        return String(cString: strerror(code))
    }
}

/// The file properties that can be read without opening the file.
package struct FileStatus: Hashable, Sendable {
    package let isRegular: Bool
    /// The ID of the user who owns the file.
    package let owner: uid_t
    /// The length of the file in bytes.
    package let byteCount: Int
    /// The number of bytes allocated on the disk, `st_blocks * 512`.
    ///
    /// Budgets and statistics use only this size, because even a one-byte file takes a whole block.
    package let allocatedByteCount: Int
    /// The modification time in seconds since 1970; the disk cache sets it when it uses an entry.
    package let modified: Int

    package init(_ status: stat) {
        isRegular = status.st_mode & S_IFMT == S_IFREG
        owner = status.st_uid
        byteCount = Int(status.st_size)
        allocatedByteCount = Int(status.st_blocks) * 512
        modified = Int(status.st_mtim.tv_sec)
    }

    /// Returns the properties of an open file.
    package static func of(_ file: Int32) throws(FileFailure) -> FileStatus {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .last("fstat") }
        return FileStatus(status)
    }

    /// Returns the properties of the file at a path; does not follow a symbolic link.
    package static func of(_ path: String) throws(FileFailure) -> FileStatus {
        var status = stat()
        guard lstat(FileText.path(path), &status) == 0 else { throw .last("lstat") }
        return FileStatus(status)
    }
}

/// Reads files completely or partially.
///
/// All methods block, so call them only on the engine's own threads.
package enum FileReading {
    /// The reason why a file was not read.
    package enum Problem: Error, Hashable {
        case failure(FileFailure)
        /// The file is a directory, pipe, socket or device.
        case notRegular
        /// The file is larger than allowed, or its size does not match its record.
        case unexpectedSize
    }

    /// Returns the whole content and the properties of a file.
    ///
    /// If the path is a named pipe, the call does not wait for a writer (`O_NONBLOCK`).
    package static func contents(
        of path: String,
        maximumByteCount: Int,
        followsLinks: Bool
    ) throws(Problem) -> (bytes: [UInt8], facts: FileStatus) {
        try withFile(at: path, followsLinks: followsLinks) { file, facts throws(Problem) in
            (try contents(of: file, facts, maximumByteCount: maximumByteCount), facts)
        }
    }

    /// Opens a regular file for reading, passes it to `body`, and closes it afterward.
    package static func withFile<Result>(
        at path: String,
        followsLinks: Bool,
        _ body: (Int32, FileStatus) throws(Problem) -> Result
    ) throws(Problem) -> Result {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (followsLinks ? 0 : O_NOFOLLOW)
        let name = FileText.path(path)
        let file = retryingOnInterrupt { open(name, flags) }
        guard file >= 0 else { throw .failure(.last("open")) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .failure(.last("fstat")) }
        let facts = FileStatus(status)
        guard facts.isRegular else { throw .notRegular }
        return try body(file, facts)
    }

    /// Returns the whole content of an open file; throws an error if the file is larger than
    /// `maximumByteCount`.
    package static func contents(
        of file: Int32,
        _ facts: FileStatus,
        maximumByteCount: Int
    ) throws(Problem) -> [UInt8] {
        guard facts.byteCount <= maximumByteCount else { throw .unexpectedSize }
        return try read(file, count: facts.byteCount)
    }

    /// Returns the next `count` bytes of the file, or fewer if the file ends earlier.
    package static func read(_ file: Int32, count: Int) throws(Problem) -> [UInt8] {
        try fill(count, "read") { target, _ in Glibc.read(file, target.baseAddress, target.count) }
    }

    /// Returns up to `count` bytes at an offset, regardless of the current file position.
    package static func read(
        _ file: Int32,
        at offset: Int,
        count: Int
    ) throws(Problem) -> [UInt8] {
        try fill(count, "pread") { target, filled in
            pread(file, target.baseAddress, target.count, off_t(offset + filled))
        }
    }

    /// Calls `call` until `count` bytes have been read or the file ends.
    ///
    /// `filled` is the number of bytes that have already been read.
    private static func fill(
        _ count: Int,
        _ operation: String,
        _ call: (_ target: UnsafeMutableRawBufferPointer, _ filled: Int) -> Int
    ) throws(Problem) -> [UInt8] {
        // An array with a capacity of 0 has no storage of its own. It would write its length to the
        // process's shared empty array, which ThreadSanitizer reports as a race.
        guard count > 0 else { return [] }
        var failure: FileFailure?
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let target = UnsafeMutableRawBufferPointer(
                    UnsafeMutableBufferPointer(rebasing: buffer[filled...])
                )
                let step = retryingOnInterrupt { call(target, filled) }
                if step < 0 { failure = .last(operation) }
                guard step > 0 else { return }
                filled += step
            }
        }
        if let failure { throw .failure(failure) }
        return bytes
    }
}

/// Repeats a system call while a signal interrupts it.
package func retryingOnInterrupt<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        guard result == -1, errno == EINTR else { return result }
    }
}
