public import Decoders
internal import Glibc
public import Logging

/// The configuration of a manager.
///
/// `Documentation/Internals.md` lists the defaults.
public struct ImageManagerConfiguration: Sendable {
    /// The size limit of the memory cache in bytes.
    ///
    /// With a limit of 0, nothing is stored; `Int.max` means no limit.
    public var memoryByteLimit: Int
    /// The configuration of the disk cache; nil disables the disk cache.
    public var disk: DiskCacheConfiguration?
    /// The policy that determines how long a body on disk is used without a request to its server.
    ///
    /// Images in memory are used without revalidation, as in a browser within one page, unless a
    /// load has the option `refreshCached`.
    public var cachePolicy = CachePolicy.respectHTTP
    /// The configuration of the downloader, which schedules transfers.
    public var downloader: DownloaderConfiguration
    /// The configuration of the curl transport.
    public var transport: CurlTransportConfiguration
    /// The program's own image sources, keyed by URL scheme.
    ///
    /// Keys are stored in lowercase, because schemes are case-insensitive. The schemes that the
    /// engine loads itself (`http`, `https`, `file`, `data`) cannot be replaced; setting one of
    /// them is a programming error that ends the process. Feeds from the network can use a source
    /// only if it permits that (`ImageDataSource.isAvailableToRemoteFeeds`).
    public var sources: [String: any ImageDataSource] = [:] {
        didSet {
            let pairs = sources.map { ($0.key.lowercased(), $0.value) }
            sources = Dictionary(pairs) { _, last in last }
            let taken = ["http", "https", "file", "data"].filter { sources[$0] != nil }
            precondition(taken.isEmpty, "the engine loads \(taken.joined(separator: ", ")) itself")
        }
    }
    /// Whether the network is never used, as if every load had the option `fromCacheOnly`.
    public var isOffline = false
    /// Whether the manager reads and creates the thumbnails of local files that desktop programs
    /// share.
    public var desktopThumbnails = DesktopThumbnailUse.none
    /// The cache directory that contains the desktop thumbnails, or nil for the user's cache
    /// directory.
    var desktopThumbnailHome: String?
    /// The decoders, which determine the supported image formats.
    public var decoders: DecoderRegistry
    /// Whether decoders run in separate processes.
    ///
    /// Separate processes require a call to `IsolatedDecoding.runIfAsked()` at the start of the
    /// program's `main`.
    public var isolation = DecoderIsolation.auto
    /// The program that runs as a decoding process.
    var helperProgram = HelperProgram.own
    /// The resource limits for decoding one image.
    public var limits: DecodingLimits
    /// The number of decode threads; by default, one per core.
    public var decodeThreadCount: Int
    /// The nice value of the decode threads, relative to the rest of the process.
    ///
    /// 10 gives priority to drawing and responding to input. Use 0 in programs in which no other
    /// work is urgent.
    public var decodeThreadNiceness = 10
    /// The source of memory pressure events, in response to which the manager releases images and
    /// stops work in stages.
    ///
    /// Nil disables the response to memory pressure. Programs use `PressureStallSource()`.
    public var memoryPressure: (any MemoryPressureSource)?
    /// The hooks of the program.
    public var hooks = LoadingHooks()
    /// A function that receives every event of the engine, on the engine's threads, or nil.
    public var trace: (@Sendable (TraceEvent) -> Void)?
    /// The logger, which receives one line per load and one per change of the memory stage.
    ///
    /// Failures of loads and changes of the memory stage are logged at level `notice`, all other
    /// results of loads at `debug`. Secrets in URLs are left out.
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
