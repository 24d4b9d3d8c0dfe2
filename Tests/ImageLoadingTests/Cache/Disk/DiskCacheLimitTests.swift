import Foundation
import Testing

@testable import ImageLoading

/// Limits of the disk cache that change while it is used, and the files of its bodies.
struct DiskCacheLimitTests {
    private let bench: CacheBench
    private let block: Int

    init() throws {
        bench = try CacheBench()
        block = try bench.blockByteCount()
    }

    private func fill(_ cache: DiskCache, _ names: [String]) async throws {
        for name in names {
            cache.store(body(block), for: try bench.url(name))
            await cache.flush()
        }
    }

    private func waitUntilIdle(_ cache: DiskCache) async {
        while cache.isBusy { await cache.flush() }
    }

    // MARK: Bytes

    @Test func `a limit of 0 keeps nothing`() async throws {
        let cache = await bench.cache(byteLimit: 0)

        cache.store(body(10), for: try bench.url("a"))

        #expect(await cache.data(for: try bench.url("a")) == nil)
        await cache.flush()
        #expect(bench.fileNames().isEmpty)
        #expect(cache.failures.writeCount == 0)
    }

    @Test func `a limit of 0 deletes existing entries on first use`() async throws {
        try bench.plant(body(10), for: "a")
        let cache = await bench.cache(byteLimit: 0)

        await waitUntilIdle(cache)

        #expect(try !bench.exists("a"))
    }

    @Test func `the largest number is no limit`() async throws {
        let cache = await bench.cache(byteLimit: .max)

        try await fill(cache, (0..<20).map(String.init))

        #expect(await cache.clean() == CacheStatistics())
        #expect(cache.statistics.entryCount == 20)
        #expect(cache.statistics.byteLimit == .max)
    }

    @Test func `a lower limit immediately deletes the longest unused entries`() async throws {
        let cache = await bench.cache()
        try await fill(cache, (0..<10).map(String.init))

        cache.byteLimit = 5 * block
        await waitUntilIdle(cache)

        #expect(cache.byteLimit == 5 * block)
        #expect(cache.configuration.byteLimit == 5 * block)
        #expect(cache.statistics.byteCount <= 5 * block)
        #expect(cache.statistics.byteLimit == 5 * block)
        #expect(await !cache.contains(try bench.url("0")))
        #expect(await cache.contains(try bench.url("9")))
        #expect(try bench.allocatedByteCount() == cache.statistics.byteCount)
    }

    @Test func `a limit that is set before the first use holds from the first use`() async throws {
        for name in ["a", "b"] { try bench.plant(body(block), for: name) }
        let cache = DiskCache(
            configuration: DiskCacheConfiguration(directory: bench.directory),
            clock: bench.clock.clock
        )

        cache.byteLimit = 0
        await cache.waitForScan()
        await waitUntilIdle(cache)

        #expect(bench.fileNames().allSatisfy { CacheFileName(parsing: $0) == nil })
    }

    @Test func `a higher limit keeps more`() async throws {
        let cache = await bench.cache(byteLimit: 2 * block)
        try await fill(cache, ["a", "b", "c"])
        await waitUntilIdle(cache)
        #expect(cache.statistics.entryCount < 3)

        cache.byteLimit = .max
        try await fill(cache, ["a", "b", "c"])

        #expect(cache.statistics.entryCount == 3)
    }

    // MARK: Age

    @Test func `a lower age limit deletes expired entries immediately`() async throws {
        for age in [10, 100, 1_000] { try bench.plant(body(10), for: "\(age)", age: age) }
        let cache = await bench.cache()

        cache.maximumAge = .seconds(100)
        await waitUntilIdle(cache)

        #expect(cache.configuration.maximumAge == .seconds(100))
        #expect(try bench.exists("10"))
        #expect(try !bench.exists("100"))
        #expect(try !bench.exists("1000"))
    }

    @Test(arguments: [nil, Duration.seconds(-1)])
    func `no age limit, or a negative one, means forever`(age: Duration?) async throws {
        try bench.plant(body(10), for: "old", age: 1_000_000)
        let cache = await bench.cache(maximumAge: .seconds(10_000_000))

        cache.maximumAge = age
        await waitUntilIdle(cache)

        #expect(await cache.clean() == CacheStatistics())
        #expect(try bench.exists("old"))
    }

    // MARK: Paths

    @Test func `the path of a body refers to exactly its bytes`() async throws {
        let cache = await bench.cache()
        cache.store(body(10_000), for: try bench.url("a.jpg"))

        let path = try #require(await cache.path(for: try bench.url("a.jpg")))

        #expect(path == (try bench.path("a.jpg")))
        #expect(FileManager.default.contents(atPath: path) == Data(body(10_000)))
        #expect(cache.statistics.hits + cache.statistics.misses == 0)
    }

    @Test func `a missing or incomplete body has no path`() async throws {
        let cache = await bench.cache()
        cache.storePartial(body(10), metadata: [], for: try bench.url("a"))

        #expect(await cache.path(for: try bench.url("a")) == nil)
        #expect(await cache.path(for: try bench.url("b")) == nil)
    }

    @Test func `the path may lead into a read-only directory`() async throws {
        try bench.plant(body(10), for: "a")
        var configuration = DiskCacheConfiguration(directory: bench.root + "/own")
        configuration.readOnlyDirectories = [bench.directory]
        let cache = DiskCache(configuration: configuration, clock: bench.clock.clock)

        #expect(await cache.path(for: try bench.url("a")) == (try bench.path("a")))
    }
}
