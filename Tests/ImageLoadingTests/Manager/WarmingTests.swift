import Decoders
import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// Loads for the disk only, entries that programs store, and queries about them (row M39).
struct WarmingTests {
    private let bench: CacheBench
    private let harness: ManagerHarness
    private let url = "http://a.example/1.png"
    private var request: ImageRequest { ImageRequest(url: url) }

    init() throws {
        bench = try CacheBench()
        harness = ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory))
    }

    private func warm(_ request: ImageRequest) -> RecordedLoad {
        let record = EventRecord()
        let operation = harness.manager.warmDisk(request) { record.add($0) }
        return RecordedLoad(operation: operation, record: record)
    }

    @Test func `warming stores the body on disk, and no pixels in memory`() async throws {
        harness.answerEverything()

        let response = try await warm(request).result().get()

        #expect(response.image.pixels.size.isEmpty)
        #expect(response.image.properties.size == PixelSize(width: 2, height: 2))
        #expect(harness.manager.statistics.memoryCache.entryCount == 0)
        #expect(try await harness.load(url).result().get().source == .disk)
    }

    // F16
    @Test func `a visible load shares the transfer of a warming one, and raises its priority`()
        async throws
    {
        let busy = (0..<6).map { harness.load("http://a.example/busy\($0)") }
        await harness.transport.waitForStarts(6)
        var low = request
        low.options = .lowPriority
        let warming = warm(low)
        await harness.untilQueued(1)
        let other = harness.load(ImageRequest(url: "http://a.example/other", priority: .normal))
        await harness.untilQueued(2)
        let shown = harness.load(url)
        await harness.waitForSharedTransfer()

        harness.transport.answerStarts { _ in .body(PatternDecoder.bytes(width: 2, height: 2)) }
        busy[0].operation.cancel()
        for load in [warming, shown, other] { _ = try await load.result().get() }

        #expect(harness.transport.starts[6].url == url)
        #expect(harness.transport.starts.count == 8)
        for load in busy { load.operation.cancel() }
    }

    @Test func `warming a file that is not an image fails, and is remembered`() async {
        harness.transport.answerStarts { _ in .body(Array("<html>".utf8)) }

        let error = await warm(request).result().failure

        #expect(error?.stage == .decode)
        #expect(harness.manager.rememberedFailures.map(\.subject) == [url])
    }

    // M39
    @Test func `a program can store a body, request it and remove it`() async throws {
        let manager = harness.manager
        #expect(await !manager.isOnDisk(request))

        try manager.store(PatternDecoder.bytes(width: 7, height: 1), for: request)
        #expect(await manager.isOnDisk(request))
        #expect(!manager.isInMemory(request))
        let response = try await harness.load(url).result().get()
        #expect(response.image.pixels.size.width == 7)
        #expect(manager.isInMemory(request))

        try await manager.removeCached(request)
        #expect(await !manager.isOnDisk(request))
        #expect(!manager.isInMemory(request))
    }

    // F26
    @Test func `an abandoned transfer leaves its first bytes on disk`()
        async throws
    {
        let body = [UInt8](repeating: 7, count: 40_000)
        let load = harness.load(url)
        await harness.transport.waitForStarts(1)
        let head = TransferHead(
            status: 200,
            expectedByteCount: 80_000,
            headers: ["etag": "\"a\""]
        )
        harness.transport.send(.head(head), to: url)
        harness.transport.send(.chunk(body), to: url)

        load.operation.cancel()
        await harness.transport.waitForCancels(1)
        let address = try ImageURL(parsing: url, origin: .local)
        let disk = try #require(harness.manager.engine.cache.disk)
        await waitWhile(await disk.partial(for: address) == nil)
        let next = harness.load(url)
        await harness.transport.waitForStarts(2)

        let fields = harness.transport.starts[1].headers
        #expect(fields.contains(HeaderField("Range", "bytes=40000-")))
        #expect(fields.contains(HeaderField("If-Range", "\"a\"")))
        next.operation.cancel()
    }

    // O13, F19
    @Test(.timeLimit(.minutes(5)))
    func `continueInBackground stores to disk after the last listener has left`() async throws {
        let load = harness.load(url, options: .continueInBackground)
        await harness.transport.waitForStarts(1)

        load.operation.cancel()
        #expect(await load.result() == .failure(.cancelled))
        harness.transport.respond(to: url, chunks: [PatternDecoder.bytes(width: 3, height: 1)])
        await waitWhile(await !harness.manager.isOnDisk(request))

        #expect(try await harness.load(url).result().get().source == .disk)
        #expect(harness.transport.record.cancelledURLs == [])
        #expect(harness.manager.statistics.transfersDetached == 1)
    }
}
