internal import Glibc
internal import SystemSupport

/// The location and the limits of the disk cache.
public struct DiskCacheConfiguration: Hashable, Sendable {
    /// The absolute path of the directory.
    ///
    /// The directory is created on the first write, with mode 0700.
    public var directory: String
    /// The budget in bytes of allocated space; 0 stores nothing, and `Int.max` means no limit.
    ///
    /// If the existing files exceed the budget, the excess is deleted on first use.
    public var byteLimit: Int
    /// The time after which `clean` deletes an unused file, in whole seconds; nil or a negative
    /// value means never.
    public var maximumAge: Duration?

    /// The naming scheme of the files.
    public var naming = CacheFileNaming.md5
    /// The policy for flushing stored images to the disk.
    public var durability = DiskDurability.whenConvenient
    /// The directories of other caches, searched in this order if a body is not in `directory`.
    ///
    /// They belong to other programs or were installed with this one. The paths are absolute. The
    /// cache never writes, cleans or counts the files in these directories. Their files must have
    /// the same `naming` scheme.
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

    /// Returns the program's own cache directory: `$XDG_CACHE_HOME/<executable>`, or
    /// `~/.cache/<executable>`.
    ///
    /// The directory is named after the executable. If several programs share a cache, or if a
    /// program may be renamed, use `defaultDirectory(named:)` instead.
    public static func defaultDirectory() -> String {
        defaultDirectory(named: name(ofExecutable: executablePath()))
    }

    /// Returns the directory `$XDG_CACHE_HOME/<name>`, or `~/.cache/<name>`.
    ///
    /// Characters that are not allowed in a file name are replaced with underscores.
    public static func defaultDirectory(named name: String) -> String {
        directory(named: fileName(name), in: UserFolders())
    }

    /// Returns an error message if other users can write to the directory; otherwise returns nil.
    ///
    /// The cache does not use such a directory. If the directory does not exist, the result is nil.
    /// The call performs I/O.
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

    /// Returns the name of a program from the path of its executable.
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
        // Without procfs, use the name that the program was started with.
        guard bytes.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
        return ProcessArguments.all.first
    }
}

/// A policy for flushing stored images from the system's page cache to the disk.
///
/// The choice matters only after a power failure, not if only the process ends.
public enum DiskDurability: Hashable, Sendable {
    /// The system decides when to flush, usually within half a minute.
    ///
    /// If a power failure leaves a file incomplete, the file does not match its checksum, so it is
    /// deleted and the image is loaded again.
    case whenConvenient
    /// Stored images are flushed immediately: `fsync` is called for each file and for the
    /// directory.
    ///
    /// After `flush` returns, a power failure loses no image, with one exception: on a file system
    /// without extended attributes, it can lose an image that is being replaced at that moment. A
    /// store takes about 0.1 to 0.7 ms longer on a solid-state disk; no load waits for it.
    case everyStore
}
