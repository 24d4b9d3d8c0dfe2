internal import Glibc
internal import SystemSupport

/// An empty file whose byte offsets serve as locks between processes.
///
/// Each offset is a separate lock. The offset need not exist in the file, so there are no lock
/// files to clean up. The locks belong to the open file (`F_OFD_SETLK`, Linux 3.15), so two
/// `LockFile`s exclude each other even in one process, and the kernel releases the locks when the
/// process ends for any reason. Locks taken through the same `LockFile` do not exclude each other.
/// Only one thread at a time may use an instance. Callers use a dedicated thread, because a network
/// file system may be slow.
final class LockFile: Sendable {
    static let name = "leases.lock"
    /// The offset that is locked while files are deleted to enforce the size limit; no key uses it.
    static let sweepOffset = 1 << 62

    enum Outcome: Hashable, Sendable {
        case taken
        /// Held by another process, or by another `LockFile` on the same file.
        case heldElsewhere
        /// The directory does not exist, access is denied, or the file system does not support
        /// locks.
        case impossible
    }

    private struct State {
        var file: Int32 = -1
        var held: Set<Int> = []
    }

    private let directory: CacheDirectory
    private let state = Protected(State())

    init(directory: CacheDirectory) {
        self.directory = directory
    }

    deinit {
        let file = state.withLock(\.file)
        if file >= 0 { close(file) }
    }

    /// Tries to take a lock without waiting for it.
    ///
    /// Creates the file if it does not exist. If `makesDirectory` is true, its directory is created
    /// too.
    func tryLock(_ offset: Int, makesDirectory: Bool) -> Outcome {
        guard let file = openFile(makesDirectory: makesDirectory) else { return .impossible }
        guard set(F_WRLCK, at: offset, of: file) else {
            return errno == EAGAIN || errno == EACCES ? .heldElsewhere : .impossible
        }
        state.withLock { _ = $0.held.insert(offset) }
        return .taken
    }

    func unlock(_ offset: Int) {
        let file = state.withLock { state in
            state.held.remove(offset)
            return state.file
        }
        _ = set(F_UNLCK, at: offset, of: file)
    }

    private func set(_ kind: Int32, at offset: Int, of file: Int32) -> Bool {
        let setLock: Int32 = 37  // F_OFD_SETLK, a macro that Swift does not import
        var lock = flock()
        lock.l_type = Int16(kind)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = offset
        lock.l_len = 1
        return retryingOnInterrupt { fcntl(file, setLock, &lock) } == 0
    }

    private func openFile(makesDirectory: Bool) -> Int32? {
        let (file, isInUse) = state.withLock { ($0.file, !$0.held.isEmpty) }
        if file >= 0 {
            if isInUse || isStillThere(file) { return file }
            // The file was deleted together with its directory, so other processes would lock a
            // different file.
            close(file)
        }
        var opened = create()
        if opened < 0, errno == ENOENT, makesDirectory {
            directory.make()
            opened = create()
        }
        let result = opened
        state.withLock { $0.file = result }
        return result >= 0 ? result : nil
    }

    private func create() -> Int32 {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        let path = FileText.path("\(directory.path)/\(Self.name)")
        return retryingOnInterrupt { open(path, flags, 0o600) }
    }

    private func isStillThere(_ file: Int32) -> Bool {
        var status = stat()
        return fstat(file, &status) == 0 && status.st_nlink > 0
    }
}
