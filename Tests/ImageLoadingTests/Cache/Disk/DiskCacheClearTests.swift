import Foundation
import SystemSupport
import Testing

@testable import ImageLoading

struct DiskCacheClearTests {
    let bench: CacheBench

    init() throws {
        bench = try CacheBench()
    }

    @Test func `clear deletes all of the cache's files and returns what it freed (C20)`()
        async throws
    {
        for number in 0..<200 { try bench.plant(body(10), for: "\(number)") }
        try bench.plant(body(10), as: "tmp-1-1")
        let cache = await bench.cache()
        let held = cache.statistics

        let freed = await cache.clear()

        #expect(freed.entryCount == 201)
        #expect(freed.byteCount == held.byteCount + held.byteCount / 200)
        #expect(bench.fileNames().isEmpty)
        #expect(cache.statistics.entryCount == 0)
        #expect(cache.statistics.byteCount == 0)
    }

    // C22
    @Test(arguments: [
        "notes.txt", "photo.jpg", ".hidden", "D41D8CD98F00B204E9800998ECF8427E.jpg", "tmp-a.b",
        "d41d8cd98f00b204e9800998ecf8427e.jpg.bak", "tmp", "xd41d8cd98f00b204e9800998ecf8427e",
    ])
    func `neither clear nor clean touches a file that isn't ours`(name: String) async throws {
        try bench.plant(body(10), as: name, age: 10_000)
        let cache = await bench.cache(byteLimit: 1, maximumAge: .zero)

        await cache.clean()
        await cache.clear()

        #expect(bench.fileNames() == [name])
    }

    // C22
    @Test func `a folder with a name like ours is not touched`() async throws {
        let path = try bench.path("a") + "/inside"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        let cache = await bench.cache(byteLimit: 1, maximumAge: .zero)

        await cache.clean()
        await cache.clear()

        #expect(FileManager.default.fileExists(atPath: path))
        #expect(await cache.data(for: try bench.url("a")) == nil)
    }

    @Test func `clear deletes a symbolic link with a name like ours, never its target`()
        async throws
    {
        try bench.plant(body(10), as: "precious.txt")
        try FileManager.default.createSymbolicLink(
            atPath: try bench.path("a"),
            withDestinationPath: bench.directory + "/precious.txt"
        )
        let cache = await bench.cache()

        await cache.clear()

        #expect(bench.fileNames() == ["precious.txt"])
    }

    @Test func `a caller of clear receives each part of the deletion, and the total`() async throws
    {
        for number in 0..<300 { try bench.plant(body(10), for: "\(number)") }
        let parts = Protected<[CacheStatistics]>([])
        let cache = await bench.cache()

        let freed = await cache.clear { part in parts.withLock { $0.append(part) } }

        let told = parts.withLock { $0 }
        #expect(told.count > 1)
        #expect(told.reduce(0) { $0 + $1.entryCount } == 300 && freed.entryCount == 300)
        #expect(told.reduce(0) { $0 + $1.byteCount } == freed.byteCount)
    }

    @Test func `the result of a load that began before a clear is not stored (F29)`() async throws {
        let cache = await bench.cache()
        let begun = cache.generation

        await cache.clear()
        cache.store(body(10), for: try bench.url("old"), begun: begun)
        cache.store(body(10), for: try bench.url("new"), begun: cache.generation)
        await cache.flush()

        #expect(await cache.data(for: try bench.url("old")) == nil)
        #expect(await cache.data(for: try bench.url("new")) != nil)
    }

    @Test
    func `a store that waits or is being written when clear begins is discarded (F29)`()
        async throws
    {
        let (entered, gate) = (DispatchSemaphore(value: 0), Gate())
        var calls = FileCalls()
        let rename = calls.rename
        calls.rename = { from, to throws(FileFailure) in
            entered.signal()
            gate.pass()
            try rename(from, to)
        }
        let cache = await bench.cache(calls: calls)
        cache.store(body(10), for: try bench.url("a"))
        cache.store(body(10), for: try bench.url("b"))
        entered.wait()
        let generation = cache.generation

        async let freed = cache.clear()
        await waitWhile(cache.generation == generation)
        cache.store(body(10), for: try bench.url("later"))
        gate.open()

        #expect(await freed.entryCount == 1)
        await cache.flush()
        #expect(await cache.data(for: try bench.url("a")) == nil)
        #expect(await cache.data(for: try bench.url("b")) == nil)
        #expect(await cache.data(for: try bench.url("later")) != nil)
        #expect(cache.statistics.entryCount == 1)
    }

    @Test func `a body stored during a clear survives, even under the same name`()
        async throws
    {
        for number in 0..<1_000 { try bench.plant(body(10), for: "\(number)") }
        let gate = Gate()
        var calls = FileCalls()
        let remove = calls.remove
        calls.remove = { path throws(FileFailure) in
            gate.pass()
            return try remove(path)
        }
        let cache = await bench.cache(calls: calls)
        let generation = cache.generation

        async let freed = cache.clear()
        await waitWhile(cache.generation == generation)
        for number in 0..<1_000 { cache.store(body(20), for: try bench.url("\(number)")) }
        gate.open()
        _ = await freed
        await cache.flush()

        #expect(cache.statistics.entryCount == 1_000)
        for number in 0..<1_000 {
            #expect(await cache.data(for: try bench.url("\(number)")) == body(20))
        }
    }

    @Test func `look-ups during a clear neither fail nor crash (F29)`() async throws {
        for number in 0..<300 { try bench.plant(body(10), for: "\(number)") }
        let cache = await bench.cache()

        async let cleared = cache.clear()
        for number in 0..<300 {
            let bytes = await cache.data(for: try bench.url("\(number)"))
            #expect(bytes == nil || bytes == body(10))
        }

        #expect(await cleared.entryCount == 300)
        await cache.writer.runToEnd(priority: .low) {}
        #expect(cache.failures.readCount == 0)
        #expect(cache.statistics.entryCount == 0)
    }

    @Test func `clearing twice in parallel ends twice and leaves nothing`() async throws {
        for number in 0..<200 { try bench.plant(body(10), for: "\(number)") }
        let cache = await bench.cache()

        async let first = cache.clear()
        async let second = cache.clear()

        #expect(await first.entryCount + second.entryCount == 200)
        #expect(bench.fileNames().isEmpty)
    }

    @Test func `the cache continues to work after its directory is deleted`() async throws {
        let cache = await bench.cache()
        cache.store(body(10), for: try bench.url("a"))
        await cache.flush()

        try FileManager.default.removeItem(atPath: bench.directory)
        #expect(await cache.data(for: try bench.url("a")) == nil)
        cache.store(body(10), for: try bench.url("b"))
        await cache.flush()

        #expect(await cache.data(for: try bench.url("b")) == body(10))
        #expect(await cache.clear().entryCount == 1)
    }
}
