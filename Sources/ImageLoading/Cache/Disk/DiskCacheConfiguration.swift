internal import Glibc

/// Where the disk cache lies and how much it may hold.
public struct DiskCacheConfiguration: Hashable, Sendable {
    /// The directory, an absolute path.
    ///
    /// Made at the first write, with mode 0700 (row C11).
    public var directory: String
    /// The budget in bytes of allocated blocks; 0 means no limit.
    public var byteLimit: Int
    /// How long a file may go unused before `clean` deletes it, in whole seconds; nil and anything
    /// negative mean for ever (row F13).
    public var maximumAge: Duration?

    /// How files are named.
    public var naming = CacheFileNaming.md5
    /// When what is stored is on the disk itself.
    public var durability = DiskDurability.whenConvenient
    /// Caches of others, or ones that came with a program, where look-ups go on that found nothing
    /// in `directory`, in this order (row C18).
    ///
    /// Absolute paths. Never written, cleaned or counted; their files must be named the same way.
    public var readOnlyDirectories: [String] = []

    /// Makes a configuration; by default 512 MiB and 7 days (rows C27, C28).
    public init(
        directory: String = DiskCacheConfiguration.defaultDirectory(),
        byteLimit: Int = 512 << 20,
        maximumAge: Duration? = .seconds(604_800)
    ) {
        self.directory = directory
        self.byteLimit = byteLimit
        self.maximumAge = maximumAge
    }

    /// `$XDG_CACHE_HOME/termgallery`, or `~/.cache/termgallery` (row C6, fact P7).
    public static func defaultDirectory() -> String {
        directory(cacheHome: environment("XDG_CACHE_HOME"), home: environment("HOME"))
    }

    /// The XDG base directory specification has relative paths ignored.
    static func directory(cacheHome: String?, home: String?) -> String {
        if let cacheHome, cacheHome.hasPrefix("/") { return join(cacheHome, "termgallery") }
        if let home, home.hasPrefix("/") { return join(home, ".cache/termgallery") }
        return "/var/tmp/termgallery-\(getuid())"
    }

    private static func join(_ directory: String, _ name: String) -> String {
        directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
    }

    private static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}

/// When a stored picture is on the disk itself rather than in the system's page cache.
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
    /// What `flush` has waited for is not lost any more. A store takes about 0.1 to 0.7 ms longer on
    /// a solid-state disk; no load waits for it.
    case everyStore
}
