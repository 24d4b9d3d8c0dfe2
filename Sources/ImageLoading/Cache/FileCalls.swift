internal import CLinux
internal import Glibc

/// The calls that change files: a door at which tests put a full disk or a read-only one.
struct FileCalls: Sendable {
    /// Makes a file that must not exist yet; returns its descriptor.
    var create: @Sendable (_ path: String) throws(FileFailure) -> Int32 = {
        path throws(FileFailure) in
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        let file = retryingOnInterrupt { open(path, flags, 0o600) }
        guard file >= 0 else { throw .last("create") }
        return file
    }

    /// Writes some of the bytes; returns how many.
    var write: @Sendable (Int32, UnsafeRawBufferPointer) throws(FileFailure) -> Int = {
        file,
        bytes throws(FileFailure) in
        let count = retryingOnInterrupt { Glibc.write(file, bytes.baseAddress, bytes.count) }
        guard count >= 0 else { throw .last("write") }
        return count
    }

    /// Sets the extended attribute that holds an entry's record.
    var setAttribute: @Sendable (Int32, _ record: [UInt8]) throws(FileFailure) -> Void = {
        file,
        record throws(FileFailure) in
        guard fsetxattr(file, FileAttribute.name, record, record.count, 0) == 0 else {
            throw .last("fsetxattr")
        }
    }

    /// Has the system write a file, or a directory's names, to the disk itself.
    var synchronise: @Sendable (Int32) throws(FileFailure) -> Void = { file throws(FileFailure) in
        guard retryingOnInterrupt({ fsync(file) }) == 0 else { throw .last("fsync") }
    }

    /// Gives a file its final name, in place of an older one.
    var rename: @Sendable (_ from: String, _ to: String) throws(FileFailure) -> Void = {
        from,
        to throws(FileFailure) in
        guard Glibc.rename(from, to) == 0 else { throw .last("rename") }
    }

    /// Deletes a file; whether there was one.
    var remove: @Sendable (_ path: String) throws(FileFailure) -> Bool = {
        path throws(FileFailure) in
        if unlink(path) == 0 { return true }
        guard errno == ENOENT else { throw .last("unlink") }
        return false
    }
}

/// Repeats a system call that a signal interrupted.
func retryingOnInterrupt<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        guard result == -1, errno == EINTR else { return result }
    }
}
