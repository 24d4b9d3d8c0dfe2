/// What makes two loads the same work: they share one task.
struct LoadKey: Hashable, Sendable {
    /// What the work is for.
    enum Purpose: Hashable, Sendable {
        /// A decoded image.
        case image
        /// The body as it came, not decoded.
        case data
        /// The body on disk, for later.
        case disk
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

    /// The flags that change what a task does; the others concern the view, the priority or the
    /// policy only.
    private static let relevant: LoadingOptions = [
        .retryFailed, .cacheMemoryOnly, .refreshCached, .fromCacheOnly, .fromLoaderOnly,
        .continueInBackground, .transformAnimatedImage, .keepProcessedOnDisk, .refuseDamaged,
        .acceptThumbnail, .acceptLarger, .includeBody, .readKeptThumbnail, .writeKeptThumbnail,
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
        if request.options.contains(.acceptLarger) { processing.append("larger") }
        self.request = request
        self.url = url
        image = ImageKey(
            url: url,
            targetSize: purpose == .image ? request.targetSize : nil,
            contentMode: request.contentMode,
            processing: purpose == .image ? processing : []
        )
        self.headers = headers
        self.policy = policy
        self.purpose = purpose
        processors = request.processors
        options = request.options.intersection(Self.relevant)
    }

    /// Equal images and flags.
    ///
    /// The URL itself is left out: the image's key has a digest in place of a `data:` URL's
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

    /// Whether an image from memory is one that the request may get.
    func accepts(_ image: DecodedImage) -> Bool {
        (image.damage == nil || !refusesDamaged) && (!image.isThumbnail || acceptsThumbnail)
    }

    var isRefresh: Bool { options.contains(.refreshCached) && !isCacheOnly }
    /// A refresh in the background is no reason to ask a server that just failed.
    var retriesFailed: Bool {
        options.contains(.retryFailed) || (isRefresh && purpose != .disk)
    }
    var isCacheOnly: Bool { options.contains(.fromCacheOnly) }
    var isLoaderOnly: Bool { options.contains(.fromLoaderOnly) }
    /// Whether its bytes are on this machine, or in the URL.
    var isLocal: Bool {
        switch url.scheme {
        case .http, .https, .source: false
        case .file, .data, .archive: true
        }
    }
    /// Whether a transfer may come of it.
    var mayNeedTransfer: Bool { !isLocal && !isCacheOnly }
    var staysInMemory: Bool { options.contains(.cacheMemoryOnly) }
    var continuesInBackground: Bool { options.contains(.continueInBackground) }
    /// Whether what is made of the body is kept on disk, too.
    var keepsProcessed: Bool {
        purpose == .image && !processors.isEmpty && options.contains(.keepProcessedOnDisk)
    }
    /// Whether the image may be one that was kept as it was shown, which has no body with it; what
    /// processors make of one is kept in another form.
    var readsThumbnail: Bool {
        options.contains(.readKeptThumbnail) && hasThumbnail && !isLoaderOnly && !isRefresh
            && !includesBody && !acceptsLarger
    }
    /// Whether the image is kept on disk as it is shown.
    var keepsThumbnail: Bool {
        options.contains(.writeKeptThumbnail) && hasThumbnail && !staysInMemory && !acceptsLarger
    }
    private var hasThumbnail: Bool {
        purpose == .image && processors.isEmpty && image.targetSize != nil
    }
    /// Whether the thumbnail in the file may be the image.
    var acceptsLarger: Bool { options.contains(.acceptLarger) }
    var acceptsThumbnail: Bool { options.contains(.acceptThumbnail) }
    /// Whether a damaged image is an error.
    var refusesDamaged: Bool { options.contains(.refuseDamaged) }
    /// Whether the response has the body, too.
    var includesBody: Bool { purpose == .data || options.contains(.includeBody) }
    var transformsAnimated: Bool { options.contains(.transformAnimatedImage) }
}

/// Finds out which work a request stands for: checks its URL, and asks the hooks that have a say in
/// which image is meant.
struct RequestResolver: Sendable {
    let hooks: LoadingHooks
    /// The header fields of every request.
    let usualHeaders: [HeaderField]
    /// Schemes that the program has sources of its own for.
    var sources: Set<String> = []
    /// Whether every load is one from the caches only.
    var isOffline = false

    func key(
        for request: ImageRequest,
        purpose: LoadKey.Purpose = .image
    ) throws(ImageLoadingError) -> LoadKey {
        var request = request
        if isOffline { request.options.insert(.fromCacheOnly) }
        var url = try ImageURL(
            parsing: request.url,
            origin: request.origin,
            sources: sources
        )
        // What is kept is named by digests; local files are not kept.
        if url.scheme != .file, url.scheme != .archive { try MessageDigest.requireLibrary() }
        let headers = headers(of: request, url: url)
        let policy = policy(of: request, url: url)
        let name = hooks.cacheKey?(url)
        let suffix = variantSuffix(headers, policy)
        url.cacheName = suffix.isEmpty ? name : (name ?? url.cacheKey) + suffix
        return LoadKey(request, url: url, headers: headers, policy: policy, purpose: purpose)
    }

    /// What tells the bytes for these fields and this policy from those that everybody gets: a
    /// digest, as no secret must get into a file's name.
    ///
    /// No URL here has a fragment, so no other key ends like this.
    private func variantSuffix(_ headers: [HeaderField], _ policy: TransferPolicy) -> String {
        let own = headers == usualHeaders ? [] : headers.filter { !usualHeaders.contains($0) }
        let variant = RequestVariant(headers: own, policy: policy)
        // What came unchecked must not be shown to a request that wants it checked.
        let unchecked = policy.allowsInvalidCertificates ? "#unchecked" : ""
        return (variant.map { "#" + $0.digest } ?? "") + unchecked
    }

    func headers(of request: ImageRequest, url: ImageURL) -> [HeaderField] {
        let headers = HeaderField.joined(usualHeaders, request.headers)
        return hooks.headers?(url, headers) ?? headers
    }

    private func policy(of request: ImageRequest, url: ImageURL) -> TransferPolicy {
        var policy = TransferPolicy()
        policy.handlesCookies = request.options.contains(.handleCookies)
        policy.allowsInvalidCertificates = request.options.contains(.allowInvalidCertificates)
        policy.refusesPrivateAddresses = request.origin.refusesPrivateAddresses
        policy.heedsRobotsTag = request.options.contains(.heedRobotsTag)
        if let credentials = hooks.credentials, let host = url.host {
            policy.credentials = credentials(host)
        }
        return policy
    }
}

extension HeaderField {
    /// `usual` fields and a request's `own`, which win by name.
    static func joined(_ usual: [HeaderField], _ own: [HeaderField]) -> [HeaderField] {
        guard !own.isEmpty else { return usual }
        return usual.filter { field in !own.contains { $0.isNamed(field.name) } } + own
    }
}

extension RequestOrigin {
    /// Whether its URLs may lead to this machine and its neighbours.
    var refusesPrivateAddresses: Bool { self == .remoteFeed }
}
