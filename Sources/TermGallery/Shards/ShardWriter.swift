import Feeds
import GalleryCore
import Glibc
import ImageLoading
import SystemSupport

/// The reason why a tar file could not be written.
struct ShardFailure: Error, Equatable, CustomStringConvertible {
    let description: String

    init(path: String, _ reason: String) {
        description = "\(FileText.shown(path)): \(reason)"
    }

    /// Creates a failure from the error of the last system call.
    init(path: String) {
        self.init(path: path, String(cString: strerror(errno)))
    }
}

/// Writes samples to a single tar file or to numbered tar files in a directory.
///
/// A tar file gets its name only once it is complete and on disk. Until then, it has no name if the
/// file system supports unnamed files (O_TMPFILE on Linux), or otherwise a name that begins with a
/// dot. The methods block; call them on the main thread of a command.
struct ShardWriter: Sendable {
    private enum Place {
        case file(path: String)
        case folder(path: String, size: Int, next: Int)
    }

    /// A numbered tar file.
    struct Shard {
        let path: String
        let name: String
    }

    private var place: Place
    /// The last tar file from earlier runs, or nil if the directory contained no tar files.
    private(set) var lastShard: Shard?
    private var file: UnnamedFile?
    private var buffer: [UInt8] = []
    private(set) var count = 0

    /// Creates a writer for a single tar file.
    ///
    /// An existing file with the same name is replaced.
    init(file path: String) {
        place = .file(path: path)
    }

    /// Creates a writer for numbered tar files: 00000.tar, 00001.tar and so on.
    ///
    /// If `isResumed` is true, numbering continues after the existing tar files.
    init(folder path: String, size: Int, isResumed: Bool) throws(ShardFailure) {
        guard mkdir(FileText.path(path), 0o777) == 0 || errno == EEXIST else {
            throw ShardFailure(path: path)
        }
        let names: [String]
        do { names = try FolderNames.of(path) } catch {
            throw ShardFailure(path: path, error.text)
        }
        var next = 0
        for name in names {
            guard name.hasSuffix(".tar"), let number = Int(name.dropLast(4)), number >= 0,
                number < Int.max
            else { continue }
            guard isResumed else {
                throw ShardFailure(
                    path: path,
                    "already contains tars; use --resume to continue after them"
                )
            }
            next = max(next, number + 1)
        }
        place = .folder(path: path, size: size, next: next)
        guard next > 0 else { return }
        let name = Self.name(ofNumber: next - 1)
        lastShard = Shard(path: "\(path)/\(name)", name: name)
    }

    /// Whether the report about a sample must wait until the tar file with the sample is complete.
    ///
    /// Waiting guarantees that every reported sample is on disk.
    var holdsReports: Bool {
        switch place {
        case .file: false
        case .folder: true
        }
    }

    /// Whether the open tar file contains the requested number of samples.
    var isFull: Bool {
        switch place {
        case .file: false
        case .folder(_, let size, _): count >= size
        }
    }

    /// Writes the image and the description of a sample, and returns the name of the tar file.
    mutating func add(_ sample: Sample) throws(ShardFailure) -> String {
        if file == nil { file = try UnnamedFile(for: path) }
        TarMember.append(sample.picture, named: "\(sample.key).\(sample.suffix)", to: &buffer)
        TarMember.append(sample.facts, named: "\(sample.key).json", to: &buffer)
        count += 1
        if buffer.count >= 1 << 20 { try flush() }
        return name
    }

    /// Completes the open tar file, waits until it is on disk, and names it.
    ///
    /// A single tar file is written even if there are no samples. A numbered tar file is never
    /// empty.
    mutating func commit() throws(ShardFailure) {
        if case .file = place, file == nil { file = try UnnamedFile(for: path) }
        guard let open = file else { return }
        buffer += TarMember.end
        try flush()
        try open.publish()
        (file, count) = (nil, 0)
        if case .folder(let path, let size, let next) = place {
            place = .folder(path: path, size: size, next: next + 1)
        }
    }

    /// Discards the open tar file.
    mutating func abort() {
        file?.discard()
        (file, count, buffer) = (nil, 0, [])
    }

    private mutating func flush() throws(ShardFailure) {
        defer { buffer.removeAll(keepingCapacity: true) }
        guard let file, !OutputBytes.write(buffer, to: file.descriptor) else { return }
        let failure = ShardFailure(path: path)
        abort()
        throw failure
    }

    private var path: String {
        switch place {
        case .file(let path): path
        case .folder(let path, _, _): "\(path)/\(name)"
        }
    }

    private var name: String {
        switch place {
        case .file(let path): return AbsolutePath.name(of: path)
        case .folder(_, _, let next): return Self.name(ofNumber: next)
        }
    }

    static func name(ofNumber number: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, 5 - digits.count)) + digits + ".tar"
    }
}

/// A file that gets its name only once it is complete.
struct UnnamedFile: Sendable {
    let descriptor: Int32
    private let path: String
    private let folder: String
    /// The temporary path, or nil if the file is unnamed.
    private let temporaryPath: String?

    /// The value of the `O_TMPFILE` macro, which combines two flags.
    private static let withoutName = 0o20_000_000 | O_DIRECTORY

    init(for path: String) throws(ShardFailure) {
        self.path = path
        folder = AbsolutePath.directory(of: path)
        let unnamed = open(FileText.path(folder), Self.withoutName | O_WRONLY | O_CLOEXEC, 0o666)
        guard unnamed < 0 else {
            (descriptor, temporaryPath) = (unnamed, nil)
            return
        }
        let temporary = "\(folder)/.\(getpid()).part"
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
        descriptor = open(FileText.path(temporary), flags, 0o666)
        temporaryPath = temporary
        guard descriptor >= 0 else { throw ShardFailure(path: path) }
    }

    /// Waits until the file is on disk, and names it.
    ///
    /// An existing file with the same name is replaced.
    func publish() throws(ShardFailure) {
        var named = temporaryPath
        guard fsync(descriptor) == 0 else { throw failed(named) }
        if named == nil {
            let temporary = "\(folder)/.\(getpid()).part"
            unlink(FileText.path(temporary))
            let source = "/proc/self/fd/\(descriptor)"
            guard
                linkat(
                    AT_FDCWD,
                    source,
                    AT_FDCWD,
                    FileText.path(temporary),
                    AT_SYMLINK_FOLLOW
                ) == 0
            else {
                throw failed(nil)
            }
            named = temporary
        }
        // Some file systems report a full disk only in this call. The descriptor is closed in
        // either case.
        guard close(descriptor) == 0, let named,
            rename(FileText.path(named), FileText.path(path)) == 0
        else {
            let failure = ShardFailure(path: path)
            if let named { unlink(FileText.path(named)) }
            throw failure
        }
        let directory = open(FileText.path(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
    }

    func discard() {
        close(descriptor)
        if let temporaryPath { unlink(FileText.path(temporaryPath)) }
    }

    private func failed(_ named: String?) -> ShardFailure {
        let failure = ShardFailure(path: path)
        close(descriptor)
        if let named { unlink(FileText.path(named)) }
        return failure
    }
}
