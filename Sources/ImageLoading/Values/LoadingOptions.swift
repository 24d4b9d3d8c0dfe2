/// Options that change the default behavior of a load.
///
/// Options that SDWebImage also has use the same names but different bits.
public struct LoadingOptions: OptionSet, Hashable, Sendable {
    /// The raw bits.
    public let rawValue: UInt32

    /// Creates a set from raw bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Ignores remembered failures of the URL in this load.
    public static let retryFailed = LoadingOptions(rawValue: 1 << 0)
    /// Stores the result in memory only, and writes nothing to disk.
    public static let cacheMemoryOnly = LoadingOptions(rawValue: 1 << 1)
    /// Shows the cached image immediately, then asks the server whether it has changed.
    public static let refreshCached = LoadingOptions(rawValue: 1 << 2)
    /// Shows the placeholder only if the load ends without an image.
    public static let delayPlaceholder = LoadingOptions(rawValue: 1 << 3)
    /// Passes the image to the completion instead of showing it in the view.
    public static let avoidAutoSetImage = LoadingOptions(rawValue: 1 << 4)
    /// Uses the caches only, even for stale images; a miss is an error (offline browsing).
    public static let fromCacheOnly = LoadingOptions(rawValue: 1 << 5)
    /// Uses the network only; the result is stored as usual.
    public static let fromLoaderOnly = LoadingOptions(rawValue: 1 << 6)
    /// Runs the load at `LoadPriority.low`, regardless of the request's priority.
    public static let lowPriority = LoadingOptions(rawValue: 1 << 7)
    /// Runs the load at `LoadPriority.high`, regardless of the request's priority; overrides
    /// `lowPriority`.
    public static let highPriority = LoadingOptions(rawValue: 1 << 8)
    /// Delivers previews while the body is received.
    public static let progressive = LoadingOptions(rawValue: 1 << 9)
    /// Sends and stores cookies, which are kept in memory for each host.
    public static let handleCookies = LoadingOptions(rawValue: 1 << 10)
    /// Accepts a certificate that cannot be verified, but only from the URL's own host.
    public static let allowInvalidCertificates = LoadingOptions(rawValue: 1 << 11)
    /// Runs processors on the first frame of animated images, too.
    public static let transformAnimatedImage = LoadingOptions(rawValue: 1 << 12)
    /// Finishes the transfer to disk after the last listener has left.
    public static let continueInBackground = LoadingOptions(rawValue: 1 << 13)
    /// Ends the load with the first image that the rest of the body would not change at the target
    /// size, and stops the transfer unless finishing it is cheaper.
    ///
    /// The received bytes are stored on disk as a partial body. Later loads of the same request use
    /// this partial body, and a load that needs more bytes resumes the transfer. Loads that share
    /// the work must all set this option. It has no effect without a target size, with an older
    /// body on disk, or with a `transformBody` hook.
    public static let stopWhenSufficient = LoadingOptions(rawValue: 1 << 14)
    /// Waits for a host that cannot be reached, fails repeatedly or requests a pause, for at most
    /// `DownloaderConfiguration.patience`, instead of failing immediately.
    ///
    /// Use it for images that are needed even if they take a long time: a batch, or a cell that the
    /// user is looking at. It has no effect if another image can be shown instead.
    public static let waitForHost = LoadingOptions(rawValue: 1 << 16)
    /// Treats a damaged or truncated file as an error, instead of showing the usable part of it
    /// (`DecodedImage.damage`).
    public static let refuseDamaged = LoadingOptions(rawValue: 1 << 17)
    /// Accepts the thumbnail that a camera embedded in the file instead of the image, if the
    /// thumbnail is large enough and nothing indicates that it shows a different image
    /// (`DecodedImage.isThumbnail`).
    ///
    /// With `stopWhenSufficient`, the transfer ends after the thumbnail, which is after about ten
    /// kilobytes. The option has no effect without a target size.
    public static let acceptThumbnail = LoadingOptions(rawValue: 1 << 18)
    /// Accepts an image that is larger than requested, by less than a factor of two on each side,
    /// if it is cheaper to decode.
    ///
    /// Use the option in programs that reduce images themselves (`DecodingOptions.acceptsLarger`).
    /// The image is stored in memory separately from other images of the same size, and no
    /// thumbnail of it is stored on disk.
    public static let acceptLarger = LoadingOptions(rawValue: 1 << 23)
    /// Returns the body as well (`ImageResponse.body`), for a program that needs both.
    ///
    /// The memory cache contains no bodies, so it cannot answer a load with this option.
    public static let includeBody = LoadingOptions(rawValue: 1 << 21)
    /// Fails if a server forbids collecting an image, indexing it or using it for training
    /// (`X-Robots-Tag`).
    ///
    /// The load ends with an error before the body is received. Use the option in programs that
    /// collect images from many sources. Images that are already in the caches are returned anyway.
    public static let heedRobotsTag = LoadingOptions(rawValue: 1 << 22)
    /// Stores the processed image on disk next to the body it was made from, so that a program that
    /// is restarted does not have to decode and process it again.
    ///
    /// An opaque image made from a JPEG is stored as a JPEG with quality 92, and every other image
    /// is stored without loss. The option has no effect without processors or for animations.
    public static let keepProcessedOnDisk = LoadingOptions(rawValue: 1 << 15)
    /// Uses the thumbnail that `writeKeptThumbnail` stored on disk, if its source has not changed
    /// since then.
    ///
    /// In this case, nothing is decoded, and only the data that identifies the body or file is
    /// examined. The thumbnail is used under the same conditions as the body from which it was
    /// made. The option has no effect without a target size, with processors, or with a
    /// `bodyToStore` hook. Loads with `refreshCached` or `fromLoaderOnly` do not look for stored
    /// thumbnails.
    public static let readKeptThumbnail = LoadingOptions(rawValue: 1 << 19)
    /// Stores the image on disk as a thumbnail of the size at which it is shown, for
    /// `readKeptThumbnail`.
    ///
    /// The thumbnail is stored without loss, within the budget of the disk cache, after the image
    /// was delivered. It is stored only if the body is stored. Bodies of a few kilobytes, damaged
    /// files and images of more than half a megapixel are excluded. Thumbnails of local files are
    /// stored as well, although the files are not. All thumbnails of a changed file are removed by
    /// the next load that detects the change. The option has no effect with `cacheMemoryOnly`, and
    /// in all cases in which `readKeptThumbnail` has no effect.
    public static let writeKeptThumbnail = LoadingOptions(rawValue: 1 << 20)
    /// Combines `readKeptThumbnail` and `writeKeptThumbnail`, so that images that were seen before
    /// are shown immediately.
    public static let keptThumbnails: LoadingOptions = [.readKeptThumbnail, .writeKeptThumbnail]
}

/// The rule that determines how long a body on disk is used without asking its server.
public enum CachePolicy: Hashable, Sendable {
    /// The server decides by the rules of HTTP (RFC 9111): Cache-Control, Expires, Age, validators;
    /// an image received with `no-store` is not stored on disk.
    case respectHTTP
    /// The server is never asked: the image at a URL is assumed never to change, and every image is
    /// stored until the cache is cleaned.
    ///
    /// `refreshCached` asks the server anyway.
    case ignoreHTTP
}
