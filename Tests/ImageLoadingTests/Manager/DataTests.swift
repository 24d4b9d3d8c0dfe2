import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// The bytes of an image, through the caches.
struct DataTests {
    private let bench: CacheBench
    private let harness: ManagerHarness
    private let url = "http://a.example/1.png"
    private let body = PatternDecoder.bytes(width: 2, height: 2)
    private var request: ImageRequest { ImageRequest(url: url) }

    init() throws {
        bench = try CacheBench()
        harness = ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory))
    }

    @Test func `data is loaded from the network once, then from the disk`() async throws {
        harness.answerEverything()

        let first = try await harness.manager.data(for: request)
        await harness.manager.flush()
        let second = try await harness.manager.data(for: request)

        #expect(first.bytes == body)
        #expect(first.source == .network)
        #expect(first.httpStatus == 200)
        #expect(second.bytes == body)
        #expect(second.source == .disk)
        #expect(harness.transport.starts.count == 1)
    }

    @Test func `an image that was loaded has its data on the disk, and the other way round`()
        async throws
    {
        harness.answerEverything()
        _ = try await harness.load(url).result().get()
        await harness.manager.flush()
        let other = ImageRequest(url: "http://a.example/2.png")

        let data = try await harness.manager.data(for: request)
        _ = try await harness.manager.data(for: other)
        await harness.manager.flush()
        let image = try await harness.load(other).result().get()

        #expect(data.source == .disk)
        #expect(image.source == .disk)
        #expect(harness.transport.starts.count == 2)
    }

    @Test(.timeLimit(.minutes(5)))
    func `data shares the transfer of a running load`() async throws {
        let load = harness.load(url)
        await harness.transport.waitForStarts(1)
        let (manager, request) = (harness.manager, request)
        let data = Task { try await manager.data(for: request) }
        await harness.waitForSharedTransfer()

        harness.transport.respond(to: url, chunks: [body])

        #expect(try await data.value.bytes == body)
        #expect(try await load.result().get().image.pixels.size.width == 2)
        #expect(harness.transport.starts.count == 1)
    }

    @Test func `bytes without a decoder can still be loaded as data`() async throws {
        harness.transport.answerStarts { _ in .body(Array("plain text".utf8)) }

        let data = try await harness.manager.data(for: request)

        #expect(data.bytes == Array("plain text".utf8))
        #expect(harness.manager.statistics.memoryCache.entryCount == 0)
    }

    @Test func `the bytes of a data URL are decoded from it`() async throws {
        let data = try await harness.manager.data(for: ImageRequest(url: "data:,abc"))

        #expect(data.bytes == Array("abc".utf8))
    }

    @Test(.timeLimit(.minutes(5)))
    func `cancelling the task cancels the transfer`() async throws {
        let (manager, request) = (harness.manager, request)
        let data = Task { try await manager.data(for: request) }
        await harness.transport.waitForStarts(1)

        data.cancel()

        await #expect(throws: ImageLoadingError.cancelled) { try await data.value }
        #expect(!manager.isRunning)
    }
}
