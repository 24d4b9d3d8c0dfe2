import Glibc
import SystemSupport
import Testing

@testable import ImageLoading

struct DiskCacheBudgetTests {
    let bench: CacheBench
    /// The size of a file of 4,096 bytes on this file system.
    private let block: Int

    init() throws {
        bench = try CacheBench()
        block = try bench.blockByteCount()
    }

    /// Stores a body of one block and waits until all resulting work is done.
    private func store(_ name: String, in cache: DiskCache) async throws {
        cache.store(body(4_096), for: try bench.url(name))
        await settle(cache)
    }

    private func settle(_ cache: DiskCache) async {
        await cache.flush()
        while cache.state.withLock(\.isEvicting) {
            await cache.writer.runToEnd(priority: .low) {}
        }
    }

    // Open point h
    @Test func `the budget holds after every write, without any sweep (F12)`() async throws {
        let cache = await bench.cache(byteLimit: 20 * block)

        for number in 0..<100 {
            try await store("\(number)", in: cache)
            #expect(try bench.allocatedByteCount() <= 20 * block)
        }

        #expect(cache.statistics.byteCount == (try bench.allocatedByteCount()))
        #expect(cache.statistics.evictions == 100 - cache.statistics.entryCount)
    }

    @Test func `a write over the budget deletes down to nine tenths of it`() async throws {
        let cache = await bench.cache(byteLimit: 20 * block)
        for number in 0..<20 { try await store("\(number)", in: cache) }
        #expect(cache.statistics.evictions == 0)

        try await store("one more", in: cache)

        #expect(cache.statistics.entryCount == 18)
        #expect(cache.statistics.evictions == 3)
    }

    /// Stores bodies continuously, like `fetch`, whose list may be endless.
    @Test func `continuous stores do not outrun the deletion`() async throws {
        let cache = await bench.cache(byteLimit: 1_000 * block)
        let most = Protected(0)

        for number in 0..<3_000 {
            cache.store(body(4_096), for: try bench.url("\(number)"))
            cache.writer.submit(priority: .normal) {
                let byteCount = cache.state.withLock(\.inventory.byteCount)
                most.withLock { $0 = max($0, byteCount) }
            }
        }
        await settle(cache)

        #expect(most.withLock(\.self) <= 1_001 * block)
    }

    @Test func `an image in use outlives those that were only written (F11)`() async throws {
        let cache = await bench.cache(byteLimit: 10 * block)
        for number in 0..<10 { try await store("\(number)", in: cache) }
        _ = await cache.data(for: try bench.url("0"))

        for number in 10..<18 {
            try await store("\(number)", in: cache)
            #expect(await cache.data(for: try bench.url("0")) != nil)
        }

        #expect(try !bench.exists("1"))
    }

    @Test func `after a restart the files' times decide which is evicted first (F11)`() async throws
    {
        for number in 0..<10 { try bench.plant(body(4_096), for: "\(number)", age: number * 10) }
        let cache = await bench.cache(byteLimit: 10 * block)

        try await store("new", in: cache)

        #expect(try !bench.exists("9"))
        #expect(try !bench.exists("8"))
        #expect(try bench.exists("0"))
        #expect(try bench.exists("new"))
    }

    @Test func `a hit renews the file's time, at most once an hour (F11)`() async throws {
        try bench.plant(body(10), for: "a", age: 3_599)
        let cache = await bench.cache()

        _ = await cache.data(for: try bench.url("a"))
        #expect(try bench.age(of: "a") == 3_599)
        bench.clock.advance(by: 1)
        _ = await cache.data(for: try bench.url("a"))
        #expect(try bench.age(of: "a") == 0)
        bench.clock.advance(by: 3_599)
        _ = await cache.data(for: try bench.url("a"))
        #expect(try bench.age(of: "a") == 3_599)
    }

    @Test func `a file's time in the far future is corrected by a hit`() async throws {
        try bench.plant(body(10), for: "a", age: -1_000_000)
        let cache = await bench.cache()

        _ = await cache.data(for: try bench.url("a"))

        #expect(try bench.age(of: "a") == 0)
    }

    // C29
    @Test func `a cache over its budget at startup is reduced by the scan`()
        async throws
    {
        for number in 0..<300 { try bench.plant(body(4_096), for: "\(number)", age: number) }

        let cache = await bench.cache(byteLimit: 100 * block)
        await settle(cache)

        #expect(cache.statistics.entryCount == 90)
        #expect(try bench.exists("0"))
        #expect(try !bench.exists("299"))
    }

    // C25
    @Test func `a file that cannot be deleted still counts and stops nothing`() async throws {
        let stuck = try bench.path("0")
        var calls = FileCalls()
        let remove = calls.remove
        calls.remove = { path throws(FileFailure) in
            guard path != stuck else { throw FileFailure(operation: "unlink", code: EPERM) }
            return try remove(path)
        }
        let cache = await bench.cache(byteLimit: 10 * block, calls: calls)

        for number in 0..<11 { try await store("\(number)", in: cache) }

        #expect(try bench.exists("0"))
        #expect(try !bench.exists("1"))
        #expect(cache.statistics.byteCount == (try bench.allocatedByteCount()))
        #expect(cache.failures.deleteCount == 1)
        #expect(cache.failures.lastText == "unlink: Operation not permitted")
    }
}
