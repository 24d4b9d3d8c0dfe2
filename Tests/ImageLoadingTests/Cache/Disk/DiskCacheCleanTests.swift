import Foundation
import SystemSupport
import Testing

@testable import ImageLoading

// C21
struct DiskCacheCleanTests {
    let bench: CacheBench
    /// The size of a file of 4,096 bytes on this file system.
    private let block: Int

    init() throws {
        bench = try CacheBench()
        block = try bench.blockByteCount()
    }

    @Test func `clean deletes entries as old as the limit and keeps younger ones (C23)`()
        async throws
    {
        for age in [99, 100, 101] { try bench.plant(body(10), for: "\(age)", age: age) }
        let cache = await bench.cache(maximumAge: .seconds(100))

        let freed = await cache.clean()

        #expect(freed.entryCount == 2)
        #expect(freed.byteCount == 2 * block)
        #expect(try bench.exists("99"))
        #expect(cache.statistics.entryCount == 1)
    }

    @Test func `without a maximum age nothing ever expires (F13)`() async throws {
        try bench.plant(body(10), for: "a", age: 1_600_000_000)
        let cache = await bench.cache(maximumAge: nil)

        #expect(await cache.clean().entryCount == 0)
    }

    @Test func `clean inside the budget deletes only expired entries (C24)`() async throws {
        for number in 0..<10 { try bench.plant(body(10), for: "\(number)", age: number) }
        let cache = await bench.cache(byteLimit: 10 * block, maximumAge: .seconds(9))

        #expect(await cache.clean().entryCount == 1)
    }

    // default sweep
    @Test func `clean over the budget deletes the oldest until below half of it (C25)`()
        async throws
    {
        let cache = await bench.cache(byteLimit: 10 * block)
        for number in 0..<12 { try bench.plant(body(10), for: "\(number)", age: number) }

        let freed = await cache.clean()

        #expect(freed.entryCount == 8)
        for number in 0..<12 { #expect(try bench.exists("\(number)") == (number < 4)) }
    }

    @Test func `clean over the budget does not subtract undeletable files (C25)`() async throws {
        let stuck = try bench.path("11")
        var calls = FileCalls()
        let remove = calls.remove
        calls.remove = { path throws(FileFailure) in
            guard path != stuck else { throw FileFailure(operation: "unlink", code: EPERM) }
            return try remove(path)
        }
        let cache = await bench.cache(byteLimit: 10 * block, calls: calls)
        for number in 0..<12 { try bench.plant(body(10), for: "\(number)", age: number) }

        #expect(await cache.clean().entryCount == 8)

        for number in 0..<11 { #expect(try bench.exists("\(number)") == (number < 3)) }
        #expect(try bench.exists("11"))
    }

    @Test func `clean sees files that other processes wrote, used and deleted meanwhile`()
        async throws
    {
        for name in ["used", "deleted"] { try bench.plant(body(10), for: name, age: 200) }
        let cache = await bench.cache(maximumAge: .seconds(100))
        bench.setAge(0, of: try bench.path("used"))
        try FileManager.default.removeItem(atPath: try bench.path("deleted"))
        try bench.plant(body(10), for: "written", age: 300)

        let freed = await cache.clean()

        #expect(freed.entryCount == 1)
        #expect(try bench.exists("used"))
        #expect(try !bench.exists("written"))
        #expect(cache.statistics.entryCount == 1)
    }

    @Test func `clean ends even if there is nothing to do or no directory (C36)`() async throws {
        let cache = await bench.cache(byteLimit: 1, maximumAge: .zero)

        #expect(await cache.clean() == CacheStatistics())
    }

    @Test(arguments: [
        (Duration.seconds(Int64.max), 0), (.seconds(1), 1), (.zero, 2), (.milliseconds(999), 2),
        (.seconds(-1), 0), (.seconds(Int64.min), 0),
    ])
    func `age zero expires everything, a negative one nothing, and none traps (F13)`(
        age: Duration,
        count: Int
    ) async throws {
        try bench.plant(body(10), for: "a", age: 1)
        try bench.plant(body(10), for: "b", age: 0)
        let cache = await bench.cache(maximumAge: age)

        #expect(await cache.clean().entryCount == count)
    }

    // C24
    @Test func `clean at exactly the budget deletes nothing`() async throws {
        for number in 0..<10 { try bench.plant(body(10), for: "\(number)") }
        let cache = await bench.cache(byteLimit: 10 * block)

        #expect(await cache.clean() == CacheStatistics())
    }

    // C24, C28
    @Test func `without a budget clean deletes only expired entries`() async throws {
        for number in 0..<10 { try bench.plant(body(10), for: "\(number)", age: number) }
        let cache = await bench.cache(byteLimit: .max, maximumAge: .seconds(9))

        #expect(await cache.clean().entryCount == 1)
    }

    // C25, C26
    @Test func `clean counts allocated blocks until less than half of the budget is left`()
        async throws
    {
        for number in 0..<7 { try bench.plant(body(block + 1), for: "\(number)", age: number) }
        let cache = await bench.cache(byteLimit: 12 * block)
        while cache.state.withLock(\.isEvicting) { await cache.flush() }
        try bench.plant(body(2 * block), for: "more")
        try bench.plant(body(2 * block), for: "most")

        await cache.clean()

        #expect(try bench.allocatedByteCount() == 4 * block, "half would be 6, and is too much")
    }

    // C21
    @Test func `clean keeps partials that are young and deletes those that expired`() async throws {
        let cache = await bench.cache(maximumAge: .seconds(100))
        cache.storePartial(body(10), metadata: [1], for: try bench.url("old"))
        await cache.flush()
        bench.clock.advance(by: 100)
        cache.storePartial(body(10), metadata: [1], for: try bench.url("young"))
        await cache.flush()

        #expect(await cache.clean().entryCount == 1)

        #expect(await cache.partial(for: try bench.url("young")) != nil)
        #expect(await cache.partial(for: try bench.url("old")) == nil)
    }

    @Test func `clean removes the files of crashed writers too`() async throws {
        let cache = await bench.cache()
        try bench.plant(body(10), as: "tmp-99-1", age: 3_601)
        try bench.plant([], for: "empty")

        await cache.clean()

        #expect(bench.fileNames().isEmpty)
    }

    /// A cache of an earlier run is opened with a smaller budget and cleaned: every deleted file is
    /// counted, although budget enforcement alone would delete half of them.
    @Test func `clean of a cache over its budget counts every deleted file`() async throws {
        for number in 0..<40 { try bench.plant(body(10), for: "\(number)", age: number) }
        let configuration = DiskCacheConfiguration(
            directory: bench.directory,
            byteLimit: 10 * block,
            maximumAge: nil
        )
        let cache = DiskCache(configuration: configuration, clock: bench.clock.clock)

        let freed = await cache.clean()
        await cache.waitForScan()

        #expect(freed.entryCount == 36 && freed.byteCount == 36 * block)
        #expect(bench.fileNames().count == 4)
    }

    @Test func `the files of crashed writers are counted when clean removes them`() async throws {
        let cache = await bench.cache()
        try bench.plant(body(10), as: "tmp-99-1", age: 3_601)

        #expect(await cache.clean().entryCount == 1)
    }

    @Test func `a cancelled clean ends early and the next one does the work`() async throws {
        for number in 0..<100 { try bench.plant(body(10), for: "\(number)", age: 10) }
        let cache = await bench.cache(maximumAge: .seconds(1))
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await cache.clean().entryCount
        }
        task.cancel()

        #expect(await task.value == 0)
        #expect(await cache.clean().entryCount == 100)
    }
}
