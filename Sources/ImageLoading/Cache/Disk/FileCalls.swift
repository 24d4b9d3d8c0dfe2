internal import CLinux
internal import Glibc
internal import SystemSupport

/// The system calls of the disk cache.
///
/// Tests replace them to simulate a full or read-only disk. Paths are strings in the encoding of
/// `FileText`.
struct FileCalls: Sendable {
    /// The ID of the user whose files are trusted.
    var user = geteuid()

    /// Throws an error if a directory is owned by neither this user nor root, or is writable by
    /// everyone.
    ///
    /// A missing directory is accepted, because this process will create it with access restricted
    /// to this user.
    var admit: @Sendable (_ directory: String) throws(FileFailure) -> Void = {
        path throws(FileFailure) in
        var status = stat()
        guard stat(FileText.path(path), &status) == 0 else {
            guard errno != ENOENT else { return }
            throw .last("stat")
        }
        let isOurs = status.st_uid == geteuid() || status.st_uid == 0
        guard isOurs, status.st_mode & S_IWOTH == 0 else { throw .sharedDirectory }
    }

    /// Returns the names of the files in a directory.
    var list: @Sendable (_ directory: String) throws(FileFailure) -> [String] = {
        path throws(FileFailure) in
        try FolderNames.of(path)
    }

    /// Creates a file and returns its descriptor; fails if the file exists.
    var create: @Sendable (_ path: String) throws(FileFailure) -> Int32 = {
        path throws(FileFailure) in
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let name = FileText.path(path)
        let file = retryingOnInterrupt { open(name, flags, 0o600) }
        guard file >= 0 else { throw .last("create") }
        return file
    }

    /// Writes some or all of the bytes and returns the number of bytes written.
    var write: @Sendable (Int32, UnsafeRawBufferPointer) throws(FileFailure) -> Int = {
        file,
        bytes throws(FileFailure) in
        let count = retryingOnInterrupt { Glibc.write(file, bytes.baseAddress, bytes.count) }
        guard count >= 0 else { throw .last("write") }
        return count
    }

    /// Sets the extended attribute that contains an entry's record.
    var setAttribute: @Sendable (Int32, _ record: [UInt8]) throws(FileFailure) -> Void = {
        file,
        record throws(FileFailure) in
        guard fsetxattr(file, FileAttribute.name, record, record.count, 0) == 0 else {
            throw .last("fsetxattr")
        }
    }

    /// Flushes a file or a directory to the disk.
    var synchronize: @Sendable (Int32) throws(FileFailure) -> Void = { file throws(FileFailure) in
        guard retryingOnInterrupt({ fsync(file) }) == 0 else { throw .last("fsync") }
    }

    /// Renames a file, replacing an existing file or empty directory.
    var rename: @Sendable (_ from: String, _ to: String) throws(FileFailure) -> Void = {
        from,
        to throws(FileFailure) in
        let (from, to) = (FileText.path(from), FileText.path(to))
        if Glibc.rename(from, to) == 0 { return }
        // If the target is a directory, it can be removed only if it is empty.
        guard errno == EISDIR, rmdir(to) == 0, Glibc.rename(from, to) == 0 else {
            throw .last("rename")
        }
    }

    /// Deletes a file and returns whether it existed.
    var remove: @Sendable (_ path: String) throws(FileFailure) -> Bool = {
        path throws(FileFailure) in
        if unlink(FileText.path(path)) == 0 { return true }
        guard errno == ENOENT else { throw .last("unlink") }
        return false
    }
}
