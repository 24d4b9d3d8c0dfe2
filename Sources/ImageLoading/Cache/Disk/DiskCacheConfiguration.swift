internal import Glibc

/// Where the disk cache lies and how much it may hold.
public struct DiskCacheConfiguration: Hashable, Sendable {
    /// The directory, an absolute path.
    ///
    /// Made at the first write, with mode 0700.
    public var directory: String
    /// The budget in bytes of allocated blocks: 0 keeps nothing, `Int.max` is no limit.
    ///
    /// Files that are there and don't fit are deleted with the first use.
    public var byteLimit: Int
    /// How long a file may go unused before `clean` deletes it, in whole seconds; nil and anything
    /// negative mean for ever.
    public var maximumAge: Duration?

    /// How files are named.
    public var naming = CacheFileNaming.md5
    /// When what is stored is on the disk itself.
    public var durability = DiskDurability.whenConvenient
    /// Caches of other programs, or ones that came with this one, that are asked in this order for
    /// what is not in `directory`.
    ///
    /// Absolute paths. Never written, cleaned or counted; their files must be named the same way.
    public var readOnlyDirectories: [String] = []

    /// Makes a configuration; by default 512 MiB and 7 days.
    public init(
        directory: String = DiskCacheConfiguration.defaultDirectory(),
        byteLimit: Int = 512 << 20,
        maximumAge: Duration? = .seconds(604_800)
    ) {
        self.directory = directory
        self.byteLimit = byteLimit
        self.maximumAge = maximumAge
    }

    /// The program's own directory: `$XDG_CACHE_HOME/<executable>`, or `~/.cache/<executable>`.
    ///
    /// The name is that of the executable's file: programs that must share a cache, or keep theirs
    /// when they are renamed, name it themselves.
    public static func defaultDirectory() -> String {
        defaultDirectory(named: name(ofExecutable: executablePath()))
    }

    /// A directory of this name where caches of the user belong: `$XDG_CACHE_HOME/<name>`, or
    /// `~/.cache/<name>`.
    ///
    /// What can't be part of a file's name is replaced by an underscore.
    public static func defaultDirectory(named name: String) -> String {
        directory(named: fileName(name), in: UserFolders())
    }

    /// What others could do to the cache that lies there, in words; nil if nothing, or if it is not
    /// there yet.
    ///
    /// The cache reads and writes nothing in such a directory. Does I/O.
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

    /// The name of a program, by the path of its file.
    static func name(ofExecutable path: String?) -> String {
        let deleted = " (deleted)"
        var name = path?.split(separator: "/").last.map(String.init) ?? ""
        // What the kernel adds to the path of a program that was replaced while it runs.
        if name.hasSuffix(deleted) { name.removeLast(deleted.count) }
        return fileName(name)
    }

    /// `text` as a name inside a directory: never empty, a path, or more than 64 bytes.
    static func fileName(_ text: String) -> String {
        let allowed = text.utf8.prefix(64).map { byte in
            ASCII.isAlphanumeric(byte) || "-_.+ ".utf8.contains(byte) || byte >= 0x80
                ? byte : UInt8(ascii: "_")
        }
        let name = String(decoding: allowed, as: UTF8.self)
        // A leading dot would hide the directory; "." and ".." are no names.
        let isHidden = name.hasPrefix(".")
        return name.isEmpty ? "image-loading" : isHidden ? "_" + name.dropFirst() : name
    }

    private static func executablePath() -> String? {
        let bytes = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
            count = buffer.withMemoryRebound(to: CChar.self) { path in
                path.baseAddress.map { max(0, readlink("/proc/self/exe", $0, path.count)) } ?? 0
            }
        }
        // Without procfs the program is known by the name it was called with.
        guard bytes.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
        return ProcessArguments.all.first
    }
}

/// When a stored image is on the disk itself rather than in the system's page cache.
///
/// Neither changes what is seen while the system runs, whatever becomes of the process. They
/// differ after a power cut.
public enum DiskDurability: Hashable, Sendable {
    /// The system writes when it likes, within half a minute as a rule.
    ///
    /// What a power cut leaves torn doesn't fit its checksum, is deleted and fetched again.
    case whenConvenient
    /// `fsync` for each stored file and for the directory.
    ///
    /// What `flush` has waited for is not lost any more, but for an image that is being replaced at
    /// that moment on a file system without extended attributes. A store takes about 0.1 to 0.7 ms
    /// longer on a solid-state disk; no load waits for it.
    case everyStore
}
