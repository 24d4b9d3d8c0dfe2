import Decoders
import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

/// The entries that a load leaves in the two caches.
struct ImageManagerDiskTests {
    private let bench: CacheBench
    private let harness: ManagerHarness
    private let url = "http://a.example/1.png"
    private let picture = PatternDecoder.bytes(width: 4, height: 2)

    init() throws {
        bench = try CacheBench()
        harness = ManagerHarness(
            disk: DiskCacheConfiguration(directory: bench.directory),
            decoders: [DutifulDecoder()]
        )
    }

    private var disk: DiskCache {
        get throws { try #require(harness.manager.engine.cache.disk) }
    }

    // M21
    @Test(.timeLimit(.minutes(5)))
    func `F26: a complete body is stored on disk although its decode was cancelled`()
        async throws
    {
        let load = harness.load(url)
        await harness.transport.waitForStarts(1)
        harness.transport.respond(to: url, chunks: [DutifulDecoder.magic])

        load.operation.cancel()

        #expect(await load.result() == .failure(.cancelled))
        let (disk, address) = (try disk, try ImageURL(parsing: url, origin: .local))
        await waitWhile(await disk.data(for: address) != DutifulDecoder.magic)
        #expect(harness.manager.statistics.rememberedFailures == 0)
    }

    @Test func `a body over our limits stays on disk and is not requested again`() async throws {
        let address = try ImageURL(parsing: url, origin: .local)
        let bytes = DutifulDecoder.tooLarge
        try disk.store(bytes, for: address)
        harness.answerEverything()

        let error = await harness.load(url).result().failure

        #expect(error?.reason == .decoding(.tooMuchMemory(byteCount: 2, limit: 1)))
        #expect(await (try disk).data(for: address) == bytes)
        #expect(harness.transport.starts.isEmpty)
    }

    @Test func `bytes on disk that are not an image are fetched again`() async throws {
        try disk.store([1, 2, 3], for: try ImageURL(parsing: url, origin: .local))
        harness.answerEverything()

        #expect(try await harness.load(url).result().get().source == .network)
    }

    @Test func `F29: loads in progress when memory was cleared do not refill it`() async throws {
        let load = harness.load(url)
        await harness.transport.waitForStarts(1)

        harness.manager.clearMemory()
        harness.transport.respond(to: url, chunks: [picture])

        _ = try await load.result().get()
        #expect(harness.manager.statistics.memoryCache.entryCount == 0)
        #expect(try await harness.load(url).result().get().source == .disk)
        #expect(harness.manager.statistics.memoryCache.entryCount == 1)
    }

    @Test func `F29: loads in progress when the disk was cleared do not refill it`()
        async throws
    {
        let load = harness.load(url)
        await harness.transport.waitForStarts(1)

        await harness.manager.clearDisk()
        harness.transport.respond(to: url, chunks: [picture])
        _ = try await load.result().get()
        await harness.manager.flush()

        #expect(bench.bodyNames().isEmpty)
    }

    @Test func `F24: a visible image is read from disk before a prefetched one`()
        async throws
    {
        let urls = ["low", "high"].map { "http://a.example/\($0)" }
        for url in urls {
            try disk.store(picture, for: try ImageURL(parsing: url, origin: .local))
        }
        await harness.manager.flush()
        let readers = try disk.readers
        let gates = [Gate(), Gate()]
        for gate in gates { readers.submit(priority: .high) { gate.pass() } }
        await waitWhile(readers.waitingCount > 0)
        let high = harness.load(ImageRequest(url: urls[1], priority: .high))
        await waitWhile(readers.waitingCount < 1)
        // Newest first among equals, so without priorities it would go first.
        let low = harness.load(ImageRequest(url: urls[0], priority: .low))
        await waitWhile(readers.waitingCount < 2)
        let (between, isBetween) = (Gate(), Protected(false))
        readers.submit(priority: .normal) {
            isBetween.withLock { $0 = true }
            between.pass()
        }

        gates[0].open()
        await waitWhile(!isBetween.withLock({ $0 }))
        let waitingCount = readers.waitingCount
        between.open()
        gates[1].open()

        #expect(waitingCount == 1)
        for load in [high, low] { #expect(try await load.result().get().source == .disk) }
    }
}

/// A decoder for an invented format, which runs until it is cancelled, or fails if the image is too
/// large.
private struct DutifulDecoder: ImageDecoder {
    static let magic = Array("DUTIFUL".utf8)
    static let tooLarge = magic + [1]

    var format: ImageFormat { .png }

    func canDecode(_ prefix: [UInt8]) -> Bool { prefix.starts(with: Self.magic) }

    func probe(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImageProperties { throw .empty }

    func decode(
        _ bytes: [UInt8],
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        guard bytes.count == Self.magic.count else {
            throw .tooMuchMemory(byteCount: 2, limit: 1)
        }
        while !options.isCancelled() { continue }
        throw .cancelled
    }
}
