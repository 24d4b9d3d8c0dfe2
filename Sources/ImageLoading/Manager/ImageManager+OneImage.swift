public import Decoders

/// One of the two caches, or both.
public struct CacheLevels: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Makes a set of bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Decoded images, by URL, size, content mode and processors.
    public static let memory = CacheLevels(rawValue: 1)
    /// Bodies as they came, by URL.
    public static let disk = CacheLevels(rawValue: 2)
    /// Both.
    public static let all: CacheLevels = [.memory, .disk]
}

/// What the caches have of one request, and how to change that.
///
/// A bad URL is in no cache; what stores or removes throws for one.
extension ImageManager {
    // MARK: Looking

    /// The image from memory, at the request's size and with its processors; no I/O.
    ///
    /// Counts as a use, and as a hit or a miss.
    public func cachedImage(for request: ImageRequest) -> DecodedImage? {
        guard let key = key(of: request), let image = engine.cache.memory.image(for: key.image),
            key.accepts(image)
        else { return nil }
        return image
    }

    /// The image from memory, or made of the body on disk, however old; never from the network.
    public func cachedImage(for request: ImageRequest) async -> DecodedImage? {
        var request = request
        request.options.insert(.fromCacheOnly)
        request.options.remove(.fromLoaderOnly)
        request.alternatives = []
        return try? await response(for: request).image
    }

    /// Which caches have just what the request asks for: memory the image at its size and with its
    /// processors, the disk its body, fresh or not.
    ///
    /// Counts as nothing.
    public func cacheLevels(of request: ImageRequest) async -> CacheLevels {
        guard let key = key(of: request) else { return [] }
        var levels: CacheLevels = engine.cache.memory.contains(key.image) ? .memory : []
        if await engine.cache.disk?.contains(key.url) == true { levels.insert(.disk) }
        return levels
    }

    /// Whether memory has the image, at any size; no I/O.
    public func isInMemory(_ request: ImageRequest) -> Bool {
        key(of: request).flatMap { engine.cache.memory.anyImage(for: $0.url) } != nil
    }

    /// Whether the disk cache has the image's body, fresh or not.
    public func isOnDisk(_ request: ImageRequest) async -> Bool {
        guard let key = key(of: request) else { return false }
        return await engine.cache.disk?.contains(key.url) ?? false
    }

    /// The path of the file that has the image's body, byte for byte; nil if the disk hasn't.
    ///
    /// The file belongs to the cache: read it, link it or copy it, never write to it. It may be
    /// deleted at any time, which a reader that has it open does not notice.
    public func cachedFile(for request: ImageRequest) async -> String? {
        guard let key = key(of: request) else { return nil }
        return await engine.cache.disk?.path(for: key.url)
    }

    // MARK: Storing

    /// Puts a body into the disk cache as if it had been downloaded, and forgets that its URL failed.
    ///
    /// What memory has of the URL goes. The body is used until it is cleaned away or refreshed.
    public func store(
        _ bytes: [UInt8],
        for request: ImageRequest
    ) throws(ImageLoadingError) {
        let key = try engine.resolver.key(for: request)
        engine.cache.memory.remove(key.url)
        engine.cache.disk?.store(bytes, for: key.url)
        engine.failures.withLock { $0.forget(key.url) }
    }

    /// Puts an image into memory, where it answers this request, at its size and with its
    /// processors; on disk it stands for the body of the URL, from which other sizes are made.
    ///
    /// On disk an opaque image of a JPEG is written as JPEG of quality 92, everything else as PNG,
    /// encoded on the decode threads, and images of other sizes are removed from memory. `timeToLive` is how long it may be used from memory; nil is the
    /// cache's own. An animation is kept in memory only.
    public func store(
        _ image: DecodedImage,
        for request: ImageRequest,
        in levels: CacheLevels = .memory,
        timeToLive: Duration? = nil
    ) async throws(ImageLoadingError) {
        let key = try engine.resolver.key(for: request)
        if levels.contains(.disk), let disk = engine.cache.disk {
            let work = PriorityHandle(priority: request.effectivePriority)
            let bytes = try await engine.decoding.perform(work) { _ throws(ImageLoadingError) in
                EncodedImage(image)?.bytes
            }
            if let bytes { disk.store(bytes, for: key.url) }
            // The other sizes in memory were made of the body that this one replaces.
            engine.cache.memory.remove(key.url)
        }
        if levels.contains(.memory) {
            engine.cache.memory.insert(image, for: key.image, timeToLive: timeToLive)
        }
        engine.failures.withLock { $0.forget(key.url) }
    }

    // MARK: Removing

    /// Removes an image from the caches that are named, at all sizes; it is gone when this returns.
    public func removeCached(
        _ request: ImageRequest,
        from levels: CacheLevels = .all
    ) async throws(ImageLoadingError) {
        let key = try engine.resolver.key(for: request)
        if levels.contains(.memory) { engine.cache.memory.remove(key.url) }
        if levels.contains(.disk) { await engine.cache.disk?.remove(key.url) }
    }

    private func key(of request: ImageRequest) -> LoadKey? {
        // Nil for a bad URL: the load of it says what is bad.
        try? engine.resolver.key(for: request)
    }
}
