import Foundation
import Testing

@testable import ImageLoading
import SystemSupport

/// Metadata and checksums, stored in attributes or in sidecars.
struct DiskEntryTests {
    let bench: CacheBench

    init() throws {
        bench = try CacheBench()
    }

    /// The place where a file's record is stored.
    enum Place: CaseIterable, Sendable {
        case attribute, sidecar

        var calls: FileCalls {
            var calls = FileCalls()
            guard self == .sidecar else { return calls }
            calls.setAttribute = { _, _ throws(FileFailure) in
                throw FileFailure(operation: "fsetxattr", code: ENOTSUP)
            }
            return calls
        }
    }

    private func cache(_ place: Place, byteLimit: Int = .max) async -> DiskCache {
        await bench.cache(byteLimit: byteLimit, calls: place.calls)
    }

    private func settle(_ cache: DiskCache) async {
        await cache.writer.runToEnd(priority: .low) {}
    }

    private func overwrite(_ bytes: [UInt8], in name: String) throws {
        let file = try FileHandle(forWritingTo: URL(fileURLWithPath: try bench.path(name)))
        try file.truncate(atOffset: 0)
        try file.write(contentsOf: Data(bytes))
        try file.close()
    }

    // C9
    @Test(arguments: Place.allCases)
    func `metadata is read back with the body, which is unchanged in its file`(
        place: Place
    ) async throws {
        let cache = await cache(place)
        let entry = DiskEntry(bytes: body(5_000), metadata: body(300))

        cache.store(entry.bytes, metadata: entry.metadata, for: try bench.url("a"))
        #expect(await cache.entry(for: try bench.url("a")) == entry)
        await cache.flush()

        #expect(await cache.entry(for: try bench.url("a")) == entry)
        #expect(await bench.cache().entry(for: try bench.url("a")) == entry)
        let file = try Data(contentsOf: URL(fileURLWithPath: try bench.path("a")))
        #expect(Array(file) == entry.bytes)
        #expect(bench.fileNames().count == (place == .attribute ? 2 : 3), "with the tag")
    }

    // Nothing shows whether such a body is complete.
    @Test func `a body without its record is a miss, counted before the response and deleted`()
        async throws
    {
        try bench.plantWithoutRecord(body(10), for: "a")
        let cache = await bench.cache()

        #expect(await cache.entry(for: try bench.url("a")) == nil)
        #expect(cache.failures.damagedCount == 1)

        await settle(cache)
        #expect(try !bench.exists("a"))
    }

    @Test(arguments: Place.allCases)
    func `a damaged body is a miss, is deleted and counted, and may be stored again`(
        place: Place
    ) async throws {
        let cache = await cache(place)
        cache.store(body(100), for: try bench.url("a"))
        await cache.flush()
        try overwrite(body(100, seed: 8), in: "a")

        #expect(await cache.entry(for: try bench.url("a")) == nil)

        await settle(cache)
        #expect(bench.fileNames() == ["CACHEDIR.TAG"])
        #expect(cache.failures.damagedCount == 1)
        #expect(cache.statistics.misses == 1)
        #expect(cache.statistics.byteCount == 0)
        cache.store(body(100), for: try bench.url("a"))
        await cache.flush()
        #expect(await cache.entry(for: try bench.url("a")) != nil)
    }

    @Test(arguments: Place.allCases)
    func `a body cut off is a miss`(place: Place) async throws {
        let cache = await cache(place)
        cache.store(body(100), for: try bench.url("a"))
        await cache.flush()
        try overwrite(body(99), in: "a")

        #expect(await cache.entry(for: try bench.url("a")) == nil)
    }

    @Test func `a damaged sidecar makes its body a miss`() async throws {
        let cache = await cache(.sidecar)
        cache.store(body(100), metadata: body(10), for: try bench.url("a"))
        await cache.flush()
        let name = CacheFileName.name(for: try bench.url("a"))
        try bench.plant(body(50), as: "meta-\(name)")

        #expect(await cache.entry(for: try bench.url("a")) == nil)

        await settle(cache)
        #expect(bench.fileNames() == ["CACHEDIR.TAG"])
    }

    @Test(arguments: Place.allCases)
    func `a URL never gets the image of another one whose name is equal`(
        place: Place
    ) async throws {
        let cache = await cache(place)
        cache.store(body(100), for: try bench.url("a"))
        await cache.flush()
        // This simulates two URLs with the same MD5.
        let key = DiskKey(try bench.url("a"), naming: .md5)
        let owner = MessageDigest.sha256("http://evil.example")

        #expect(throws: CacheDirectory.ReadingProblem.ofAnotherURL) {
            try cache.directory.read(key.body, owner: owner, maximumByteCount: 1_000)
        }

        #expect(try bench.exists("a"), "it is its owner's")
    }

    // MARK: Metadata alone

    @Test(arguments: Place.allCases)
    func `new metadata do not change the body and its time of use`(place: Place) async throws {
        let cache = await cache(place)
        cache.store(body(100), metadata: [1], for: try bench.url("a"))
        await cache.flush()
        bench.clock.advance(by: 100)

        cache.updateMetadata([2, 3], for: try bench.url("a"))
        await cache.flush()

        #expect(
            await cache.entry(for: try bench.url("a"))
                == DiskEntry(bytes: body(100), metadata: [2, 3])
        )
        #expect(try bench.age(of: "a") == 100)
    }

    @Test func `metadata may be replaced before the body is written`() async throws {
        let gate = Gate()
        var calls = FileCalls()
        let create = calls.create
        calls.create = { path throws(FileFailure) in
            gate.pass()
            return try create(path)
        }
        let cache = await bench.cache(calls: calls)
        cache.store(body(10), metadata: [1], for: try bench.url("first"))
        cache.store(body(10), metadata: [1], for: try bench.url("a"))

        cache.updateMetadata([2], for: try bench.url("a"))

        #expect(await cache.entry(for: try bench.url("a"))?.metadata == [2])
        gate.open()
        await cache.flush()
        #expect(await bench.cache().entry(for: try bench.url("a"))?.metadata == [2])
    }

    @Test func `a body of another version gets a record with its first metadata`() async throws {
        try bench.plant(body(10), for: "a")
        let cache = await bench.cache()

        cache.updateMetadata([1], for: try bench.url("a"))
        await cache.flush()

        #expect(await cache.entry(for: try bench.url("a"))?.metadata == [1])
        try overwrite(body(10, seed: 8), in: "a")
        #expect(await cache.entry(for: try bench.url("a")) == nil)
    }

    @Test func `metadata too long for an attribute move to a sidecar, and back`() async throws {
        let isFull = CancellationFlag()
        var calls = FileCalls()
        let setAttribute = calls.setAttribute
        calls.setAttribute = { file, record throws(FileFailure) in
            guard !isFull.isCancelled else {
                throw FileFailure(operation: "fsetxattr", code: ENOSPC)
            }
            try setAttribute(file, record)
        }
        let cache = await bench.cache(calls: calls)
        cache.store(body(10), metadata: [1], for: try bench.url("a"))
        await cache.flush()
        isFull.cancel()

        cache.updateMetadata(body(4_000), for: try bench.url("a"))
        await cache.flush()

        #expect(await cache.entry(for: try bench.url("a"))?.metadata == body(4_000))
        #expect(bench.fileNames().count == 3)
        let reopened = await bench.cache()
        reopened.updateMetadata([2], for: try bench.url("a"))
        await reopened.flush()
        #expect(await reopened.entry(for: try bench.url("a"))?.metadata == [2])
        #expect(bench.fileNames().count == 2)
    }

    @Test func `metadata of a missing body, or too much metadata, change nothing`() async throws {
        let cache = await bench.cache()
        cache.store(body(10), metadata: [1], for: try bench.url("a"))

        cache.updateMetadata([1], for: try bench.url("b"))
        cache.updateMetadata(body(4_097), for: try bench.url("a"))
        cache.store(body(10), metadata: body(4_097), for: try bench.url("c"))
        await cache.flush()

        #expect(await cache.entry(for: try bench.url("a"))?.metadata == [1])
        #expect(await cache.entry(for: try bench.url("b")) == nil)
        #expect(await cache.entry(for: try bench.url("c")) == nil)
        #expect(cache.failures == DiskCacheFailures())
    }

    // MARK: Sidecars and the budget

    // F20
    @Test func `a sidecar counts in the budget and leaves with its body`() async throws {
        let cache = await cache(.sidecar)
        cache.store(body(4_096), for: try bench.url("a"))
        await cache.flush()
        let counted = cache.statistics.byteCount

        #expect(counted == (try bench.allocatedByteCount()) + 4_096)
        #expect(await bench.cache().statistics.byteCount == counted)
        #expect(await cache.clear().byteCount == counted)
        #expect(bench.fileNames() == ["CACHEDIR.TAG"])
    }

    @Test func `a sidecar that lost its body is removed by the scan, unless it is young`()
        async throws
    {
        let names = try ["a", "b"].map { "meta-" + CacheFileName.name(for: try bench.url($0)) }
        try bench.plant(body(50), as: names[0], age: 3_601)
        try bench.plant(body(50), as: names[1], age: 3_599)

        _ = await bench.cache()

        #expect(bench.fileNames() == [names[1]])
    }

    @Test func `an old sidecar is deleted when a body with its record is stored`() async throws {
        let first = await cache(.sidecar)
        first.store(body(10), for: try bench.url("a"))
        await first.flush()

        let second = await bench.cache()
        second.store(body(20), for: try bench.url("a"))
        await second.flush()

        #expect(await second.data(for: try bench.url("a")) == body(20))
        #expect(bench.fileNames().count == 2)
        #expect(second.statistics.byteCount == (try bench.allocatedByteCount()))
    }
}
