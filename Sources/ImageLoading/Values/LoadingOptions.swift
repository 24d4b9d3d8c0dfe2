/// What a load does otherwise than usual; SDWebImage's names, with bits of our own.
public struct LoadingOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Makes a set from bits.
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Ignore the memory of failed URLs for this load.
    public static let retryFailed = LoadingOptions(rawValue: 1 << 0)
    /// Keep the result in memory only, write nothing to disk.
    public static let cacheMemoryOnly = LoadingOptions(rawValue: 1 << 1)
    /// Show what is cached at once, then ask the server whether it has changed.
    public static let refreshCached = LoadingOptions(rawValue: 1 << 2)
    /// Show the placeholder only if the load ends without an image.
    public static let delayPlaceholder = LoadingOptions(rawValue: 1 << 3)
    /// Hand the image to the completion instead of setting it.
    public static let avoidAutoSetImage = LoadingOptions(rawValue: 1 << 4)
    /// Answer from the caches only, stale or not; a miss is an error (offline browsing).
    public static let fromCacheOnly = LoadingOptions(rawValue: 1 << 5)
    /// Ask the network only; the result is kept as usual.
    public static let fromLoaderOnly = LoadingOptions(rawValue: 1 << 6)
    /// Run at `LoadPriority.low`, whatever the request says.
    public static let lowPriority = LoadingOptions(rawValue: 1 << 7)
    /// Run at `LoadPriority.high`, whatever the request says; wins over `lowPriority`.
    public static let highPriority = LoadingOptions(rawValue: 1 << 8)
    /// Deliver previews while the body arrives.
    public static let progressive = LoadingOptions(rawValue: 1 << 9)
    /// Send and keep cookies, in memory and by host.
    public static let handleCookies = LoadingOptions(rawValue: 1 << 10)
    /// Accept a certificate that can't be verified from the URL's own host.
    public static let allowInvalidCertificates = LoadingOptions(rawValue: 1 << 11)
    /// Run processors on the first frame of animated pictures too.
    public static let transformAnimatedImage = LoadingOptions(rawValue: 1 << 12)
    /// Finish the transfer to disk after the last listener has gone.
    public static let continueInBackground = LoadingOptions(rawValue: 1 << 13)
    /// End with the first picture that more of the body would not change at the target size, and
    /// stop the transfer if the rest is worth it.
    ///
    /// What has come is kept on disk as a partial body: it answers the same request again, and a
    /// load that needs more of it resumes there. Loads that share the work must all ask for it. Of
    /// no effect without a target size, with an older body on disk, or with a `transformBody` hook.
    public static let stopWhenSufficient = LoadingOptions(rawValue: 1 << 14)
    /// Wait for a host that can't be reached, fails again and again or asks for a pause, for as long
    /// as `DownloaderConfiguration.patience` says, in place of failing at once.
    ///
    /// For pictures that somebody wants however long it takes: a batch, or a cell that is looked at.
    /// Of no effect if there is a picture to show instead.
    public static let waitForHost = LoadingOptions(rawValue: 1 << 16)
    /// Take a damaged file, or one that ends too early, for an error, in place of showing what there
    /// is of it (`DecodedImage.damage`).
    public static let refuseDamaged = LoadingOptions(rawValue: 1 << 17)
    /// Take the thumbnail that a camera put into the file for the image, where it has the pixels that are
    /// asked for and nothing says that it is of another picture (`DecodedImage.isThumbnail`).
    ///
    /// With `stopWhenSufficient` its transfer ends behind it, after some ten kilobytes. Of no effect
    /// without a target size.
    public static let acceptThumbnail = LoadingOptions(rawValue: 1 << 18)
    /// Take an image that is larger than asked for where it is cheaper to make, less than twice each way:
    /// for programs that reduce it themselves (`DecodingOptions.acceptsLarger`).
    ///
    /// Kept in memory apart from others of the same size, and not on disk.
    public static let acceptLarger = LoadingOptions(rawValue: 1 << 23)
    /// Hand over the body as well (`ImageResponse.body`), for a program that needs both.
    ///
    /// Memory, which has no bodies, does not answer such a load.
    public static let includeBody = LoadingOptions(rawValue: 1 << 21)
    /// Take it for an error if a server says that an image must not be collected, indexed or used for
    /// training (`X-Robots-Tag`), before the body comes: for programs that gather images of many.
    ///
    /// What is in the caches already answers all the same.
    public static let heedRobotsTag = LoadingOptions(rawValue: 1 << 22)
    /// Keep the processed image on disk beside the body it was made from, so that a program that
    /// starts again need not decode and process it anew.
    ///
    /// An opaque image of a JPEG is kept as JPEG of quality 92, everything else without loss. Of no
    /// effect without processors, and for animations.
    public static let keepProcessedOnDisk = LoadingOptions(rawValue: 1 << 15)
    /// Take an image that was kept on disk as it was shown, if nothing has changed since: nothing is
    /// decoded then, and of a body or a file no more is looked at than what tells whether it is the same.
    ///
    /// It answers whenever its body would have, by the same rules. Of no effect without a target size,
    /// with processors, or with a `bodyToStore` hook; `refreshCached` and `fromLoaderOnly` look for
    /// none.
    public static let readKeptThumbnail = LoadingOptions(rawValue: 1 << 19)
    /// Keep the image on disk as it is shown, for `readKeptThumbnail`: without loss, in the budget of the
    /// disk cache, written after it was told.
    ///
    /// Only where its body is kept, and not of one of a few kilobytes, of a damaged file, or of more than
    /// half a megapixel. Those of local files are kept as well, though the files are not; all leave with
    /// the next load that finds the file changed. Of no effect with `cacheMemoryOnly`, and where
    /// `readKeptThumbnail` has none.
    public static let writeKeptThumbnail = LoadingOptions(rawValue: 1 << 20)
    /// Both: what was seen before is shown at once.
    public static let keptThumbnails: LoadingOptions = [.readKeptThumbnail, .writeKeptThumbnail]
}

/// What decides how long a body on disk answers without its server being asked.
public enum CachePolicy: Hashable, Sendable {
    /// The server, by HTTP's rules (RFC 9111): Cache-Control, Expires, Age, validators; a picture
    /// that `no-store` came with is not kept on disk.
    case respectHTTP
    /// Nobody: a picture never changes under its URL, and every one is kept until it is cleaned
    /// away.
    ///
    /// `refreshCached` asks all the same.
    case ignoreHTTP
}
