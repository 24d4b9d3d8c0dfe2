import Decoders
import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

/// `refreshCached` (rows M15-M19), and the rules of HTTP for cached images.
struct RefreshTests {
    private let origin: CachedOrigin
    private var harness: ManagerHarness { origin.harness }
    private var url: String { origin.url }
    private let new = PatternDecoder.bytes(width: 5, height: 5)

    init() throws {
        origin = try CachedOrigin()
    }

    private var lastFields: [HeaderField] { harness.transport.starts.last?.headers ?? [] }

    // M15, M16, M17, F6
    @Test(arguments: [true, false])
    func `an unchanged image is shown immediately, then confirmed, and not decoded again`(
        isInMemory: Bool
    ) async throws {
        try await origin.fill(["etag": "\"a\"", "cache-control": "max-age=9"])
        if !isInMemory { harness.manager.clearMemory() }
        origin.answer([], status: 304)

        let load = harness.load(url, options: .refreshCached)
        let response = try await load.result().get()

        #expect(load.record.images.map(\.source) == [isInMemory ? .memory : .disk])
        #expect(response.isNotModified)
        #expect(response.httpStatus == 304)
        #expect(response.image == load.record.images.first?.image)
        #expect(lastFields.contains(HeaderField("If-None-Match", "\"a\"")))
        #expect(harness.manager.statistics.notModified == 1)
    }

    // M18
    @Test func `a changed image replaces the old one in both caches`() async throws {
        try await origin.fill(["etag": "\"a\""])
        let small = ImageRequest(url: url, targetSize: PixelSize(width: 1, height: 1))
        _ = try await harness.load(small).result().get()
        origin.answer(new, ["etag": "\"b\"", "cache-control": "max-age=9"])

        let load = harness.load(url, options: .refreshCached)
        let response = try await load.result().get()
        await harness.manager.flush()

        #expect(load.record.images.map(\.image.pixels.size.width) == [2])
        #expect(response.image.pixels.size.width == 5)
        #expect(!response.isNotModified)
        #expect(response.source == .network)
        #expect(try await harness.load(url).result().get().image.pixels.size.width == 5)
        #expect(try await harness.load(small).result().get().source == .disk)
        harness.manager.clearMemory()
        #expect(try await harness.load(url).result().get().image.pixels.size.width == 5)
    }

    // M17
    @Test func `the same bytes from a server without validators are not decoded again`()
        async throws
    {
        try await origin.fill([:])

        let response = try await harness.load(url, options: .refreshCached).result().get()

        #expect(response.isNotModified)
        #expect(response.source == .memory)
    }

    // M19
    @Test func `a refresh that fails keeps the image, and is not remembered`() async throws {
        try await origin.fill(["etag": "\"a\""])
        harness.transport.answerStarts { _ in .failure(.offline) }

        let load = harness.load(url, options: .refreshCached)
        let response = try await load.result().get()

        #expect(response.isStale)
        #expect(response.image.pixels.size.width == 2)
        #expect(load.record.images.count == 1)
        #expect(harness.manager.statistics.rememberedFailures == 0)
        #expect(harness.manager.statistics.staleAnswers == 1)
    }

    @Test func `an image that is gone from its server is an error, also of a refresh`()
        async throws
    {
        try await origin.fill(["etag": "\"a\""])
        origin.answer([1], status: 404)

        let error = await harness.load(url, options: .refreshCached).result().failure

        #expect(error?.httpStatus == 404)
    }

    // M13
    @Test func `a forbidden refresh returns the cached image`() async throws {
        let isAllowed = Protected(true)
        let harness = ManagerHarness(
            disk: DiskCacheConfiguration(directory: origin.bench.directory)
        ) {
            $0.shouldDownload = { _ in isAllowed.withLock { $0 } }
        }
        harness.answerEverything()
        _ = try await harness.load(url).result().get()
        isAllowed.withLock { $0 = false }

        let response = try await harness.load(url, options: .refreshCached).result().get()

        #expect(response.source == .memory)
        #expect(!response.isStale)
        #expect(harness.transport.starts.count == 1)
    }

    // open point b, M38
    @Test(.timeLimit(.minutes(5)))
    func `cancelling inside the first delivery starts no transfer`() async throws {
        try await origin.fill(["etag": "\"a\""])
        harness.manager.clearMemory()
        let (record, manager) = (EventRecord(), harness.manager)
        manager.load(ImageRequest(url: url, options: .refreshCached)) { event in
            if case .preview = event { manager.cancelAll() }
            record.add(event)
        }

        #expect(await record.result() == .failure(.cancelled))

        _ = await harness.load("data:,x").result()
        #expect(harness.transport.starts.count == 1)
        #expect(!manager.isRunning)
    }

    // M15, F24
    @Test func `a load that joins a refresh late gets its image and its progress too`()
        async throws
    {
        try await origin.fill(["etag": "\"a\""])
        harness.manager.clearMemory()
        harness.transport.answerStarts { _ in nil }
        let first = harness.load(url, options: .refreshCached)
        await harness.transport.waitForStarts(2)
        let head = TransferHead(status: 200, expectedByteCount: new.count)
        harness.transport.send(.head(head), to: url)
        harness.transport.send(.chunk([new[0]]), to: url)
        // Another thread may still be processing the start of the transfer, and then also reports
        // the later events.
        await first.waitForProgress(1)

        let second = harness.load(url, options: .refreshCached)

        #expect(second.record.images.count == 1)
        #expect(second.record.progress.last == LoadProgress(received: 1, expected: new.count))
        harness.transport.send(.chunk(Array(new[1...])), to: url)
        harness.transport.finish(url)
        for load in [first, second] {
            #expect(try await load.result().get().image.pixels.size.width == 5)
        }
    }
}

extension ImageLoadingError {
    static let offline = transfer(.noNetwork, "offline")
}
