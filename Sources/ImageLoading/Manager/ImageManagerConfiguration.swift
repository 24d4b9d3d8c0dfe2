public import Decoders
internal import Glibc
public import Logging

/// The configuration of a manager.
///
/// `Documentation/Internals.md` lists the defaults.
public struct ImageManagerConfiguration: Sendable {
    /// The size limit of the memory cache in bytes.
    ///
    /// If the limit is 0, nothing is stored; `Int.max` means no limit.
    public var memoryByteLimit: Int
    /// The configuration of the disk cache; nil disables the disk cache.
    public var disk: DiskCacheConfiguration?
    /// The policy for how long a body on disk is used without contacting its server.
    ///
    /// Images in memory are used without revalidation, like images on one page in a browser, unless
    /// a load uses the `refreshCached` option.
    public var cachePolicy = CachePolicy.respectHTTP
    /// The configuration of the downloader, which schedules transfers.
    public var downloader: DownloaderConfiguration
    /// The configuration of the curl transport.
    public var transport: CurlTransportConfiguration
    /// The program's own image sources, keyed by URL scheme.
    ///
    /// Keys are stored in lowercase, because schemes are case-insensitive. The engine loads the
    /// schemes `http`, `https`, `file` and `data` itself. Setting one of them is a programming
    /// error that ends the process. Feeds from the network can use a source only if it allows that
    /// (`ImageDataSource.isAvailableToRemoteFeeds`).
    public var sources: [String: any ImageDataSource] = [:] {
        didSet {
            let pairs = sources.map { ($0.key.lowercased(), $0.value) }
            sources = Dictionary(pairs) { _, last in last }
            let taken = ["http", "https", "file", "data"].filter { sources[$0] != nil }
            precondition(taken.isEmpty, "the engine loads \(taken.joined(separator: ", ")) itself")
        }
    }
    /// The hosts whose certificates are not checked, in the form of `ImageURL.host`.
    ///
    /// They receive no cookies, no header fields from `hooks.headers`, and no password except one
    /// in the URL itself. The certificates of other hosts are checked, even after a redirect.
    package var insecureHosts: Set<String> = []
    /// Whether the network is never used, as if every load used the `fromCacheOnly` option.
    public var isOffline = false
    /// How thumbnails shared by desktop programs are used for local files: not at all, read, or
    /// read and created.
    public var desktopThumbnails = DesktopThumbnailUse.none
    /// The cache directory that contains the desktop thumbnails; nil means the user's cache
    /// directory.
    var desktopThumbnailHome: String?
    /// The decoders, which determine the supported image formats.
    public var decoders: DecoderRegistry
    /// Whether decoders run in separate processes.
    ///
    /// If they do, the program's `main` must call `IsolatedDecoding.runIfAsked()` at its start.
    public var isolation = DecoderIsolation.auto
    /// The program that is started as a decoding process.
    var helperProgram = HelperProgram.own
    /// The resource limits for decoding one image.
    public var limits: DecodingLimits
    /// The number of decode threads; by default, one per core.
    public var decodeThreadCount: Int
    /// The nice value of the decode threads, relative to the rest of the process.
    ///
    /// With a value of 10, drawing and input take precedence over decoding. Use 0 in programs that
    /// have no other urgent work.
    public var decodeThreadNiceness = 10
    /// The source that reports memory pressure; nil disables the response to memory pressure.
    ///
    /// Under memory pressure, the manager releases images and stops work in stages. Programs
    /// normally use `PressureStallSource()`.
    public var memoryPressure: (any MemoryPressureSource)?
    /// The hooks of the program.
    public var hooks = LoadingHooks()
    /// A function that receives every event of the engine, on the engine's threads; nil by default.
    public var trace: (@Sendable (TraceEvent) -> Void)?
    /// The logger, which receives one line per load and one per change of the memory stage.
    ///
    /// Load failures and memory stage changes are logged at `notice` level, all other load results
    /// at `debug` level. Secrets in URLs are left out.
    public var logger: Logger

    /// Creates the default configuration.
    public init() {
        memoryByteLimit = MemoryBudget.current().byteLimit
        disk = DiskCacheConfiguration()
        downloader = DownloaderConfiguration()
        transport = CurlTransportConfiguration()
        decoders = .standard
        limits = DecodingLimits()
        logger = Logger(label: "ImageLoading") { _ in SwiftLogNoOpLogHandler() }
        decodeThreadCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }
}
