import Foundation
import SystemSupport
import Testing

@testable import ImageLoading

// F26
struct DiskPartialTests {
    let bench: CacheBench
    private let partial = DiskEntry(bytes: body(5_000), metadata: Array("\"etag\"".utf8))

    init() throws {
        bench = try CacheBench()
    }

    private func store(in cache: DiskCache, _ name: String = "a") async throws {
        cache.storePartial(partial.bytes, metadata: partial.metadata, for: try bench.url(name))
        await cache.flush()
    }

    @Test func `a partial is found before it is written, and again after a restart`() async throws {
        let cache = await bench.cache()

        cache.storePartial(partial.bytes, metadata: partial.metadata, for: try bench.url("a"))

        #expect(await cache.partial(for: try bench.url("a")) == partial)
        await cache.flush()
        #expect(await bench.cache().partial(for: try bench.url("a")) == partial)
    }

    @Test func `a partial is never returned by a look-up`() async throws {
        let cache = await bench.cache()

        cache.storePartial(partial.bytes, metadata: partial.metadata, for: try bench.url("a"))
        #expect(await cache.entry(for: try bench.url("a")) == nil)
        #expect(await !cache.contains(try bench.url("a")))
        await cache.flush()

        #expect(await cache.entry(for: try bench.url("a")) == nil)
        #expect(await !cache.contains(try bench.url("a")))
        #expect(cache.statistics.hits == 0)
        #expect(cache.statistics.misses == 2)
    }

    @Test func `looking for a partial counts as neither hit nor miss`() async throws {
        let cache = await bench.cache()
        try await store(in: cache)

        _ = await cache.partial(for: try bench.url("a"))
        _ = await cache.partial(for: try bench.url("b"))

        #expect(cache.statistics.hits == 0)
        #expect(cache.statistics.misses == 0)
    }

    @Test func `a look-up finds the body, or else the part, written or not`() async throws {
        let cache = await bench.cache()
        let url = try bench.url("a")
        #expect(await cache.holding(of: url, priority: .normal)?.partial == nil)

        for isWritten in [false, true] {
            cache.storePartial(partial.bytes, metadata: partial.metadata, for: url)
            if isWritten { await cache.flush() }
            let part = await cache.holding(of: url, priority: .normal)
            #expect(part?.body == nil && part?.partial == partial)
        }
        for isWritten in [false, true] {
            cache.store(body(9), for: url)
            if isWritten { await cache.flush() }
            let whole = await cache.holding(of: url, priority: .normal)
            #expect(whole?.body?.bytes == body(9) && whole?.partial == nil)
        }

        #expect(cache.statistics.hits == 2 && cache.statistics.misses == 3)
    }

    @Test func `a directory that was scanned has no entry that the scan did not find`()
        async throws
    {
        let url = try bench.url("a")
        let cache = await bench.cache()
        let key = cache.key(of: url)
        await cache.waitForScan()
        #expect(cache.expectsNothing(of: key) && cache.confirmsNothing(of: key))
        #expect(cache.statistics.misses == 1)

        // Another process stores a partial body that this cache does not expect.
        let other = await bench.cache()
        try await store(in: other)
        #expect(cache.expectsNothing(of: key) && !cache.confirmsNothing(of: key))
        let next = await bench.cache()
        await next.waitForScan()
        #expect(!next.expectsNothing(of: key))

        cache.storePartial(partial.bytes, metadata: partial.metadata, for: url)
        #expect(!cache.expectsNothing(of: key))
        #expect(cache.statistics.misses == 1)
    }

    @Test func `storing the body removes the partial, written or not`() async throws {
        let cache = await bench.cache()
        try await store(in: cache)
        cache.storePartial(body(10), metadata: [], for: try bench.url("b"))

        for name in ["a", "b"] { cache.store(body(9_000), for: try bench.url(name)) }
        await cache.flush()

        for name in ["a", "b"] {
            #expect(await cache.partial(for: try bench.url(name)) == nil)
            #expect(await cache.data(for: try bench.url(name)) == body(9_000))
        }
        #expect(!bench.fileNames().contains { $0.hasPrefix("part-") })
        #expect(cache.statistics.byteCount == (try bench.allocatedByteCount()))
    }

    @Test func `removing the body takes its partial, too`() async throws {
        let cache = await bench.cache()
        cache.store(body(10), for: try bench.url("a"))
        try await store(in: cache)

        await cache.remove(try bench.url("a"))

        #expect(bench.fileNames() == ["CACHEDIR.TAG"])
        #expect(cache.statistics.byteCount == 0)
    }

    @Test func `a damaged partial body, or one without a record, is deleted`() async throws {
        let cache = await bench.cache()
        try await store(in: cache)
        let name = "part-" + CacheFileName.name(for: try bench.url("a"))
        try Data(body(5_000, seed: 8)).write(
            to: URL(fileURLWithPath: "\(bench.directory)/\(name)")
        )
        try bench.plant(body(10), as: "part-" + CacheFileName.name(for: try bench.url("b")))

        #expect(await cache.partial(for: try bench.url("a")) == nil)
        #expect(await cache.partial(for: try bench.url("b")) == nil)

        await cache.writer.runToEnd(priority: .low) {}
        #expect(bench.fileNames() == ["CACHEDIR.TAG"])
        #expect(cache.failures.damagedCount == 2)
    }

    // F29
    @Test func `clear removes partial bodies, and those of earlier loads are not stored`()
        async throws
    {
        let cache = await bench.cache()
        try await store(in: cache)
        let begun = cache.generation

        await cache.clear()
        cache.storePartial(body(10), metadata: [], for: try bench.url("b"), begun: begun)
        await cache.flush()

        #expect(bench.fileNames() == ["CACHEDIR.TAG"])
    }

    // F12
    @Test func `partials count in the budget and are the first to go`() async throws {
        let block = 8_192
        let cache = await bench.cache(byteLimit: 10 * block)
        for number in 0..<8 { cache.store(body(4_096), for: try bench.url("\(number)")) }
        for number in 20..<30 { try await store(in: cache, "\(number)") }
        for number in 30..<34 { cache.store(body(4_096), for: try bench.url("\(number)")) }
        await cache.flush()
        while cache.state.withLock(\.isEvicting) {
            await cache.writer.runToEnd(priority: .low) {}
        }

        #expect(cache.statistics.byteCount <= 10 * block)
        #expect(cache.statistics.evictions > 0)
        for number in 0..<8 { #expect(try bench.exists("\(number)")) }
    }
}
