internal import Glibc

/// The files of a disk cache.
///
/// Blocks; no state but the path.
///
///     CACHEDIR.TAG                              keeps backups out (row C32)
///     c7529f60e5cf8d1f19442a9a57f22e5a.jpg      a body, byte for byte (rows C7, C9)
///     tmp-4711-15                               a body being written: process, number
///
/// Touches nothing that has another form of name, follows no symbolic link, never leaves the
/// directory.
struct CacheDirectory: Sendable {
    /// Something of ours in the directory.
    enum Item: Hashable, Sendable {
        case body(CacheFileName)
        case temporary(String)

        init?(name: String) {
            if let body = CacheFileName(parsing: name) {
                self = .body(body)
            } else if name.hasPrefix(CacheDirectory.temporaryPrefix),
                name.utf8.allSatisfy({ ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "-") })
            {
                self = .temporary(name)
            } else {
                return nil
            }
        }

        var name: String {
            switch self {
            case .body(let name): name.description
            case .temporary(let name): name
            }
        }
    }

    /// `UTIME_OMIT`, a macro that does not come through: leave this time as it is.
    private var omitTime: Int { (1 << 30) - 2 }

    static let temporaryPrefix = "tmp-"

    let path: String
    var calls = FileCalls()

    func path(of item: Item) -> String { "\(path)/\(item.name)" }

    /// A body and the facts of its file.
    func read(
        _ name: CacheFileName,
        maximumByteCount: Int
    ) throws(FileReading.Problem) -> (bytes: [UInt8], facts: FileFacts) {
        try FileReading.contents(
            of: path(of: .body(name)),
            maximumByteCount: maximumByteCount,
            followsLinks: false
        )
    }

    func facts(of item: Item) throws(FileFailure) -> FileFacts {
        try FileFacts.of(path(of: item))
    }

    /// Notes that a file was used (flaw F11: without it the eviction order is the order of
    /// writing).
    ///
    /// Setting other dates does nothing on Linux (fact P3). Best effort.
    func touch(_ name: CacheFileName, at time: Int) {
        var times = [timespec(), timespec()]
        times[0].tv_nsec = omitTime
        times[1].tv_sec = time
        utimensat(AT_FDCWD, path(of: .body(name)), &times, AT_SYMLINK_NOFOLLOW)
    }

    /// Deletes a file; whether there was one.
    func remove(_ item: Item) throws(FileFailure) -> Bool {
        try calls.remove(path(of: item))
    }

    /// The names of all files of ours; none if there is no directory.
    func items() -> [Item] {
        guard let stream = opendir(path) else { return [] }
        defer { closedir(stream) }
        var result: [Item] = []
        while let entry = readdir(stream) {
            if let item = Item(name: Self.name(of: entry)) { result.append(item) }
        }
        return result
    }

    /// An entry is only as long as its name, so `d_name` must not be copied with its 256 bytes.
    private static func name(of entry: UnsafeMutablePointer<dirent>) -> String {
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return "" }
        let start = UnsafeRawPointer(entry).advanced(by: offset)
        return String(cString: start.assumingMemoryBound(to: CChar.self))
    }
}
