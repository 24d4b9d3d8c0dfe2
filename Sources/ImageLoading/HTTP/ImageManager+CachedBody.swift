/// What the disk cache notes of an image's body, for people who want to know why it is shown.
///
/// Times are seconds since 1970-01-01 UTC.
package struct CachedBodyFacts: Hashable, Sendable {
    /// The file, byte for byte the body.
    package let path: String
    /// What the server said of it; nil if it was put there by other means.
    package internal(set) var answer: Answer?

    /// The part of a response that decides how long it is used.
    package struct Answer: Hashable, Sendable {
        /// `ETag`, as the server wrote it.
        package let entityTag: String?
        /// `Last-Modified`.
        package let lastModified: Int?
        /// When it came, or was confirmed.
        package let received: Int
        /// Seconds since the server made it.
        package let age: Int
        /// Seconds for which it is fresh yet; negative once the server is to be asked.
        package let secondsFresh: Int
        /// Whether the server wants to be asked each time.
        package let isAskedEachTime: Bool
        /// Whether the server itself said for how long.
        package let saysHowLong: Bool
    }
}

extension ImageManager {
    /// What the disk cache has of an image; nil if it has nothing.
    ///
    /// Counts as no use of it, and reads no more than its record.
    package func cachedBody(for request: ImageRequest) async -> CachedBodyFacts? {
        // A bad URL is in no cache: the load of it says what is bad.
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
