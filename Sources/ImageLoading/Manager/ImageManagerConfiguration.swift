public import Decoders
internal import Glibc
public import Logging

/// Everything a manager is built from; the defaults are those of `Documentation/Architecture.md`.
public struct ImageManagerConfiguration: Sendable {
    /// Budget of the memory cache in bytes: 0 keeps nothing, `Int.max` is no limit.
    public var memoryByteLimit: Int
    /// The disk cache; nil for none.
    public var disk: DiskCacheConfiguration?
    /// What decides how long a body on disk answers without its server being asked.
    ///
    /// The memory cache answers in any case, as a browser's does within one page; `refreshCached`
    /// asks again.
    public var cachePolicy = CachePolicy.respectHTTP
    /// The scheduler of transfers.
    public var downloader: DownloaderConfiguration
    /// The curl transport.
    public var transport: CurlTransportConfiguration
    /// The sources of images whose URLs have a scheme of the program's own, by scheme.
    ///
    /// Keys are stored in lower case, as schemes are compared. The schemes that the engine loads itself
    /// (`http`, `https`, `file`, `data`) cannot be replaced; setting one is a programming error that ends
    /// the process. Feeds from the network cannot use these sources.
    public var sources: [String: any ImageDataSource] = [:] {
        didSet {
            let pairs = sources.map { ($0.key.lowercased(), $0.value) }
            sources = Dictionary(pairs) { _, last in last }
            let taken = ["http", "https", "file", "data"].filter { sources[$0] != nil }
            precondition(taken.isEmpty, "the engine loads \(taken.joined(separator: ", ")) itself")
        }
    }
    /// Whether nothing is asked of the network: every load is as with `fromCacheOnly`.
    public var isOffline = false
    /// What is done with the thumbnails of local files that the programs of a desktop share.
    public var desktopThumbnails = DesktopThumbnailUse.none
    /// Where their folder lies, in place of the user's folder for caches.
    var desktopThumbnailHome: String?
    /// Which formats are decoded.
    public var decoders: DecoderRegistry
    /// Whether they run in processes of their own; the program's `main` must begin with
    /// `IsolatedDecoding.runIfAsked()`.
    public var isolation = DecoderIsolation.auto
    /// Where those processes come from.
    var helperProgram = HelperProgram.own
    /// What may be spent on one picture.
    public var limits: DecodingLimits
    /// Threads that decode; one for each core.
    public var decodeThreadCount: Int
    /// How many levels nicer those threads are than the rest of the process.
    ///
    /// 10 lets what draws and answers go first; 0 is for programs in which nothing else waits.
    public var decodeThreadNiceness = 10
    /// Where the manager learns that memory is short, and then gives up images and work in stages;
    /// nil if it shall not look.
    ///
    /// Programs set `PressureStallSource()`.
    public var memoryPressure: (any MemoryPressureSource)?
    /// Where the program steps in.
    public var hooks = LoadingHooks()
    /// Hears of every event in the engine, on its threads; nil for nobody.
    public var trace: (@Sendable (TraceEvent) -> Void)?
    /// Where a line about each load goes: failures at level `notice`, the rest at `debug`.
    ///
    /// Secrets in URLs are left out.
    public var logger: Logger

    /// Makes the default configuration.
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
