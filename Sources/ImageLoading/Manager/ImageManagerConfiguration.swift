public import Decoders
internal import Glibc

/// Everything a manager is built from; the defaults are those of `Documentation/Architecture.md`.
public struct ImageManagerConfiguration: Sendable {
    /// Budget of the memory cache in bytes.
    public var memoryByteLimit: Int
    /// The disk cache; nil for none.
    public var disk: DiskCacheConfiguration?
    /// The scheduler of transfers.
    public var downloader: DownloaderConfiguration
    /// The curl transport.
    public var transport: CurlTransportConfiguration
    /// Which formats are decoded.
    public var decoders: DecoderRegistry
    /// What may be spent on one picture.
    public var limits: DecodingLimits
    /// Threads that decode; one for each core.
    public var decodeThreadCount: Int

    /// Makes the default configuration.
    public init() {
        memoryByteLimit = MemoryBudget.current().byteLimit
        disk = DiskCacheConfiguration()
        downloader = DownloaderConfiguration()
        transport = CurlTransportConfiguration()
        decoders = .standard
        limits = DecodingLimits()
        decodeThreadCount = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }
}
