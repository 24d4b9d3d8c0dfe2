import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// The files that loads store on disk next to bodies or instead of bodies.
struct BodyStoreTests {
    private let origin: CachedOrigin

    init() throws {
        origin = try CachedOrigin()
    }

    private func disk() throws -> DiskCache {
        try #require(origin.harness.manager.engine.cache.disk)
    }

    private func entry() async throws -> DiskEntry? {
        let url = try ImageURL(parsing: origin.url, origin: .local)
        return try await disk().entry(for: url)
    }

    /// Fills both caches, lets the body become stale, and removes the image from memory.
    private func fillStale() async throws {
        try await origin.fill(["cache-control": "max-age=10", "etag": "\"1\""])
        origin.harness.clock.advance(by: .seconds(20))
        origin.harness.manager.clearMemory()
    }

    @Test func `a 304 renews the metadata of the body on disk`() async throws {
        try await fillStale()
        let before = try await entry()
        origin.answer([], status: 304, ["cache-control": "max-age=60"])

        let response = try await origin.harness.load(origin.url).result().get()
        await origin.harness.manager.flush()

        #expect(response.isNotModified)
        #expect(try await entry()?.bytes == before?.bytes)
        #expect(try await entry()?.metadata != before?.metadata)
    }

    // M26
    @Test func `a 304 for a memory-only load does not change the disk`() async throws {
        try await fillStale()
        let before = try await entry()
        origin.answer([], status: 304, ["cache-control": "max-age=60"])

        let load = origin.harness.load(origin.url, options: .cacheMemoryOnly)
        let response = try await load.result().get()
        await origin.harness.manager.flush()

        #expect(response.isNotModified)
        #expect(before != nil)
        #expect(try await entry() == before)
    }

    @Test func `a 304 with no-store removes the body from disk, for a load for memory too`()
        async throws
    {
        try await fillStale()
        origin.answer([], status: 304, ["cache-control": "no-store"])

        let load = origin.harness.load(origin.url, options: .cacheMemoryOnly)
        _ = try await load.result().get()
        await origin.harness.manager.flush()

        #expect(try await entry() == nil)
    }

    @Test func `a body without expiry fields is fresh for the current age limit`()
        async throws
    {
        try await origin.fill([:])
        try disk().maximumAge = .seconds(10)
        origin.harness.clock.advance(by: .seconds(20))
        origin.harness.manager.clearMemory()
        origin.answer(PatternDecoder.bytes(width: 3, height: 3))

        let response = try await origin.harness.load(origin.url).result().get()

        #expect(response.source == .network)
    }
}
