import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

/// Two managers on one directory stand for two processes: their locks exclude each other.
struct LeaseTests {
    private let bench: CacheBench
    private let harnesses: [ManagerHarness]
    private let url = "http://a.example/1.png"

    init() throws {
        let bench = try CacheBench()
        self.bench = bench
        harnesses = (0..<2).map { _ in
            ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory))
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a URL that another process fetches is awaited, and found on the disk`() async throws {
        let first = harnesses[0].load(url)
        await harnesses[0].transport.waitForStarts(1)
        let second = harnesses[1].load(url)
        harnesses[1].answerEverything()

        harnesses[0].transport.respond(
            to: url,
            chunks: [PatternDecoder.bytes(width: 9, height: 1)]
        )

        #expect(try await first.result().get().source == .network)
        #expect(try await second.result().get().source == .disk)
        #expect(harnesses[1].transport.starts.isEmpty)
    }

    @Test(.timeLimit(.minutes(5)))
    func `an entry that another process stored after the directory scan is found`()
        async throws
    {
        for harness in harnesses { await harness.manager.engine.cache.disk?.waitForScan() }
        harnesses[0].answerEverything()
        _ = try await harnesses[0].load(url).result().get()
        await harnesses[0].manager.flush()

        let second = try await harnesses[1].load(url).result().get()

        #expect(second.source == .disk)
        #expect(harnesses[1].transport.starts.isEmpty)
        let statistics = try #require(harnesses[1].manager.engine.cache.disk?.statistics)
        #expect(statistics.hits == 1 && statistics.misses == 0)
    }

    @Test(.timeLimit(.minutes(5)))
    func `an entry that cannot be on disk is not looked up by the readers`() async throws {
        let disk = try #require(harnesses[0].manager.engine.cache.disk)
        await disk.waitForScan()
        harnesses[0].answerEverything()

        let response = try await harnesses[0].load(url).result().get()

        #expect(response.source == .network)
        #expect(disk.readers.threadCount == 0)
        #expect(disk.statistics.misses == 1)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a load that stops releases its lease to the other process`() async throws {
        let first = harnesses[0].load(url)
        await harnesses[0].transport.waitForStarts(1)
        let second = harnesses[1].load(url)
        harnesses[1].answerEverything()

        first.operation.cancel()

        #expect(try await second.result().get().source == .network)
    }

    @Test(.timeLimit(.minutes(5)))
    func `no load waits for another process longer than its patience`() async throws {
        let first = harnesses[0].load(url)
        await harnesses[0].transport.waitForStarts(1)
        harnesses[1].answerEverything()
        let second = harnesses[1].load(url)
        await waitWhile(harnesses[1].clock.alarmCount == 0)

        harnesses[1].clock.advance(by: KeyLeases.patience)

        #expect(try await second.result().get().source == .network)
        first.operation.cancel()
    }

    @Test(.timeLimit(.minutes(5)))
    func `a load that finds its lease free sets no alarm`() async throws {
        harnesses[0].answerEverything()

        _ = try await harnesses[0].load(url).result().get()

        #expect(harnesses[0].clock.alarmCount == 0)
    }

    @Test(.timeLimit(.minutes(5)))
    func `a load that waits for another process can be cancelled`() async throws {
        let isAsked = Protected(false)
        let third = ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory)) {
            $0.modifyRequest = { request throws(ImageLoadingError) in
                isAsked.withLock { $0 = true }
                return request
            }
        }
        let first = harnesses[0].load(url)
        await harnesses[0].transport.waitForStarts(1)
        let leases = try #require(third.manager.engine.leases)
        let second = third.load(url)
        await waitWhile(!leases.isInUse)

        second.operation.cancel()

        #expect(await second.result() == .failure(.cancelled))
        await waitWhile(leases.isInUse)
        #expect(third.transport.starts.isEmpty)
        _ = await third.load("data:,x").result()
        #expect(!isAsked.withLock { $0 }, "no hook is called for an abandoned load")
        first.operation.cancel()
    }
}
