import Foundation
import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

struct DiskCacheTests {
    let bench: CacheBench

    init() throws {
        bench = try CacheBench()
    }

    @Test func `a stored body is unchanged in its file, under the URL's name (C7, C9)`()
        async throws
    {
        let cache = await bench.cache()

        cache.store(body(100_000), for: try bench.url("a.jpg"))
        await cache.flush()

        let file = try Data(contentsOf: URL(fileURLWithPath: try bench.path("a.jpg")))
        #expect(Array(file) == body(100_000))
        #expect(await cache.data(for: try bench.url("a.jpg")) == body(100_000))
    }

    @Test
    func `the directory is created at the first write, private and tagged (C11, C32)`()
        async throws
    {
        let cache = await bench.cache()
        _ = await cache.data(for: try bench.url("a"))
        #expect(!FileManager.default.fileExists(atPath: bench.directory))

        cache.store(body(1), for: try bench.url("a"))
        await cache.flush()

        let mode = try FileManager.default.attributesOfItem(atPath: bench.directory)[
            .posixPermissions
        ]
        #expect(mode as? Int == 0o700)
        let tag = try String(contentsOfFile: bench.directory + "/CACHEDIR.TAG", encoding: .utf8)
        #expect(tag.hasPrefix("Signature: 8a477f597d28d172789f06886806bc55\n"))
    }

    // C8, M39
    @Test func `a body is found before it is written, and again after a restart`() async throws {
        let gate = Gate()
        var calls = FileCalls()
        let create = calls.create
        calls.create = { path throws(FileFailure) in
            gate.pass()
            return try create(path)
        }
        let cache = await bench.cache(calls: calls)

        cache.store(body(10), for: try bench.url("a"))

        #expect(await cache.data(for: try bench.url("a")) == body(10))
        #expect(await cache.contains(try bench.url("a")))
        #expect(bench.fileNames().isEmpty)
        gate.open()
        await cache.flush()
        #expect(await bench.cache().data(for: try bench.url("a")) == body(10))
    }

    // C8
    @Test func `a store that is the first use of the cache is waited for by a flush`()
        async throws
    {
        let cache = DiskCache(
            configuration: DiskCacheConfiguration(directory: bench.directory),
            clock: bench.clock.clock
        )
        let (gate, isFlushed) = (Gate(), Protected(false))
        cache.writer.submit(priority: .normal) { gate.pass() }

        cache.store(body(10), for: try bench.url("a"))
        let names = Task { [bench] in
            await cache.flush()
            isFlushed.withLock { $0 = true }
            return bench.bodyNames()
        }
        // The store, the scan, and the work that the flush waits for are queued behind the gate.
        await waitWhile(cache.writer.waitingCount < 3 && !isFlushed.withLock({ $0 }))
        gate.open()

        #expect(await names.value.count == 1)
    }

    // C8, C38
    @Test func `storing again replaces the body, and the last of several waiting ones wins`()
        async throws
    {
        let cache = await bench.cache()

        for seed in 0..<20 { cache.store(body(5_000, seed: UInt8(seed)), for: try bench.url("a")) }
        await cache.flush()

        #expect(await bench.cache().data(for: try bench.url("a")) == body(5_000, seed: 19))
        #expect(cache.statistics.entryCount == 1)
        #expect(cache.statistics.byteCount == (try bench.allocatedByteCount()))
    }

    // C15, C34, open point d
    @Test func `an unknown URL is a miss, and hits and misses are counted (F18)`() async throws {
        let cache = await bench.cache()
        cache.store(body(10), for: try bench.url("a"))

        #expect(await cache.data(for: try bench.url("b")) == nil)
        #expect(await cache.data(for: try bench.url("a")) != nil)

        #expect(cache.statistics.hits == 1)
        #expect(cache.statistics.misses == 1)
        #expect(cache.failures == DiskCacheFailures())
    }

    @Test func `removing deletes the file and a pending write (C17)`() async throws {
        let cache = await bench.cache()
        cache.store(body(10), for: try bench.url("a"))
        await cache.flush()
        cache.store(body(20), for: try bench.url("a"))

        await cache.remove(try bench.url("a"))

        #expect(await cache.data(for: try bench.url("a")) == nil)
        #expect(await !cache.contains(try bench.url("a")))
        #expect(cache.statistics.entryCount == 0)
        #expect(cache.statistics.byteCount == 0)
        await cache.remove(try bench.url("never there"))
    }

    // C26, C31
    @Test func `sizes are allocated blocks in the statistics, as on the disk (C30, F20)`()
        async throws
    {
        let cache = await bench.cache()
        for (number, count) in [1, 4_096, 4_097, 60_000].enumerated() {
            cache.store(body(count), for: try bench.url("\(number)"))
        }
        await cache.flush()

        let expected = try bench.allocatedByteCount()
        #expect(cache.statistics.byteCount == expected)
        #expect(expected >= 64_098 && expected < 64_098 + 4 * 8_192)
        let reopened = await bench.cache()
        #expect(reopened.statistics.byteCount == expected)
        #expect(reopened.statistics.entryCount == 4)
    }

    // C38
    @Test func `look-ups continue while the writer is blocked (F30)`() async throws {
        try bench.plant(body(10), for: "old")
        let gate = Gate()
        var calls = FileCalls()
        calls.write = { _, bytes throws(FileFailure) in
            gate.pass()
            return bytes.count
        }
        let cache = await bench.cache(calls: calls)
        cache.store(body(10), for: try bench.url("new"))

        #expect(await cache.data(for: try bench.url("old")) == body(10))

        gate.open()
        await cache.flush()
    }

    // C13
    @Test func `a look-up of a cancelled task reads nothing and counts as nothing`() async throws {
        let cache = await bench.cache()
        let url = try bench.url("a")
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await cache.data(for: url)
        }

        task.cancel()

        #expect(await task.value == nil)
        #expect(cache.statistics.misses == 0)
    }

    @Test func `empty bodies and those over the budget are not stored`() async throws {
        let cache = await bench.cache(byteLimit: 10_000)

        cache.store([], for: try bench.url("a"))
        cache.store(body(10_001), for: try bench.url("b"))
        await cache.flush()

        #expect(cache.statistics.entryCount == 0)
        #expect(bench.fileNames().isEmpty)
    }

    @Test(arguments: [
        ("/xdg", "/home/me", "/xdg/app"),
        ("relative", "/home/me", "/home/me/.cache/app"),
        (nil, "/home/me/", "/home/me/.cache/app"), ("", "/h", "/h/.cache/app"),
    ])
    func `the directory follows XDG_CACHE_HOME if that is absolute (C6)`(
        cacheHome: String?,
        home: String?,
        expected: String
    ) {
        let folders = UserFolders { $0 == "XDG_CACHE_HOME" ? cacheHome : home }
        #expect(DiskCacheConfiguration.directory(named: "app", in: folders) == expected)
    }

    @Test(arguments: [
        ("/usr/bin/viewer", "viewer"), ("/opt/My Viewer/bin/My Viewer", "My Viewer"),
        ("/usr/bin/viewer (deleted)", "viewer"), ("viewer", "viewer"),
        ("/a/.hidden", "_hidden"), ("/a/..", "_."), ("/", "image-loading"),
        ("", "image-loading"), (nil, "image-loading"), ("/a/b\u{1B}[0m", "b__0m"),
        ("/a/Bildergalerie-Größe_2.0+x", "Bildergalerie-Größe_2.0+x"),
    ])
    func `the directory is named after the program's file`(path: String?, expected: String) {
        #expect(DiskCacheConfiguration.name(ofExecutable: path) == expected)
    }

    @Test func `a given name is one name inside the user's directory for caches`() {
        let directory = DiskCacheConfiguration.defaultDirectory(named: "../a/b")

        #expect(directory.hasSuffix("/_._a_b"))
        #expect(
            DiskCacheConfiguration.fileName(String(repeating: "x", count: 300)).utf8.count == 64
        )
    }

    @Test func `the default directory is named after the program`() {
        let ownName = DiskCacheConfiguration.name(
            ofExecutable: try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/exe"
            )
        )

        #expect(DiskCacheConfiguration().directory.hasSuffix("/" + ownName))
        #expect(ownName != "termgallery")
    }

    // C35, default age, default size
    @Test func `the defaults are a week and 512 MiB (C27, C28)`() {
        let configuration = DiskCacheConfiguration(directory: "/x")

        #expect(configuration.maximumAge == .seconds(604_800))
        #expect(configuration.byteLimit == 536_870_912)
    }

    @Test func `a thousand random steps agree with a dictionary, before and after a restart`()
        async throws
    {
        var generator = SeededGenerator(seed: 9)
        var cache = await bench.cache()
        var model: [String: [UInt8]] = [:]
        for step in 0..<1_000 {
            let name = "\(Int.random(in: 0..<20, using: &generator))"
            switch Int.random(in: 0..<100, using: &generator) {
            case 0..<40:
                let bytes = body(
                    Int.random(in: 1...9_000, using: &generator),
                    seed: UInt8(step % 256)
                )
                cache.store(bytes, for: try bench.url(name))
                model[name] = bytes
            case 40..<80:
                #expect(
                    await cache.data(for: try bench.url(name)) == model[name],
                    "seed 9, \(step)"
                )
            case 80..<94:
                await cache.remove(try bench.url(name))
                model[name] = nil
            case 94..<96:
                await cache.clear()
                model = [:]
            default:
                await cache.flush()
                cache = await bench.cache()
            }
        }
        await cache.flush()
        #expect(cache.statistics.entryCount == model.count)
        #expect(cache.statistics.byteCount == (try bench.allocatedByteCount()))
    }
}
