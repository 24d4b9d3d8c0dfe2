public import Decoders
internal import SystemSupport

/// A set of cache levels.
public struct CacheLevels: OptionSet, Hashable, Sendable {
    /// The raw bits.
    public let rawValue: UInt8

    /// Creates a set from raw bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Decoded images, keyed by URL, size, content mode and processors.
    public static let memory = CacheLevels(rawValue: 1)
    /// Bodies as received, keyed by URL.
    public static let disk = CacheLevels(rawValue: 2)
    /// Both levels.
    public static let all: CacheLevels = [.memory, .disk]
}

/// Methods that find, store and remove the cached data for one request.
///
/// An invalid URL is never cached. For such a URL, methods that store or remove data throw an
/// error.
extension ImageManager {
    // MARK: Lookup

    /// Returns the image from memory, at the request's size and with its processors.
    ///
    /// This method performs no I/O. The call counts as a use of the image for eviction, and as a
    /// hit or a miss in the statistics.
    public func imageInMemory(for request: ImageRequest) -> DecodedImage? {
        guard let key = key(of: request), let image = engine.cache.memory.image(for: key.image),
            key.accepts(image)
        else { return nil }
        return image
    }

    /// Returns the image from memory; renamed to `imageInMemory(for:)`.
    ///
    /// An `async` function cannot call this method, because the asynchronous method that also
    /// searches the disk has the same name.
    @available(*, deprecated, renamed: "imageInMemory(for:)")
    public func cachedImage(for request: ImageRequest) -> DecodedImage? {
        imageInMemory(for: request)
    }

    /// Returns the image from memory, or decodes its body from disk.
    ///
    /// The body may be stale. The network is never used.
    public func cachedImage(for request: ImageRequest) async -> DecodedImage? {
        var request = request
        request.options.insert(.fromCacheOnly)
        request.options.remove(.fromLoaderOnly)
        request.alternatives = []
        return try? await response(for: request).image
    }

    /// Returns the cache levels that contain the requested image.
    ///
    /// The memory cache must contain the image at the request's size and with its processors. The
    /// disk cache must contain the image's body, fresh or stale. The call counts neither as a use
    /// of the image or its body for eviction nor as a hit or a miss in the statistics.
    public func cacheLevels(of request: ImageRequest) async -> CacheLevels {
        guard let key = key(of: request) else { return [] }
        var levels: CacheLevels = engine.cache.memory.contains(key.image) ? .memory : []
        if await engine.cache.disk?.contains(key.url) == true { levels.insert(.disk) }
        return levels
    }

    /// Returns whether memory contains the image at the request's size and with its processors, as
    /// `cacheLevels(of:)` reports it.
    ///
    /// This method performs no I/O. The call counts neither as a use of the image for eviction nor
    /// as a hit or a miss in the statistics.
    public func isInMemory(_ request: ImageRequest) -> Bool {
        key(of: request).map { engine.cache.memory.contains($0.image) } ?? false
    }

    /// Returns whether memory contains the image at any size, without performing I/O.
    package func isInMemoryAtAnySize(_ request: ImageRequest) -> Bool {
        key(of: request).flatMap { engine.cache.memory.anyImage(for: $0.url) } != nil
    }

    /// Returns whether the disk cache contains the image's body, fresh or stale.
    public func isOnDisk(_ request: ImageRequest) async -> Bool {
        guard let key = key(of: request) else { return false }
        return await engine.cache.disk?.contains(key.url) ?? false
    }

    /// Returns the path of the file that contains only the body of the image, byte for byte.
    ///
    /// Returns nil if the disk cache does not contain the body. The cache owns the file: read, link
    /// or copy it, but never write to it. The cache may delete the file at any time, which does not
    /// affect a reader that has opened it.
    public func cachedFile(for request: ImageRequest) async -> String? {
        guard let key = key(of: request) else { return nil }
        return await engine.cache.disk?.path(for: key.url)
    }

    // MARK: Storing

    /// Stores a body in the disk cache as if it had been downloaded.
    ///
    /// The body is used until the cache evicts it or a load refreshes it, even after the program is
    /// restarted. Images of the URL are removed from memory; the next load decodes the body and
    /// stores its image there. A remembered failure of the URL is cleared.
    ///
    /// Throws an error if the URL is invalid. The method may be called on any thread. It returns
    /// before the body is written; call `flush()` to wait for the write.
    public func store(
        _ bytes: [UInt8],
        for request: ImageRequest
    ) throws(ImageLoadingError) {
        let key = try engine.resolver.key(for: request)
        engine.cache.memory.remove(key.url)
        engine.cache.disk?.store(bytes, for: key.url)
        engine.failures.withLock { $0.forget(key.url) }
    }

    /// Stores an image for a request in the specified cache levels.
    ///
    /// By default, later loads find the image in memory. After the program is restarted, they find
    /// it on disk, like a body stored by `store(_:for:)`.
    ///
    /// In memory, the image is stored for the size and the processors of the request. It may be
    /// used from memory for `timeToLive`; nil means the default of the memory cache.
    ///
    /// On disk, the image becomes the body of the URL. Images of other sizes are made from this
    /// body. If the image has an alpha channel or was decoded from a PNG, it is written as PNG;
    /// otherwise, it is written as JPEG with quality 92. `encoding` can change this. The image is
    /// encoded on the decode threads, and images of other sizes are removed from memory. An
    /// animation is stored only in memory, unless `encoding` allows writing its first frame.
    ///
    /// Throws an error if the URL is invalid, and `ImageLoadingError.cancelled` if the task is
    /// cancelled while the image waits to be encoded. The method may be called on any thread.
    public func store(
        _ image: DecodedImage,
        for request: ImageRequest,
        in levels: CacheLevels = .all,
        timeToLive: Duration? = nil,
        encoding: ImageEncodingOptions = ImageEncodingOptions()
    ) async throws(ImageLoadingError) {
        let key = try engine.resolver.key(for: request)
        if levels.contains(.disk), let disk = engine.cache.disk {
            let work = PriorityHandle(priority: request.effectivePriority)
            let bytes = try await engine.decoding.perform(work) { _ throws(ImageLoadingError) in
                encoding.encode(image)
            }
            if let bytes { disk.store(bytes, for: key.url) }
            // The other sizes in memory were made from the body that the new image replaces.
            engine.cache.memory.remove(key.url)
        }
        if levels.contains(.memory) {
            engine.cache.memory.insert(image, for: key.image, timeToLive: timeToLive)
        }
        engine.failures.withLock { $0.forget(key.url) }
    }

    // MARK: Removing

    /// Removes an image from the specified cache levels, at all sizes.
    ///
    /// Returns after the image has been removed.
    public func removeCached(
        _ request: ImageRequest,
        from levels: CacheLevels = .all
    ) async throws(ImageLoadingError) {
        let key = try engine.resolver.key(for: request)
        if levels.contains(.memory) { engine.cache.memory.remove(key.url) }
        if levels.contains(.disk) { await engine.cache.disk?.remove(key.url) }
    }

    private func key(of request: ImageRequest) -> LoadKey? {
        // The key is nil for an invalid URL; a load of the URL reports the error.
        try? engine.resolver.key(for: request)
    }
}
