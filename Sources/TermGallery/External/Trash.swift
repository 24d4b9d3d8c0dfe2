import CLinux
import Feeds
import FoundationEssentials
import Glibc
import ImageLoading
import SystemSupport

/// The desktop's trash, as specified by freedesktop.org.
///
/// A file is moved to the trash, and a separate file stores its original path. The methods block.
/// Don't call them on the UI thread or on the cooperative thread pool.
struct Trash: Sendable {
    /// A file in the trash.
    struct Entry: Hashable, Sendable {
        /// The original path, encoded by `FileText`.
        let path: String
        fileprivate let file: String
        fileprivate let note: String
    }

    /// The path of the trash in the user's home directory, or nil if there is no home directory.
    let home: String?
    /// The mount point of the trash for files outside the home directory's file system, or nil to
    /// determine the mount point for each file.
    private var top: String?

    /// Creates a value for the trash in `$XDG_DATA_HOME/Trash` or, by default, in
    /// `~/.local/share/Trash`.
    init() {
        home = UserFolders().data.map { UserFolders.join($0, "Trash") }
    }

    init(home: String?, top: String? = nil) {
        (self.home, self.top) = (home, top)
    }

    // MARK: Moving to the trash

    /// Moves a file to the trash of its file system.
    ///
    /// If the file system has no trash, throws an error without deleting the file.
    func take(_ path: String, at time: Date = .now) throws(NewFile.Problem) -> Entry {
        var status = stat()
        guard lstat(FileText.path(path), &status) == 0 else { throw .last }
        // Directories and devices are not images. For a symbolic link, the link itself is moved,
        // not its target.
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFREG || kind == S_IFLNK else {
            throw NewFile.Problem(reason: "not a file")
        }
        let folder = AbsolutePath.directory(of: path)
        guard let device = Self.device(of: folder) else { throw .last }
        // The home trash and its `files` directory may be links to another file system.
        if let home, Self.makeUsable(home),
            Self.device(of: "\(home)/files") ?? Self.device(of: home) == device
        {
            return try move(path, into: home, noting: FileText.bytes(of: path), time)
        }
        // If the path contains a link, the link target's parent directories may be on another file
        // system.
        guard let real = Self.realPath(of: folder) else { throw .last }
        let top = self.top ?? Self.topFolder(of: real, device: device)
        guard let trash = Self.trash(below: top) else {
            throw NewFile.Problem(reason: "its file system has no trash")
        }
        // The path is stored relative to the mount point because the file system may be mounted
        // elsewhere later.
        let prefix = top == "/" ? 1 : FileText.bytes(of: top).count + 1
        let original = UserFolders.join(real, AbsolutePath.name(of: path))
        let inside = Array(FileText.bytes(of: original).dropFirst(prefix))
        return try move(path, into: trash, noting: inside, time)
    }

    private func move(
        _ path: String,
        into trash: String,
        noting origin: [UInt8],
        _ time: Date
    ) throws(NewFile.Problem) -> Entry {
        for folder in ["files", "info"] {
            let isMade = Self.makeFolder("\(trash)/\(folder)", followsLinks: trash == home)
            guard isMade else { throw .last }
        }
        let text = "[Trash Info]\nPath=\(Self.encoded(origin))\nDeletionDate=\(Self.text(time))\n"
        let name = AbsolutePath.name(of: path)
        for number in 1...10_000 {
            // The note is created first because this reserves the name.
            let unique = number == 1 ? name : SafeFileName.numbered(name, number)
            let entry = Entry(
                path: path,
                file: "\(trash)/files/\(unique)",
                note: "\(trash)/info/\(unique).trashinfo"
            )
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let note = open(FileText.path(entry.note), flags, 0o600)
            if note < 0, errno == EEXIST { continue }
            guard note >= 0 else { throw .last }
            let isWritten = OutputBytes.write(Array(text.utf8), to: note)
            close(note)
            guard isWritten, Self.move(path, to: entry.file) else {
                let code = errno
                unlink(FileText.path(entry.note))
                if code == EEXIST { continue }
                throw NewFile.Problem(reason: String(cString: strerror(code)))
            }
            return entry
        }
        throw NewFile.Problem(reason: "the trash contains too many files of this name; empty it")
    }

    // MARK: Moving back

    /// Moves a file back to its original path, unless another file exists at this path.
    func putBack(_ entry: Entry) throws(NewFile.Problem) {
        guard Self.move(entry.file, to: entry.path) else { throw .last }
        unlink(FileText.path(entry.note))
    }

    // MARK: Places

    private static func move(_ path: String, to target: String) -> Bool {
        clinux_rename_new(FileText.path(path), FileText.path(target)) == 0
    }

    private static func device(of path: String) -> dev_t? {
        var status = stat()
        return stat(FileText.path(path), &status) == 0 ? status.st_dev : nil
    }

    /// Returns the path with all symbolic links resolved, encoded by `FileText`, or nil if the path
    /// doesn't exist.
    private static func realPath(of path: String) -> String? {
        guard let real = realpath(FileText.path(path), nil) else { return nil }
        defer { free(real) }
        return FileText.text(cString: real)
    }

    /// Returns the mount point of the file system that contains `folder`.
    private static func topFolder(of folder: String, device: dev_t) -> String {
        var top = folder
        while top != "/" {
            let above = AbsolutePath.directory(of: top)
            guard self.device(of: above) == device else { break }
            top = above
        }
        return top
    }

    /// Returns the trash directory at the top of a file system, or nil if it can't be created.
    ///
    /// If the administrator has set up a shared trash directory with the sticky bit, the result is
    /// a subdirectory of it. The sticky bit prevents users from deleting each other's files there.
    /// Otherwise, the result is the user's own trash.
    private static func trash(below top: String) -> String? {
        let prefix = top == "/" ? "" : top
        let shared = "\(prefix)/.Trash"
        var status = stat()
        if lstat(FileText.path(shared), &status) == 0, status.st_mode & S_IFMT == S_IFDIR,
            status.st_mode & S_ISVTX != 0
        {
            let own = "\(shared)/\(geteuid())"
            if makeFolder(own) { return own }
        }
        let own = "\(prefix)/.Trash-\(geteuid())"
        return makeFolder(own) ? own : nil
    }

    /// Creates a directory that only this user may access, or accepts one that this user already
    /// owns.
    ///
    /// A link is accepted only in the user's home directory, where other users cannot create links.
    private static func makeFolder(_ path: String, followsLinks: Bool = false) -> Bool {
        if mkdir(FileText.path(path), 0o700) == 0 { return true }
        var status = stat()
        let flags = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
        guard fstatat(AT_FDCWD, FileText.path(path), &status, flags) == 0 else { return false }
        let isOwn = status.st_mode & S_IFMT == S_IFDIR && status.st_uid == geteuid()
        if !isOwn { errno = ENOTDIR }
        return isOwn
    }

    private static func makeUsable(_ path: String) -> Bool {
        UserFolders.make(path)
        return access(FileText.path(path), W_OK | X_OK) == 0
    }

    // MARK: Notes

    /// Returns the percent-encoded path, which contains no line breaks.
    private static func encoded(_ path: [UInt8]) -> Substring {
        PercentCoding.fileURL(path: path).dropFirst("file://".count)
    }

    /// Returns the time in the local time zone, as the specification requires.
    private static func text(_ time: Date) -> String {
        var seconds = time_t(time.timeIntervalSince1970)
        var parts = tm()
        localtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        let count = strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &parts)
        return String(decoding: text[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
