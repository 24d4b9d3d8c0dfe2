/// What makes two loads the same work: they share one run.
struct LoadKey: Hashable, Sendable {
    /// What the work is for.
    enum Purpose: Hashable, Sendable {
        /// A decoded picture.
        case picture
        /// The body on disk, for later.
        case warmDisk
    }

    /// The first request for it.
    let request: ImageRequest
    /// Where it is, and under which name the caches know it.
    let url: ImageURL
    /// Name, size, content mode and processors: the key in the memory cache.
    let image: ImageKey
    /// The complete header fields of its transfer.
    let headers: [HeaderField]
    let policy: TransferPolicy
    let processors: [ImageProcessor]
    let purpose: Purpose
    private let options: LoadingOptions

    /// The flags that change what a run does; the others concern the view, the priority or the
    /// policy only.
    private static let relevant: LoadingOptions = [
        .retryFailed, .cacheMemoryOnly, .refreshCached, .fromCacheOnly, .fromLoaderOnly,
        .continueInBackground, .transformAnimatedImage,
    ]

    init(
        _ request: ImageRequest,
        url: ImageURL,
        headers: [HeaderField],
        policy: TransferPolicy,
        purpose: Purpose
    ) {
        var processing = request.processors.map(\.identifier)
        if !processing.isEmpty, request.options.contains(.transformAnimatedImage) {
            processing.append("animated")
        }
        self.request = request
        self.url = url
        image = ImageKey(
            url: url,
            targetSize: purpose == .picture ? request.targetSize : nil,
            contentMode: request.contentMode,
            processing: purpose == .picture ? processing : []
        )
        self.headers = headers
        self.policy = policy
        self.purpose = purpose
        processors = request.processors
        options = request.options.intersection(Self.relevant)
    }

    /// Equal pictures and flags.
    ///
    /// The URL itself is left out: the picture's key has a digest in place of a `data:` URL's
    /// megabytes, which must not be hashed under a lock. So are the headers, of which it has a
    /// digest too.
    static func == (left: LoadKey, right: LoadKey) -> Bool {
        left.image == right.image && left.options == right.options
            && left.purpose == right.purpose && left.policy == right.policy
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(image)
        hasher.combine(options)
    }

    var isRefresh: Bool { options.contains(.refreshCached) && !isCacheOnly }
    /// A refresh that nobody waits for is no reason to ask a server that just failed.
    var retriesFailed: Bool {
        options.contains(.retryFailed) || (isRefresh && purpose == .picture)
    }
    var isCacheOnly: Bool { options.contains(.fromCacheOnly) }
    var isLoaderOnly: Bool { options.contains(.fromLoaderOnly) }
    /// Whether a transfer may come of it.
    var mayNeedTransfer: Bool {
        switch url.scheme {
        case .http, .https: !isCacheOnly
        case .file, .data: false
        }
    }
    var staysInMemory: Bool { options.contains(.cacheMemoryOnly) }
    var continuesInBackground: Bool { options.contains(.continueInBackground) }
    var transformsAnimated: Bool { options.contains(.transformAnimatedImage) }
}
