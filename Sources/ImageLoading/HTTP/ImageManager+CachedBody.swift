/// Information about an image in the disk cache, for display to the user.
///
/// It explains why the stored image is shown. Times are seconds since 1970-01-01 UTC.
package struct CachedBodyFacts: Hashable, Sendable {
    /// The path of the cache file, which contains exactly the body of the image.
    package let path: String
    /// The server's response; nil if the image was not stored from a response.
    package internal(set) var answer: Answer?

    /// The response properties that determine how long the response is used.
    package struct Answer: Hashable, Sendable {
        /// The `ETag` as the server sent it.
        package let entityTag: String?
        /// The time in `Last-Modified`.
        package let lastModified: Int?
        /// The time at which the response arrived or was last confirmed by the server.
        package let received: Int
        /// The number of seconds since the server created the response.
        package let age: Int
        /// The number of seconds the response remains fresh; negative if it is stale.
        package let secondsFresh: Int
        /// Whether the response must be revalidated before each use.
        package let isAskedEachTime: Bool
        /// Whether the server specified how long the response is fresh.
        package let saysHowLong: Bool
    }
}

extension ImageManager {
    /// Returns information about an image in the disk cache, or nil if the cache does not contain
    /// its body.
    ///
    /// The call does not count as a use of the body for eviction and reads only the record of the
    /// body.
    package func cachedBody(for request: ImageRequest) async -> CachedBodyFacts? {
        // An invalid URL is not in any cache; its load reports the error.
        guard let disk = engine.cache.disk, let key = try? engine.resolver.key(for: request),
            let path = await disk.path(for: key.url)
        else { return nil }
        var facts = CachedBodyFacts(path: path)
        let metadata = await disk.bodyMetadata(for: key.url)
        guard let response = metadata.flatMap(CachedResponse.init(decoding:)) else { return facts }
        facts.answer = CachedBodyFacts.Answer(
            response,
            engine.bodyStore.reuse.freshness,
            at: engine.clock.wallTime()
        )
        return facts
    }
}

extension CachedBodyFacts.Answer {
    fileprivate init(_ response: CachedResponse, _ freshness: Freshness, at now: Int) {
        entityTag = response.entityTag?.fieldValue
        lastModified = response.lastModified
        received = response.times.response
        age = freshness.age(of: response, at: now)
        secondsFresh = -freshness.staleness(of: response, at: now)
        isAskedEachTime = response.cacheControl.alwaysRevalidates
        saysHowLong = response.cacheControl.maximumAge != nil || response.expires != nil
    }
}
