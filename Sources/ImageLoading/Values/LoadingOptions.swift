/// Options that change the behavior of a load.
///
/// Options that also exist in SDWebImage have the same names but different bits.
public struct LoadingOptions: OptionSet, Hashable, Sendable {
    /// The raw bits.
    public let rawValue: UInt32

    /// Creates a set from raw bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Loads the URL even if an earlier failure of the URL is remembered.
    public static let retryFailed = LoadingOptions(rawValue: 1 << 0)
    /// Stores the result only in memory and writes nothing to disk.
    public static let cacheMemoryOnly = LoadingOptions(rawValue: 1 << 1)
    /// Shows the cached image immediately, then revalidates it with the server.
    public static let refreshCached = LoadingOptions(rawValue: 1 << 2)
    /// Shows the placeholder only if the load ends without an image.
    public static let delayPlaceholder = LoadingOptions(rawValue: 1 << 3)
    /// Passes the image to the completion instead of showing it in the view.
    public static let avoidAutoSetImage = LoadingOptions(rawValue: 1 << 4)
    /// Uses only the caches, even if an image is stale; if there is no image, the load fails.
    ///
    /// Use this option for browsing offline.
    public static let fromCacheOnly = LoadingOptions(rawValue: 1 << 5)
    /// Uses only the network; the result is stored as usual.
    public static let fromLoaderOnly = LoadingOptions(rawValue: 1 << 6)
    /// Loads the image at `LoadPriority.low`, regardless of the priority of the request.
    public static let lowPriority = LoadingOptions(rawValue: 1 << 7)
    /// Loads the image at `LoadPriority.high`, regardless of the priority of the request.
    ///
    /// This option overrides `lowPriority`.
    public static let highPriority = LoadingOptions(rawValue: 1 << 8)
    /// Sends previews to the listener while the body is being received.
    public static let progressive = LoadingOptions(rawValue: 1 << 9)
    /// Sends cookies and stores received cookies in memory, separately for each host.
    public static let handleCookies = LoadingOptions(rawValue: 1 << 10)
    /// Accepts a certificate that cannot be verified, but only from the URL's own host.
    public static let allowInvalidCertificates = LoadingOptions(rawValue: 1 << 11)
    /// Applies processors to the first frame of animated images too.
    public static let transformAnimatedImage = LoadingOptions(rawValue: 1 << 12)
    /// Continues the transfer to disk after the last listener has left.
    public static let continueInBackground = LoadingOptions(rawValue: 1 << 13)
    /// Ends the load as soon as the received bytes produce the final image at the target size.
    ///
    /// The transfer is stopped, unless finishing it is cheaper. The received bytes are stored on
    /// disk as a partial body. Later loads of the same request use this partial body, and a load
    /// that needs more bytes resumes the transfer. All loads that share the work must set this
    /// option. It has no effect without a target size, if the disk cache contains an older
    /// body of the URL, or with a `transformBody` hook.
    public static let stopWhenSufficient = LoadingOptions(rawValue: 1 << 14)
    /// Waits for a host that is unreachable, fails repeatedly, or has requested a pause.
    ///
    /// Without this option, the load fails immediately. The load waits for at most
    /// `DownloaderConfiguration.patience`. Use this option for images that are needed even if they
    /// take a long time, for example in a batch, or in the cell that the user is viewing. It has no
    /// effect if another image can be shown instead.
    public static let waitForHost = LoadingOptions(rawValue: 1 << 16)
    /// Treats a damaged or truncated file as an error.
    ///
    /// Without this option, the usable part of the image is shown (`DecodedImage.damage`).
    public static let refuseDamaged = LoadingOptions(rawValue: 1 << 17)
    /// Accepts a camera's embedded thumbnail instead of the full image.
    ///
    /// The thumbnail must be large enough, and nothing may indicate that it shows a different image
    /// (`DecodedImage.isThumbnail`). With `stopWhenSufficient`, the transfer ends after the
    /// thumbnail, usually after about ten kilobytes. The option has no effect without a target
    /// size.
    public static let acceptThumbnail = LoadingOptions(rawValue: 1 << 18)
    /// Accepts an image that is larger than requested if it takes less time to decode.
    ///
    /// Each side is less than twice as long as requested. Use this option in programs that scale
    /// images down themselves (`DecodingOptions.acceptsLarger`). The image is stored in memory
    /// separately from other images of the same size, and no thumbnail of it is stored on disk.
    public static let acceptLarger = LoadingOptions(rawValue: 1 << 23)
    /// Also returns the body (`ImageResponse.body`) for a program that needs both.
    ///
    /// The memory cache contains no bodies, so it is not used for a load with this option.
    public static let includeBody = LoadingOptions(rawValue: 1 << 21)
    /// Fails if a server forbids collecting, indexing or training with the image (`X-Robots-Tag`).
    ///
    /// The load ends with an error before the body is received. Use this option in programs that
    /// collect images from many sources. Images that are already in the caches are returned anyway.
    public static let heedRobotsTag = LoadingOptions(rawValue: 1 << 22)
    /// Stores the processed image on disk, next to the body it was made from.
    ///
    /// After the program is restarted, the image need not be decoded and processed again. If the
    /// image is opaque and was made from a JPEG, it is stored as a JPEG with quality 92; otherwise,
    /// it is stored losslessly. The option has no effect without processors or for animations.
    public static let keepProcessedOnDisk = LoadingOptions(rawValue: 1 << 15)
    /// Uses the thumbnail that `writeKeptThumbnail` has stored on disk.
    ///
    /// The source of the thumbnail must not have changed. Nothing is decoded, and only the data
    /// that identifies the body or file is read. The thumbnail is used under the same conditions as
    /// the body it was made from. The option has no effect without a target size, with processors,
    /// or with a `bodyToStore` hook. Loads with `refreshCached` or `fromLoaderOnly` do not use
    /// stored thumbnails.
    public static let readKeptThumbnail = LoadingOptions(rawValue: 1 << 19)
    /// Stores the image on disk as a thumbnail, at the size at which it is shown.
    ///
    /// `readKeptThumbnail` uses this thumbnail. The thumbnail is stored losslessly, after the image
    /// has been delivered, and counts toward the size limit of the disk cache. It is stored only if
    /// the body is stored. Bodies of a few kilobytes, damaged files and images of more than half a
    /// megapixel get no thumbnails. Local files get thumbnails even though the files themselves are
    /// not stored. If a file has changed, the next load that detects the change removes all its
    /// thumbnails. The option has no effect with `cacheMemoryOnly`, or whenever `readKeptThumbnail`
    /// has no effect.
    public static let writeKeptThumbnail = LoadingOptions(rawValue: 1 << 20)
    /// Combines `readKeptThumbnail` and `writeKeptThumbnail`.
    ///
    /// Previously viewed images are then shown immediately.
    public static let keptThumbnails: LoadingOptions = [.readKeptThumbnail, .writeKeptThumbnail]
}

/// The rule for how long a body on disk is used without contacting its server.
public enum CachePolicy: Hashable, Sendable {
    /// The server decides, according to HTTP (RFC 9111): Cache-Control, Expires, Age, validators.
    ///
    /// An image that was received with `no-store` is not stored on disk.
    case respectHTTP
    /// The image at a URL is assumed never to change, so it is not revalidated.
    ///
    /// All images are stored until the cache is cleaned. `refreshCached` revalidates them anyway.
    case ignoreHTTP
}
