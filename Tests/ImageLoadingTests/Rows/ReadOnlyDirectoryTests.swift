import Testing

@testable import ImageLoading

/// Caches that came with a program, or belong to somebody else.
struct ReadOnlyDirectoryTests {
    private let own: CacheBench
    private let prepared: CacheBench

    init() throws {
        own = try CacheBench()
        prepared = try CacheBench()
    }

    private func cache() -> DiskCache {
        var configuration = DiskCacheConfiguration(directory: own.directory)
        configuration.readOnlyDirectories = ["/nowhere", prepared.directory]
        return DiskCache(configuration: configuration, clock: own.clock.clock)
    }

    /// Has another cache keep these bodies.
    private func prepare(_ names: [String]) async throws {
        let cache = await prepared.cache()
        for name in names { cache.store(body(10), for: try prepared.url(name)) }
        await cache.flush()
    }

    // C18
    @Test func `what is missing is looked for in the read-only directories`() async throws {
        try await prepare(["a"])
        let cache = cache()

        #expect(await cache.data(for: try own.url("a")) == body(10))
        #expect(await cache.contains(try own.url("a")))
        #expect(await cache.data(for: try own.url("b")) == nil)
    }

    // C18
    @Test func `one's own directory is asked first`() async throws {
        try await prepare(["a"])
        let cache = cache()

        cache.store(body(20), for: try own.url("a"))
        await cache.flush()

        #expect(await cache.data(for: try own.url("a")) == body(20))
    }

    // C18
    @Test func `whatever is done to the cache leaves the read-only directories as they are`()
        async throws
    {
        try await prepare(["a", "b"])
        let before = prepared.fileNames()
        let cache = cache()
        _ = await cache.data(for: try own.url("a"))

        cache.store(body(20), for: try own.url("a"))
        await cache.remove(try own.url("b"))
        await cache.clean()
        await cache.clear()

        #expect(prepared.fileNames() == before)
        #expect(await cache.data(for: try own.url("a")) == body(10))
    }
}
