import Foundation
import SystemSupport
import Testing

@testable import ImageLoading

/// Read-only directories, naming, durability and tracing.
struct DiskCacheSettingsTests {
    let bench: CacheBench

    init() throws {
        bench = try CacheBench()
    }

    private func cache(
        tracer: Tracer = .silent,
        calls: FileCalls = FileCalls(),
        _ change: (inout DiskCacheConfiguration) -> Void = { _ in }
    ) async -> DiskCache {
        var configuration = DiskCacheConfiguration(directory: bench.directory)
        change(&configuration)
        let cache = DiskCache(
            configuration: configuration,
            clock: bench.clock.clock,
            tracer: tracer,
            calls: calls
        )
        await cache.waitForScan()
        return cache
    }

    // MARK: Read-only directories

    /// Returns a directory that was filled by another cache or a package.
    private func stocked(_ name: String, _ bodies: [String: [UInt8]]) async throws -> String {
        let path = "\(bench.root)/\(name)"
        let other = await cache { $0.directory = path }
        for (name, bytes) in bodies { other.store(bytes, metadata: [9], for: try bench.url(name)) }
        await other.flush()
        return path
    }

    private func contents(of path: String) throws -> [String: [UInt8]] {
        let names = try FileManager.default.contentsOfDirectory(atPath: path)
        return Dictionary(
            uniqueKeysWithValues: try names.map {
                ($0, Array(try Data(contentsOf: URL(fileURLWithPath: "\(path)/\($0)"))))
            }
        )
    }

    // C18
    @Test func `a look-up continues in the read-only directories, in their order`() async throws {
        let first = try await stocked("first", ["a": body(1), "b": body(2)])
        let second = try await stocked("second", ["b": body(3), "c": body(4)])
        let cache = await cache { $0.readOnlyDirectories = ["/nowhere", first, second] }
        cache.store(body(5), for: try bench.url("a"))
        await cache.flush()

        #expect(await cache.data(for: try bench.url("a")) == body(5))
        #expect(
            await cache.entry(for: try bench.url("b")) == DiskEntry(bytes: body(2), metadata: [9])
        )
        #expect(await cache.data(for: try bench.url("c")) == body(4))
        #expect(await cache.contains(try bench.url("c")))
        #expect(await cache.data(for: try bench.url("d")) == nil)

        #expect(cache.statistics.hits == 3)
        #expect(cache.statistics.misses == 1)
    }

    // C18
    @Test func `nothing changes or counts in a read-only directory`() async throws {
        let extra = try await stocked("extra", ["a": body(10), "damaged": body(10)])
        let damaged = "\(extra)/\(CacheFileName.name(for: try bench.url("damaged")))"
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: damaged))
        try file.write(contentsOf: Data([1, 2, 3]))
        try file.close()
        let before = try contents(of: extra)
        bench.clock.advance(by: 1_000_000)
        let cache = await cache { $0.readOnlyDirectories = [extra] }

        #expect(await cache.data(for: try bench.url("a")) == body(10))
        #expect(await cache.data(for: try bench.url("damaged")) == nil)
        await cache.remove(try bench.url("a"))
        cache.updateMetadata([1], for: try bench.url("a"))
        await cache.clean()
        await cache.clear()

        #expect(try contents(of: extra) == before)
        let path = "\(extra)/\(CacheFileName.name(for: try bench.url("a")))"
        #expect(try FileStatus.of(path).modified == bench.clock.now - 1_000_000)
        #expect(cache.statistics.byteCount == 0)
        #expect(cache.failures.damagedCount == 0)
    }

    // MARK: Naming

    // C7
    @Test func `files may be named by SHA-256 instead`() async throws {
        let cache = await cache { $0.naming = .sha256 }

        cache.store(body(10), for: try bench.url("a.jpg"))
        await cache.flush()

        // printf %s http://a.example/a.jpg | sha256sum | cut -c 1-32
        #expect(bench.fileNames().contains("f5c371826c445e91bf54e089633d33c4.jpg"))
        #expect(await cache.data(for: try bench.url("a.jpg")) == body(10))
        #expect(cache.statistics.entryCount == 1)
    }

    // Open point m
    @Test func `a cache finds files under one name only`() async throws {
        let first = await cache()
        first.store(body(10), for: try bench.url("a.jpg"))
        await first.flush()
        let name = CacheFileName.name(for: try bench.url("a.jpg"))
        try bench.plant(body(10), as: String(name.prefix(32)))

        #expect(await cache { $0.naming = .sha256 }.data(for: try bench.url("a.jpg")) == nil)

        await first.remove(try bench.url("a.jpg"))
        #expect(await first.data(for: try bench.url("a.jpg")) == nil)
    }

    // MARK: Durability

    // F10
    @Test(arguments: [(DiskDurability.whenConvenient, 0), (.everyStore, 2)])
    func `a store is written through to the disk only on request`(
        durability: DiskDurability,
        count: Int
    ) async throws {
        let order = Protected<[String]>([])
        var calls = FileCalls()
        let (rename, synchronize) = (calls.rename, calls.synchronize)
        calls.rename = { from, to throws(FileFailure) in
            order.withLock { $0.append("rename") }
            try rename(from, to)
        }
        calls.synchronize = { file throws(FileFailure) in
            order.withLock { $0.append("sync") }
            try synchronize(file)
        }
        let cache = await cache(calls: calls) { $0.durability = durability }

        cache.store(body(10), for: try bench.url("a"))
        await cache.flush()

        #expect(order.withLock { $0 } == (count == 0 ? ["rename"] : ["sync", "rename", "sync"]))
    }

    @Test func `a body that can't be written through is not stored`() async throws {
        var calls = FileCalls()
        calls.synchronize = { _ throws(FileFailure) in
            throw FileFailure(operation: "fsync", code: EIO)
        }
        let cache = await cache(calls: calls) { $0.durability = .everyStore }

        cache.store(body(10), for: try bench.url("a"))
        await cache.flush()

        #expect(await cache.data(for: try bench.url("a")) == nil)
        #expect(cache.failures.lastText == "fsync: Input/output error")
        #expect(bench.fileNames() == ["CACHEDIR.TAG"])
    }

    // MARK: Tracing

    @Test func `stores, evictions and clearings are traced, without the secrets of URLs`()
        async throws
    {
        let events = Protected<[TraceEvent]>([])
        let tracer = Tracer(clock: bench.clock.clock) { event in
            events.withLock { $0.append(event) }
        }
        let cache = await cache(tracer: tracer) { $0.byteLimit = 3 * 4_096 }

        for number in 0..<4 {
            cache.store(body(4_000), for: try bench.url("\(number)?secret=1"))
            await cache.flush()
            while cache.state.withLock({ $0.isEvicting || $0.isLooking }) {
                await cache.writer.runToEnd(priority: .low) {}
            }
        }
        await cache.clear()

        let seen = events.withLock { $0 }
        let stores = seen.filter { $0.kind == .stored(.disk, byteCount: 4_000) }
        #expect(stores.map(\.subject) == (0..<4).map { "http://a.example/\($0)" })
        #expect(seen.contains { $0.kind == .evicted(.disk, count: 2, byteCount: 2 * 4_096) })
        #expect(
            seen.last?.kind == .purged(.disk, byteCount: 2 * 4_096, reason: "cleared")
        )
    }

    @Test func `a damaged file is traced as purged`() async throws {
        let events = Protected<[TraceEvent]>([])
        let tracer = Tracer(clock: bench.clock.clock) { event in
            events.withLock { $0.append(event) }
        }
        let cache = await cache(tracer: tracer)
        try bench.plant(body(0), for: "a")

        #expect(await cache.data(for: try bench.url("a")) == nil)

        await cache.writer.runToEnd(priority: .low) {}
        #expect(
            events.withLock { $0.map(\.kind) } == [
                .purged(.disk, byteCount: 0, reason: "damaged")
            ]
        )
    }
}
