internal import SystemSupport

/// The properties that determine the work of a load; loads with equal keys share one task.
struct LoadKey: Hashable, Sendable {
    enum Purpose: Hashable, Sendable {
        /// A decoded image.
        case image
        /// The undecoded body.
        case data
        /// The body on disk, for later use.
        case disk
    }

    /// The request that the key was created from.
    ///
    /// The request is not compared, so loads that share a task use the request of the first load.
    let request: ImageRequest
    /// The URL of the image, including its name in the caches.
    let url: ImageURL
    /// The local data of the image, if one of the program's sources provides it.
    ///
    /// The property is stored on the heap, because most keys have no such data and keys are often
    /// copied.
    @OnHeap private(set) var localData: (any LocalImageData)?
    /// The key in the memory cache: the URL's name in the caches, size, content mode and
    /// processors.
    let image: ImageKey
    /// All header fields of the request.
    let headers: [HeaderField]
    let policy: TransferPolicy
    let processors: [ImageProcessor]
    let purpose: Purpose
    private let options: LoadingOptions

    /// The options that affect the work of a task.
    ///
    /// The other options affect only the view, the priority, the policy or a single listener.
    private static let relevant: LoadingOptions = [
        .retryFailed, .cacheMemoryOnly, .refreshCached, .fromCacheOnly, .fromLoaderOnly,
        .continueInBackground, .transformAnimatedImage, .keepProcessedOnDisk, .refuseDamaged,
        .acceptThumbnail, .acceptLarger, .includeBody, .readKeptThumbnail, .writeKeptThumbnail,
    ]

    init(
        _ request: ImageRequest,
        url: ImageURL,
        localData: (any LocalImageData)? = nil,
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
        self.localData = localData
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

    /// Returns whether both keys have the same image key, options, purpose and policy.
    ///
    /// The URL is not compared: a `data:` URL can be megabytes long and must not be hashed while a
    /// lock is held. The image key contains a digest of the URL and the header fields.
    static func == (left: LoadKey, right: LoadKey) -> Bool {
        left.image == right.image && left.options == right.options
            && left.purpose == right.purpose && left.policy == right.policy
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(image)
        hasher.combine(options)
    }

    /// Returns whether the request accepts a cached image.
    ///
    /// The options decide whether it accepts a damaged image or an embedded thumbnail.
    func accepts(_ image: DecodedImage) -> Bool {
        (image.damage == nil || !refusesDamaged) && (!image.isThumbnail || acceptsThumbnail)
    }

    var isRefresh: Bool { options.contains(.refreshCached) && !isCacheOnly }
    /// Whether the load ignores remembered failures.
    ///
    /// A background refresh does not ignore them: it is not important enough to contact a server
    /// that has just failed.
    var retriesFailed: Bool {
        options.contains(.retryFailed) || (isRefresh && purpose != .disk)
    }
    var isCacheOnly: Bool { options.contains(.fromCacheOnly) }
    var isLoaderOnly: Bool { options.contains(.fromLoaderOnly) }
    /// Whether the bytes are on this machine or in the URL.
    var isLocal: Bool {
        switch url.scheme {
        case .http, .https: false
        case .file, .data: true
        case .source: localData != nil
        }
    }
    var mayNeedTransfer: Bool { !isLocal && !isCacheOnly }
    var staysInMemory: Bool { options.contains(.cacheMemoryOnly) }
    var continuesInBackground: Bool { options.contains(.continueInBackground) }
    /// Whether the processed image is also stored on disk.
    var keepsProcessed: Bool {
        purpose == .image && !processors.isEmpty && options.contains(.keepProcessedOnDisk)
    }
    /// Whether the result of the load may be made from a stored thumbnail.
    ///
    /// False for a load that includes the body, because a thumbnail is stored without its body.
    /// Also false for processed images, because they are stored in a different form.
    var readsThumbnail: Bool {
        options.contains(.readKeptThumbnail) && hasThumbnail && !isLoaderOnly && !isRefresh
            && !includesBody && !acceptsLarger
    }
    /// Whether the image is stored on disk as a thumbnail.
    var keepsThumbnail: Bool {
        options.contains(.writeKeptThumbnail) && hasThumbnail && !staysInMemory && !acceptsLarger
    }
    private var hasThumbnail: Bool {
        purpose == .image && processors.isEmpty && image.targetSize != nil
    }
    /// Whether an image that is larger than requested is accepted if it takes less work.
    var acceptsLarger: Bool { options.contains(.acceptLarger) }
    /// Whether the thumbnail embedded in the file is accepted as the result.
    var acceptsThumbnail: Bool { options.contains(.acceptThumbnail) }
    var refusesDamaged: Bool { options.contains(.refuseDamaged) }
    var includesBody: Bool { purpose == .data || options.contains(.includeBody) }
    var transformsAnimated: Bool { options.contains(.transformAnimatedImage) }
}

/// Creates the `LoadKey` for a request.
///
/// It validates the URL and calls the hooks that can change the request or its name in the caches.
struct RequestResolver: Sendable {
    let hooks: LoadingHooks
    /// The header fields of every request.
    let usualHeaders: [HeaderField]
    /// The program's own image sources, keyed by lowercase URL scheme.
    var sources: [String: any ImageDataSource] = [:]
    /// Whether all loads use only the caches.
    var isOffline = false
    var insecureHosts: Set<String> = []

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
        let localData = try localData(of: url)
        // Cached files are named by digests; local files are not cached.
        if url.scheme != .file, localData == nil { try MessageDigest.requireLibrary() }
        let headers = headers(of: request, url: url)
        let policy = policy(of: request, url: url)
        let name = hooks.cacheKey?(url)
        let suffix = variantSuffix(headers, policy)
        url.cacheName = suffix.isEmpty ? name : (name ?? url.cacheKey) + suffix
        return LoadKey(
            request,
            url: url,
            localData: localData,
            headers: headers,
            policy: policy,
            purpose: purpose
        )
    }

    /// Returns the local data of an image from the source registered for the URL's scheme.
    ///
    /// Throws if the URL does not identify an image. Returns nil if the image is not on this
    /// machine.
    private func localData(
        of url: ImageURL
    ) throws(ImageLoadingError) -> (any LocalImageData)? {
        guard case .source(let scheme) = url.scheme, let source = sources[scheme],
            case .local(let data) = try source.location(of: url)
        else { return nil }
        return data
    }

    /// Returns a suffix for the URL's name in the caches.
    ///
    /// The suffix distinguishes a body requested with special header fields or a special policy
    /// from the body of an ordinary request. It contains a digest of the fields and the policy,
    /// because secrets must not appear in file names. URLs have no fragments here, so no other name
    /// ends with `#` and such a digest.
    private func variantSuffix(_ headers: [HeaderField], _ policy: TransferPolicy) -> String {
        let own = headers == usualHeaders ? [] : headers.filter { !usualHeaders.contains($0) }
        let variant = RequestVariant(headers: own, policy: policy)
        // An image loaded without certificate checks must not be used for a request that requires
        // them.
        let unchecked = policy.allowsInvalidCertificates ? "#unchecked" : ""
        return (variant.map { "#" + $0.digest } ?? "") + unchecked
    }

    func headers(of request: ImageRequest, url: ImageURL) -> [HeaderField] {
        let headers = HeaderField.joined(usualHeaders, request.headers)
        guard !isInsecure(url) else { return headers }
        return hooks.headers?(url, headers) ?? headers
    }

    private func isInsecure(_ url: ImageURL) -> Bool {
        !insecureHosts.isEmpty && url.host.map(insecureHosts.contains) == true
    }

    /// Returns the policy as determined by the URL's host alone.
    func basePolicy(for url: ImageURL) -> TransferPolicy {
        var policy = TransferPolicy()
        if isInsecure(url) {
            (policy.allowsInvalidCertificates, policy.mayRevealSecrets) = (true, false)
        }
        return policy
    }

    private func policy(of request: ImageRequest, url: ImageURL) -> TransferPolicy {
        var policy = basePolicy(for: url)
        policy.handlesCookies =
            policy.mayRevealSecrets && request.options.contains(.handleCookies)
        if request.options.contains(.allowInvalidCertificates) {
            policy.allowsInvalidCertificates = true
        }
        policy.refusesPrivateAddresses = request.origin.refusesPrivateAddresses
        policy.heedsRobotsTag = request.options.contains(.heedRobotsTag)
        if policy.mayRevealSecrets, let credentials = hooks.credentials, let host = url.host {
            policy.credentials = credentials(host)
        }
        return policy
    }
}

extension HeaderField {
    /// Returns the `usual` fields and the request's `own` fields; own fields replace usual fields.
    static func joined(_ usual: [HeaderField], _ own: [HeaderField]) -> [HeaderField] {
        guard !own.isEmpty else { return usual }
        return usual.filter { field in !own.contains { $0.isNamed(field.name) } } + own
    }
}

extension RequestOrigin {
    /// Whether URLs of this origin must not refer to this machine or its local network.
    var refusesPrivateAddresses: Bool { self == .remoteFeed }
}
