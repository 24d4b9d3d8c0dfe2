/// Flags of one load.
///
/// They keep SDWebImage's names; the bits are our own.
public struct LoadingOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Makes a set from bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Ignore the memory of failed URLs for this load (row M7).
    public static let retryFailed = LoadingOptions(rawValue: 1 << 0)
    /// Keep the result in memory only, write nothing to disk (row M26).
    public static let cacheMemoryOnly = LoadingOptions(rawValue: 1 << 1)
    /// Skip both caches and fetch again; the caches are overwritten by the result (rows M15-M19).
    public static let refreshCached = LoadingOptions(rawValue: 1 << 2)
    /// Show the placeholder only if the load ends without an image (row V5).
    public static let delayPlaceholder = LoadingOptions(rawValue: 1 << 3)
    /// Hand the image to the completion instead of setting it (rows V10, V11).
    public static let avoidAutoSetImage = LoadingOptions(rawValue: 1 << 4)
    /// Answer from the caches only; a miss is an error of stage `download` (offline browsing).
    public static let fromCacheOnly = LoadingOptions(rawValue: 1 << 5)
}
