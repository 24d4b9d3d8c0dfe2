internal import Glibc

/// The location and the limits of the disk cache.
public struct DiskCacheConfiguration: Hashable, Sendable {
    /// The absolute path of the directory.
    ///
    /// The directory is created at the first write, with mode 0700.
    public var directory: String
    /// The budget in bytes of allocated blocks: 0 means that nothing is stored, `Int.max` means no
    /// limit.
    ///
    /// If the existing files exceed the budget, the excess is deleted on first use.
    public var byteLimit: Int
    /// The time that a file may remain unused before `clean` deletes it, in whole seconds; nil or a
    /// negative value means forever.
    public var maximumAge: Duration?

    /// The naming scheme of the files.
    public var naming = CacheFileNaming.md5
    /// Whether stored images are flushed to the disk immediately or when the system decides to.
    public var durability = DiskDurability.whenConvenient
    /// The directories of other caches that are searched, in this order, for bodies missing in
    /// `directory`.
    ///
    /// These are caches of other programs, or caches that were installed with this program. The
    /// paths are absolute. The directories are never written, cleaned or counted. Their files must
    /// be named by the same scheme.
    public var readOnlyDirectories: [String] = []

    /// Creates a configuration; the defaults are 512 MiB and 7 days.
    public init(
        directory: String = DiskCacheConfiguration.defaultDirectory(),
        byteLimit: Int = 512 << 20,
        maximumAge: Duration? = .seconds(604_800)
    ) {
        self.directory = directory
        self.byteLimit = byteLimit
        self.maximumAge = maximumAge
    }

    /// Returns the program's own directory: `$XDG_CACHE_HOME/<executable>`, or
    /// `~/.cache/<executable>`.
    ///
    /// The directory is named after the executable. Programs that must share a cache, or keep it
    /// after they are renamed, should choose the name of the directory themselves.
    public static func defaultDirectory() -> String {
        defaultDirectory(named: name(ofExecutable: executablePath()))
    }

    /// Returns the directory with this name among the user's caches: `$XDG_CACHE_HOME/<name>`, or
    /// `~/.cache/<name>`.
    ///
    /// Characters that are not allowed in a file name are replaced by an underscore.
    public static func defaultDirectory(named name: String) -> String {
        directory(named: fileName(name), in: UserFolders())
    }

    /// Returns a message if other users could manipulate a cache in this directory; otherwise, or
    /// if the directory does not exist, returns nil.
    ///
    /// The cache reads and writes nothing in such a directory. The call performs I/O.
    package func complaint() -> String? {
        do throws(FileFailure) {
            try FileCalls().admit(directory)
            return nil
        } catch {
            return error == .sharedDirectory ? error.text : nil
        }
    }

    static func directory(named name: String, in folders: UserFolders) -> String {
        folders.cache.map { UserFolders.join($0, name) } ?? "/var/tmp/\(name)-\(getuid())"
    }

    /// Returns the name of a program, derived from the path of its executable file.
    static func name(ofExecutable path: String?) -> String {
        let deleted = " (deleted)"
        var name = path?.split(separator: "/").last.map(String.init) ?? ""
        // The kernel appends this suffix to the path of a program whose file was replaced or
        // deleted while it is running.
        if name.hasSuffix(deleted) { name.removeLast(deleted.count) }
        return fileName(name)
    }

    /// Returns `text` as a file name that is neither empty nor a path, truncated to 64 bytes.
    static func fileName(_ text: String) -> String {
        let allowed = text.utf8.prefix(64).map { byte in
            ASCII.isAlphanumeric(byte) || "-_.+ ".utf8.contains(byte) || byte >= 0x80
                ? byte : UInt8(ascii: "_")
        }
        let name = String(decoding: allowed, as: UTF8.self)
        // A leading dot would hide the directory, and "." and ".." are not valid names.
        let isHidden = name.hasPrefix(".")
        return name.isEmpty ? "image-loading" : isHidden ? "_" + name.dropFirst() : name
    }

    private static func executablePath() -> String? {
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            count = buffer.withMemoryRebound(to: CChar.self) { path in
                path.baseAddress.map { max(0, readlink("/proc/self/exe", $0, path.count)) } ?? 0
            }
        }
        // Without procfs, the name that the program was started with is used.
        guard bytes.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
        return ProcessArguments.all.first
    }
}

/// The policy for writing stored images from the system's page cache to the disk itself.
///
/// The choice has no visible effect while the system runs, even if the process ends. It matters
/// only after a power failure.
public enum DiskDurability: Hashable, Sendable {
    /// The system decides when to write, usually within half a minute.
    ///
    /// A file that a power failure left incomplete does not match its checksum, so it is deleted
    /// and loaded again.
    case whenConvenient
    /// Stored images are written immediately: `fsync` is called for each file and for the
    /// directory.
    ///
    /// After `flush` returns, nothing can be lost, except an image that is being replaced at the
    /// moment of the power failure on a file system without extended attributes. A store takes
    /// about 0.1 to 0.7 ms longer on a solid-state disk; no load waits for it.
    case everyStore
}
