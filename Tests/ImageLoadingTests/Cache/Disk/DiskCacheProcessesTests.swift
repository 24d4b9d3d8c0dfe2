import Foundation
import SystemSupport
import Testing

@testable import ImageLoading

/// Several caches on one directory, which are as independent of each other as processes.
struct DiskCacheProcessesTests {
    let bench: CacheBench
    private let block = 4_096

    init() throws {
        bench = try CacheBench()
    }

    private func settle(_ cache: DiskCache) async {
        await cache.flush()
        while cache.state.withLock({ $0.isEvicting || $0.isLooking }) {
            await cache.writer.runToEnd(priority: .low) {}
        }
    }

    @Test func `one process immediately sees what another stores, replaces and removes`()
        async throws
    {
        let (here, there) = (await bench.cache(), await bench.cache())

        here.store(body(10), metadata: [1], for: try bench.url("a"))
        await here.flush()
        #expect(await there.entry(for: try bench.url("a"))?.metadata == [1])
        here.store(body(20), metadata: [2], for: try bench.url("a"))
        await here.flush()
        #expect(
            await there.entry(for: try bench.url("a"))
                == DiskEntry(bytes: body(20), metadata: [2])
        )
        await here.remove(try bench.url("a"))
        #expect(await there.entry(for: try bench.url("a")) == nil)

        #expect(there.failures == DiskCacheFailures())
    }

    // F12
    @Test func `two processes that write keep one budget together`() async throws {
        let limit = 40 * block
        let caches = [
            await bench.cache(byteLimit: limit), await bench.cache(byteLimit: limit),
        ]

        for number in 0..<200 {
            let cache = caches[number % 2]
            cache.store(body(4_000), for: try bench.url("\(number)"))
            await settle(cache)
            // Each may write an eighth of the budget before it checks what the other has written.
            #expect(try bench.allocatedByteCount() <= limit + 2 * limit / 8 + block)
        }
    }

    @Test func `a process that finds another one deleting deletes nothing`() async throws {
        let cache = await bench.cache(byteLimit: 10 * block, maximumAge: .seconds(100))
        for number in 0..<10 { cache.store(body(4_000), for: try bench.url("\(number)")) }
        await settle(cache)
        try bench.plant(body(10), for: "expired", age: 200)
        let other = LockFile(directory: cache.directory)
        #expect(other.tryLock(LockFile.sweepOffset, makesDirectory: false) == .taken)

        cache.store(body(4_000), for: try bench.url("more"))
        await settle(cache)
        #expect(await cache.clean() == CacheStatistics())
        #expect(cache.statistics.evictions == 0)

        other.unlock(LockFile.sweepOffset)
        #expect(await cache.clean().entryCount == 1 + 7)
    }

    @Test func `files that another process deletes first do not stop a sweep and are not counted`()
        async throws
    {
        let vanishing = try bench.path("0")
        var calls = FileCalls()
        let remove = calls.remove
        calls.remove = { path throws(FileFailure) in
            if path == vanishing { unlink(path) }
            return try remove(path)
        }
        let cache = await bench.cache(byteLimit: 10 * block, calls: calls)

        for number in 0..<11 {
            cache.store(body(4_000), for: try bench.url("\(number)"))
            await settle(cache)
        }

        #expect(cache.statistics.evictions == 1)
        #expect(cache.statistics.byteCount == (try bench.allocatedByteCount()))
        #expect(cache.failures.deleteCount == 0)
    }

    // F11
    @Test func `an entry that another process just used is not the oldest`() async throws {
        for number in 0..<9 { try bench.plant(body(4_000), for: "\(number)", age: 7_200) }
        let here = await bench.cache(byteLimit: 10 * block)
        _ = await here.data(for: try bench.url("0"))
        bench.clock.advance(by: 4_000)
        let there = await bench.cache()
        for number in 5..<9 { _ = await there.data(for: try bench.url("\(number)")) }

        for number in 10..<12 { here.store(body(4_000), for: try bench.url("\(number)")) }
        await settle(here)

        for number in 5..<9 { #expect(try bench.exists("\(number)")) }
        #expect(here.statistics.evictions > 0)
    }
}
