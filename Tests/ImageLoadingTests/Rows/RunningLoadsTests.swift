import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// Which loads count as running, and until when.
struct RunningLoadsTests {
    private let bench: CacheBench
    private let harness: ManagerHarness
    private let url = "http://a.example/1.png"

    init() throws {
        bench = try CacheBench()
        harness = ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory))
    }

    /// Keeps both disk readers busy until the gates are opened.
    private func blockReaders() async throws -> [Gate] {
        let readers = try #require(harness.manager.engine.cache.disk).readers
        let gates = [Gate(), Gate()]
        for gate in gates { readers.submit(priority: .high) { gate.pass() } }
        await waitWhile(readers.waitingCount > 0)
        return gates
    }

    // M8, M10, M11, F5
    @Test
    func `a load runs before the disk has responded, and cancelling it then ends it for good`()
        async throws
    {
        let gates = try await blockReaders()
        let load = harness.load(url)
        let isRunningAtOnce = harness.manager.isRunning

        load.operation.cancel()
        let isRunningAfterwards = harness.manager.isRunning
        for gate in gates { gate.open() }
        let address = try ImageURL(parsing: url, origin: .local)
        _ = await harness.manager.engine.cache.disk?.contains(address)

        #expect(isRunningAtOnce && !isRunningAfterwards)
        #expect(load.record.endCount == 1)
        #expect(harness.transport.starts.isEmpty)
    }

    // M33, F5
    @Test(arguments: ["picture", "missing", "no picture", "not a url"])
    func `nothing runs after the end of a load, of any kind`(end: String) async {
        harness.transport.answerStarts { _ in
            switch end {
            case "picture": .body(PatternDecoder.bytes(width: 1, height: 1))
            case "missing": .body([1], status: 404)
            default: .body([1, 2, 3])
            }
        }

        _ = await harness.load(end == "not a url" ? end : url).result()

        #expect(!harness.manager.isRunning)
        #expect(harness.manager.statistics.liveTransfers == 0)
    }

    // M38: the cancel comes while there is no transfer yet that it could stop.
    @Test func `a hundred loads cancelled at their start leave no transfer running`() async {
        for number in 0..<100 {
            harness.load("http://a.example/\(number).png").operation.cancel()
        }

        await waitWhile(harness.manager.statistics.liveTransfers > 0)
        let counted = harness.manager.statistics
        #expect(harness.transport.runningURLs == [])
        #expect(counted.queuedTransfers == 0)
        #expect(counted.cancelled == 100)
    }

    // F7, open point j
    @Test func `a listener may call the manager from inside an event`() async {
        let manager = harness.manager
        let record = EventRecord()
        harness.answerEverything()

        manager.load(ImageRequest(url: url)) { event in
            _ = manager.statistics
            manager.clearMemory()
            manager.load(ImageRequest(url: "http://a.example/2.png")) { _ in }.cancel()
            manager.cancelAll()
            record.add(event)
        }

        _ = await record.result()
        #expect(record.endCount == 1)
    }
}
