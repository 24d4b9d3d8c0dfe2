import Foundation
import SystemSupport
import Testing

@testable import ImageLoading

/// Files that others put into the directory, or could put there.
struct DiskCacheStrangersTests {
    let bench: CacheBench

    init() throws {
        bench = try CacheBench()
    }

    private func store(_ name: String, in cache: DiskCache, seed: UInt8 = 7) async throws {
        cache.store(body(100, seed: seed), for: try bench.url(name))
        await cache.flush()
    }

    @Test func `files named after processes do not block writes`() async throws {
        for number in 0..<200 { try bench.plant([1], as: "tmp-\(getpid())-\(number)") }
        let cache = await bench.cache()

        try await store("a", in: cache)

        #expect(cache.failures.writeCount == 0)
        #expect(try bench.exists("a"))
    }

    @Test func `temporary file names are never reused`() async throws {
        var calls = FileCalls()
        let create = calls.create
        let names = Protected<[String]>([])
        calls.create = { path throws(FileFailure) in
            names.withLock { $0.append(path) }
            return try create(path)
        }
        let cache = await bench.cache(calls: calls)
        for number in 0..<20 { try await store("\(number)", in: cache) }

        let temporary = names.withLock { $0 }.compactMap { $0.split(separator: "/").last }
            .filter { $0.hasPrefix("tmp-") }
        #expect(Set(temporary).count == temporary.count)
        #expect(temporary.allSatisfy { $0.split(separator: "-").last?.count == 32 })
    }

    @Test func `links and empty folders in an image's place are replaced`() async throws {
        let cache = await bench.cache()
        let victim = bench.root + "/victim"
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: victim))
        cache.directory.make()
        symlink(victim, try bench.path("link"))
        mkdir(try bench.path("folder"), 0o700)

        try await store("link", in: cache)
        try await store("folder", in: cache)

        #expect(await cache.data(for: try bench.url("link")) == body(100))
        #expect(await cache.data(for: try bench.url("folder")) == body(100))
        #expect(try Data(contentsOf: URL(fileURLWithPath: victim)) == Data([1, 2, 3]))
        #expect(cache.failures.writeCount == 0)
    }

    @Test func `another user's file is not trusted, and is replaced`() async throws {
        try await store("a", in: await bench.cache())
        var calls = FileCalls()
        calls.user = geteuid() &+ 1
        let other = await bench.cache(calls: calls)

        #expect(await other.data(for: try bench.url("a")) == nil)
        #expect(await !other.contains(try bench.url("a")))
        #expect(other.failures.readCount == 1)

        try await store("a", in: other, seed: 9)
        #expect(await bench.cache().data(for: try bench.url("a")) == body(100, seed: 9))
    }

    @Test func `another user's partial body is not resumed`() async throws {
        let cache = await bench.cache()
        cache.storePartial(body(100), metadata: [1], for: try bench.url("a"))
        await cache.flush()
        var calls = FileCalls()
        calls.user = geteuid() &+ 1

        #expect(await bench.cache(calls: calls).partial(for: try bench.url("a")) == nil)
    }

    @Test func `in a world-writable directory nothing is read, written or deleted`()
        async throws
    {
        try await store("a", in: await bench.cache())
        chmod(bench.directory, 0o777)
        let cache = await bench.cache(byteLimit: 1)

        #expect(await cache.data(for: try bench.url("a")) == nil)
        try await store("b", in: await bench.cache())
        #expect(await cache.clear() == CacheStatistics())

        #expect(try bench.exists("a") && !bench.exists("b"))
        #expect(cache.failures.directoryText?.contains("chmod 700") == true)
        chmod(bench.directory, 0o700)
        #expect(await cache.data(for: try bench.url("a")) == body(100))
    }

    @Test func `a configuration reports only directories that others can change`() throws {
        func complaint(_ directory: String) -> String? {
            DiskCacheConfiguration(directory: directory).complaint()
        }

        #expect(complaint(bench.root) == nil)
        #expect(complaint(bench.root + "/none") == nil)
        #expect(complaint("/dev/null/none") == nil)
        #expect(complaint("/tmp")?.contains("chmod 700") == true)
    }

    @Test func `an unreadable directory is reported, not treated as empty`() async throws {
        try bench.plant([1], as: "file")
        let configuration = DiskCacheConfiguration(directory: bench.directory + "/file")
        let cache = DiskCache(configuration: configuration, clock: bench.clock.clock)
        await cache.waitForScan()

        #expect(cache.failures.directoryText == "Not a directory")
        #expect(await cache.clear() == CacheStatistics())
        #expect(cache.failures.directoryText == "Not a directory")
    }

    @Test func `a missing directory is empty, and not a failure`() async {
        let cache = await bench.cache()

        #expect(cache.failures == DiskCacheFailures())
        #expect(cache.statistics.entryCount == 0)
    }
}
