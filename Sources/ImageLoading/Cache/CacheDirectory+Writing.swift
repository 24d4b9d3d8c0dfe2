internal import Glibc
internal import Synchronization

/// Makes the names of temporary files differ within the process.
private let temporaryNumber = Atomic(0)

extension CacheDirectory {
    /// Writes a body so that its name only ever stands for a whole one (flaw F10): into a temporary
    /// file beside it, which is then renamed.
    ///
    /// Returns the file's facts.
    ///
    /// No `fsync`: it would cost more than the write, and after a crash an empty or damaged file
    /// is a miss. Makes the directory if it isn't there (any more). `time` becomes the file's time
    /// of last use.
    func write(
        _ bytes: [UInt8],
        as name: CacheFileName,
        at time: Int
    ) throws(FileFailure) -> FileFacts {
        let number = temporaryNumber.add(1, ordering: .relaxed).newValue
        let temporary = Item.temporary("\(Self.temporaryPrefix)\(getpid())-\(number)")
        let file = try create(path(of: temporary))
        do {
            let facts = try fill(file, with: bytes, at: time)
            try calls.rename(path(of: temporary), path(of: .body(name)))
            return facts
        } catch {
            // Its failing changes nothing: the scan removes old temporary files.
            _ = try? calls.remove(path(of: temporary))
            throw error
        }
    }

    private func create(_ path: String) throws(FileFailure) -> Int32 {
        do {
            return try calls.create(path)
        } catch  where error.code == ENOENT {
            makeDirectory()
            return try calls.create(path)
        }
    }

    /// Writes everything and closes the file, whatever happens.
    private func fill(
        _ file: Int32,
        with bytes: [UInt8],
        at time: Int
    ) throws(FileFailure) -> FileFacts {
        defer { close(file) }
        var written = 0
        while written < bytes.count {
            let result: Result<Int, FileFailure> = bytes.withUnsafeBytes { buffer in
                let rest = UnsafeRawBufferPointer(rebasing: buffer[written...])
                return Result { () throws(FileFailure) in try calls.write(file, rest) }
            }
            written += try result.get()
        }
        var times = [timespec(tv_sec: time, tv_nsec: 0), timespec(tv_sec: time, tv_nsec: 0)]
        futimens(file, &times)
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .last("fstat") }
        return FileFacts(status)
    }

    /// Makes the directory and those above it, only for the user as XDG wants it, and its tag.
    ///
    /// Failures show at the next attempt to make a file in it.
    private func makeDirectory() {
        let parts = path.split(separator: "/")
        for count in parts.indices.map({ $0 + 1 }) {
            mkdir("/" + parts.prefix(count).joined(separator: "/"), 0o700)
        }
        let text = """
            Signature: 8a477f597d28d172789f06886806bc55
            # Pictures from the network that can be fetched again; see https://bford.info/cachedir/

            """
        guard let file = try? calls.create("\(path)/CACHEDIR.TAG") else { return }
        _ = try? fill(file, with: Array(text.utf8), at: 0)
    }
}
