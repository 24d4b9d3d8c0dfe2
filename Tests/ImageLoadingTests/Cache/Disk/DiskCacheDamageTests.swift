import Foundation
import Testing

@testable import ImageLoading
import SystemSupport

/// All kinds of damage to the disk cache, with one test for each.
struct DiskCacheDamageTests {
    let bench: CacheBench

    init() throws {
        bench = try CacheBench()
    }

    private func settle(_ cache: DiskCache) async {
        await cache.writer.runToEnd(priority: .low) {}
    }

    @Test func `an empty file, as a crash leaves it, is a miss and is deleted`() async throws {
        let cache = await bench.cache()
        try bench.plant([], for: "a")

        #expect(await cache.data(for: try bench.url("a")) == nil)

        await settle(cache)
        #expect(try !bench.exists("a"))
        #expect(await !cache.contains(try bench.url("a")))
    }

    @Test func `an empty file is deleted by the scan`() async throws {
        try bench.plant([], for: "a")

        let cache = await bench.cache()

        #expect(try !bench.exists("a"))
        #expect(cache.statistics.entryCount == 0)
    }

    @Test func `a file larger than any body is a miss and is deleted, not read`() async throws {
        let cache = await bench.cache()
        try bench.plant([1], for: "a")
        truncate(try bench.path("a"), 1 << 40)

        #expect(await cache.data(for: try bench.url("a")) == nil)

        await settle(cache)
        #expect(try !bench.exists("a"))
    }

    @Test func `a file that vanished is a miss and stops counting`() async throws {
        try bench.plant(body(10), for: "a")
        let cache = await bench.cache()
        #expect(cache.statistics.entryCount == 1)
        try FileManager.default.removeItem(atPath: try bench.path("a"))

        #expect(await cache.data(for: try bench.url("a")) == nil)

        await settle(cache)
        #expect(cache.statistics.entryCount == 0)
        #expect(cache.statistics.byteCount == 0)
        #expect(cache.failures.readCount == 0)
    }

    @Test func `a file that another process wrote is a hit and counts from then on`() async throws {
        let cache = await bench.cache()
        try bench.plant(body(10), for: "a")

        #expect(await cache.data(for: try bench.url("a")) == body(10))

        await settle(cache)
        #expect(cache.statistics.entryCount == 1)
    }

    @Test func `a pipe under a body's name is a counted miss and blocks no reader`()
        async throws
    {
        let cache = await bench.cache()
        try bench.plant([1], for: "other")
        mkfifo(try bench.path("a"), 0o600)

        #expect(await cache.data(for: try bench.url("a")) == nil)
        #expect(await !cache.contains(try bench.url("a")))

        #expect(cache.failures.readCount == 1)
    }

    @Test func `a symbolic link under a body's name is not followed`() async throws {
        try bench.plant(body(10), as: "secret.txt")
        try FileManager.default.createSymbolicLink(
            atPath: try bench.path("a"),
            withDestinationPath: bench.directory + "/secret.txt"
        )
        let cache = await bench.cache()

        #expect(await cache.data(for: try bench.url("a")) == nil)
        #expect(await !cache.contains(try bench.url("a")))

        #expect(cache.failures.lastText == "open: Too many levels of symbolic links")
        cache.store(body(20), for: try bench.url("a"))
        await cache.flush()
        #expect(await cache.data(for: try bench.url("a")) == body(20))
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: bench.directory + "/secret.txt")).count == 10
        )
    }

    @Test
    func `old temporary files of crashed writers are removed by the scan, young ones stay`()
        async throws
    {
        try bench.plant(body(10), as: "tmp-99-1", age: 3_601)
        try bench.plant(body(10), as: "tmp-99-2", age: 3_599)

        let cache = await bench.cache()

        #expect(bench.fileNames() == ["tmp-99-2"])
        #expect(cache.statistics.entryCount == 0)
    }

    @Test func `a temporary file with our next name prevents no store`() async throws {
        let cache = await bench.cache()
        cache.store(body(1), for: try bench.url("probe"))
        await cache.flush()
        var calls = FileCalls()
        let create = calls.create
        let isFirst = CancellationFlag()
        calls.create = { path throws(FileFailure) in
            guard isFirst.isCancelled else {
                isFirst.cancel()
                throw FileFailure(operation: "create", code: EEXIST)
            }
            return try create(path)
        }
        let second = await bench.cache(calls: calls)

        second.store(body(1), for: try bench.url("a"))
        second.store(body(1), for: try bench.url("b"))
        await second.flush()

        #expect(second.failures.writeCount == 0)
        #expect(try bench.exists("a") && bench.exists("b"))
    }

    @Test func `a disk that fills up during a write leaves no file (F10)`()
        async throws
    {
        var calls = FileCalls()
        let write = calls.write
        let isFull = CancellationFlag()
        calls.write = { file, bytes throws(FileFailure) in
            guard isFull.isCancelled, bytes.count < 4_096 else {
                return try write(file, .init(rebasing: bytes.prefix(4_096)))
            }
            throw FileFailure(operation: "write", code: ENOSPC)
        }
        let cache = await bench.cache(calls: calls)
        cache.store(body(10_000, seed: 1), for: try bench.url("a"))
        await cache.flush()
        isFull.cancel()

        cache.store(body(10_000, seed: 2), for: try bench.url("a"))
        cache.store(body(10_000, seed: 3), for: try bench.url("b"))
        await cache.flush()

        #expect(cache.failures.writeCount == 2)
        #expect(cache.failures.lastText == "write: No space left on device")
        #expect(await cache.data(for: try bench.url("a")) == body(10_000, seed: 1))
        #expect(await cache.data(for: try bench.url("b")) == nil)
        #expect(bench.fileNames().count == 2, "the body of before and the tag")
    }

    @Test func `a body is written whole although each write takes only a part of it`()
        async throws
    {
        var calls = FileCalls()
        let write = calls.write
        calls.write = { file, bytes throws(FileFailure) in
            try write(file, .init(rebasing: bytes.prefix(999)))
        }
        let cache = await bench.cache(calls: calls)

        cache.store(body(10_000), for: try bench.url("a"))
        await cache.flush()

        #expect(await cache.data(for: try bench.url("a")) == body(10_000))
    }

    @Test func `a rename that fails leaves neither a body nor a temporary file`() async throws {
        var calls = FileCalls()
        calls.rename = { _, _ throws(FileFailure) in
            throw FileFailure(operation: "rename", code: EROFS)
        }
        let cache = await bench.cache(calls: calls)

        cache.store(body(10), for: try bench.url("a"))
        await cache.flush()

        #expect(cache.failures.lastText == "rename: Read-only file system")
        #expect(bench.fileNames() == ["CACHEDIR.TAG"])
        #expect(cache.statistics.byteCount == 0)
    }

    @Test func `a file instead of the directory fails the stores and nothing else`() async throws {
        let parent = (bench.directory as NSString).deletingLastPathComponent
        try FileManager.default.createDirectory(atPath: parent, withIntermediateDirectories: true)
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: bench.directory))
        let cache = await bench.cache()

        cache.store(body(10), for: try bench.url("a"))
        await cache.flush()

        #expect(await cache.data(for: try bench.url("a")) == nil)
        #expect(cache.failures.writeCount == 1)
        #expect(cache.failures.lastText?.hasSuffix("Not a directory") == true)
        await cache.clean()
        await cache.clear()
        #expect(try Data(contentsOf: URL(fileURLWithPath: bench.directory)).count == 3)
    }

    /// Not even root can create directories in sysfs; opening the file alone would report only that
    /// it is missing.
    @Test func `a directory that cannot be created gives the reason, not a missing file`()
        async throws
    {
        let cache = DiskCache(
            configuration: DiskCacheConfiguration(directory: "/sys/nowhere/cache"),
            clock: bench.clock.clock
        )

        cache.store(body(10), for: try bench.url("a"))
        await cache.flush()

        let words = cache.failures.lastText ?? ""
        #expect(words.hasPrefix("make folder: ") && !words.contains("No such file"), "\(words)")
    }

    @Test func `a blocked writer drops stores instead of filling the memory`() async throws {
        let gate = Gate()
        var calls = FileCalls()
        let create = calls.create
        calls.create = { path throws(FileFailure) in
            gate.pass()
            return try create(path)
        }
        let cache = await bench.cache(calls: calls)
        let large = [UInt8](repeating: 1, count: 20 << 20)

        for number in 0..<6 { cache.store(large, for: try bench.url("\(number)")) }

        #expect(cache.failures.writeCount == 2)
        #expect(await cache.data(for: try bench.url("5")) == nil)
        #expect(await cache.contains(try bench.url("0")))
        await gateOpened(gate, cache)
    }

    private func gateOpened(_ gate: Gate, _ cache: DiskCache) async {
        gate.open()
        await cache.clear()
    }
}
