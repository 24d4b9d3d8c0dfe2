import Decoders
import Testing

@testable import ImageLoading

/// Clearing, cleaning and removing, side by side.
struct CacheFilesTests {
    private let bench: CacheBench

    init() throws {
        bench = try CacheBench()
    }

    // C21
    @Test func `clean deletes expired files and leaves the rest, which clear deletes too`()
        async throws
    {
        for age in [1, 1_000] { try bench.plant(body(10), for: "\(age)", age: age) }
        let cache = await bench.cache(maximumAge: .seconds(100))

        let cleaned = await cache.clean()
        let isYoungLeft = try bench.exists("1")
        let cleared = await cache.clear()

        #expect(cleaned.entryCount == 1 && isYoungLeft)
        #expect(cleared.entryCount == 1)
        #expect(cache.statistics.entryCount == 0)
    }

    // Open point m
    @Test func `a body is stored under one name, and removing it leaves no other`()
        async throws
    {
        let name = "\(CacheFileName.name(for: try bench.url("a.jpg")))"
        try bench.plant(body(10), as: String(name.prefix(32)))
        let cache = await bench.cache()

        #expect(await cache.data(for: try bench.url("a.jpg")) == nil)
        cache.store(body(20), for: try bench.url("a.jpg"))
        await cache.remove(try bench.url("a.jpg"))

        #expect(await cache.data(for: try bench.url("a.jpg")) == nil)
        #expect(await !cache.contains(try bench.url("a.jpg")))
    }

    // M39
    @Test func `a body stored by the caller is found by URL in either cache, and no other`()
        async throws
    {
        let cache = await bench.cache()
        let memory = MemoryCache(byteLimit: 1 << 20)
        let decoded = try PatternDecoder().decode(
            PatternDecoder.bytes(width: 1, height: 1),
            options: .init()
        )

        cache.store(body(10), for: try bench.url("a"))
        memory.insert(decoded, for: ImageKey(url: try bench.url("a")))

        #expect(await cache.contains(try bench.url("a")))
        #expect(await !cache.contains(try bench.url("b")))
        #expect(memory.anyImage(for: try bench.url("a")) == decoded)
        #expect(memory.anyImage(for: try bench.url("b")) == nil)
    }
}
