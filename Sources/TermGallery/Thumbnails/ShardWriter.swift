import GalleryCore
import Glibc
import ImageLoading

/// Why no tar came of it.
struct ShardFailure: Error, Equatable, CustomStringConvertible {
    let description: String

    init(path: String, _ reason: String) {
        description = "\(FileText.shown(path)): \(reason)"
    }

    /// With the last call's error.
    init(path: String) {
        self.init(path: path, String(cString: strerror(errno)))
    }
}

/// Writes samples into one tar, or into numbered ones of a folder.
///
/// A tar has its name only when it is whole and on the disk; until then it has none where the file system
/// can do that (Linux's O_TMPFILE), else one that begins with a dot. Blocks; for the main thread of a
/// command.
struct ShardWriter: Sendable {
    private enum Place {
        case file(path: String)
        case folder(path: String, size: Int, next: Int)
    }

    /// A numbered tar.
    struct Shard {
        let path: String
        let name: String
    }

    private var place: Place
    /// The last of those that were there before; nil if there was none.
    private(set) var lastShard: Shard?
    private var file: UnnamedFile?
    private var buffer: [UInt8] = []
    private(set) var count = 0

    /// One tar, which takes the place of an earlier one of that name.
    init(file path: String) {
        place = .file(path: path)
    }

    /// Numbered tars, 00000.tar and so on; `isResumed` goes on behind those that are there.
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

    /// Whether reports wait until their shard is whole, so that what they say is true of the disk.
    var holdsReports: Bool {
        switch place {
        case .file: false
        case .folder: true
        }
    }

    /// Whether the open tar has as many samples as it is to have.
    var isFull: Bool {
        switch place {
        case .file: false
        case .folder(_, let size, _): count >= size
        }
    }

    /// Writes the files of a sample, one behind the other; returns the name of its tar.
    mutating func add(_ sample: Sample) throws(ShardFailure) -> String {
        if file == nil { file = try UnnamedFile(for: path) }
        TarMember.append(sample.picture, named: "\(sample.key).\(sample.suffix)", to: &buffer)
        TarMember.append(sample.facts, named: "\(sample.key).json", to: &buffer)
        count += 1
        if buffer.count >= 1 << 20 { try flush() }
        return name
    }

    /// Ends the open tar and gives it its name; returns once it is on the disk.
    ///
    /// One tar is made also of nothing, of numbered ones none is empty.
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

    /// Leaves nothing of the open tar.
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
        case .file(let path): return String(path.split(separator: "/").last ?? "")
        case .folder(_, _, let next): return Self.name(ofNumber: next)
        }
    }

    static func name(ofNumber number: Int) -> String {
        let digits = "\(number)"
        return String(repeating: "0", count: max(0, 5 - digits.count)) + digits + ".tar"
    }
}

/// A file that gets its name when it is whole.
struct UnnamedFile: Sendable {
    let descriptor: Int32
    private let path: String
    private let folder: String
    /// Nil if it has no name at all.
    private let temporaryPath: String?

    /// `O_TMPFILE`, a macro of two flags.
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

    /// Brings it to the disk under its name, in place of what has that.
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
        // Some file systems tell of a full disk only here; the descriptor is gone either way.
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
