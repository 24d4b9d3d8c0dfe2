extension ImageManager {
    /// Whether memory has the picture, at any size; no I/O (row M39).
    public func isInMemory(_ request: ImageRequest) -> Bool {
        guard let key = try? resolver.key(for: request) else { return false }  // bad URLs have none
        return cache.memory.anyImage(for: key.url) != nil
    }

    /// Whether the disk cache has the picture's body, fresh or not (row M39).
    public func isOnDisk(_ request: ImageRequest) async -> Bool {
        guard let key = try? resolver.key(for: request) else { return false }  // bad URLs have none
        return await cache.disk?.contains(key.url) ?? false
    }

    /// Puts a body into the disk cache as if it had been downloaded, and forgets that its URL failed
    /// (row M39).
    ///
    /// It is used until it is cleaned away or refreshed. Throws for a bad URL.
    public func store(
        _ bytes: [UInt8],
        for request: ImageRequest
    ) throws(ImageLoadingError) {
        let key = try resolver.key(for: request)
        cache.memory.remove(key.url)
        cache.disk?.store(bytes, for: key.url)
        failures.withLock { $0.forget(key.url) }
    }

    /// Removes a picture from both caches at all sizes; it is gone when this returns (row C17).
    ///
    /// Throws for a bad URL.
    public func removeCached(_ request: ImageRequest) async throws(ImageLoadingError) {
        let key = try resolver.key(for: request)
        cache.memory.remove(key.url)
        await cache.disk?.remove(key.url)
    }
}
