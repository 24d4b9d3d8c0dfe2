/// What makes two loads the same work: they share one run.
struct LoadKey: Hashable, Sendable {
    let url: ImageURL
    /// URL, size and content mode: the key in the memory cache.
    let image: ImageKey
    private let options: LoadingOptions

    /// The flags that change what a run does; the others concern the view only.
    private static let relevant: LoadingOptions = [
        .retryFailed, .cacheMemoryOnly, .refreshCached, .fromCacheOnly,
    ]

    init(_ request: ImageRequest) throws(ImageLoadingError) {
        url = try ImageURL(parsing: request.url, origin: request.origin)
        image = ImageKey(
            url: url,
            targetSize: request.targetSize,
            contentMode: request.contentMode
        )
        options = request.options.intersection(Self.relevant)
    }

    /// Equal pictures and flags.
    ///
    /// The URL itself is left out: the picture's key has a digest in place of a `data:` URL's
    /// megabytes, which must not be hashed under a lock.
    static func == (left: LoadKey, right: LoadKey) -> Bool {
        left.image == right.image && left.options == right.options
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(image)
        hasher.combine(options)
    }

    var isRefresh: Bool { options.contains(.refreshCached) }
    var retriesFailed: Bool { options.contains(.retryFailed) || isRefresh }
    var isCacheOnly: Bool { options.contains(.fromCacheOnly) }
    var staysInMemory: Bool { options.contains(.cacheMemoryOnly) }
}
