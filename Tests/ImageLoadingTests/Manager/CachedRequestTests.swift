import Decoders
import ImageLoadingTesting
import SystemSupport
import Testing

@testable import ImageLoading

/// The caches, queried and changed by request.
struct CachedRequestTests {
    private let bench: CacheBench
    private let harness: ManagerHarness
    private let url = "http://a.example/1.png"
    private var request: ImageRequest { ImageRequest(url: url) }
    private var manager: ImageManager { harness.manager }

    init() throws {
        bench = try CacheBench()
        harness = ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory))
    }

    private func image(_ width: Int) -> DecodedImage {
        let size = PixelSize(width: width, height: 1)
        let properties = ImageProperties(
            format: .png,
            size: size,
            orientation: 1,
            hasAlpha: false,
            isProgressive: false
        )
        let pixels = PixelBuffer(
            size: size,
            bytes: Array(repeating: 255, count: width * 4),
            hasAlpha: false
        )
        return DecodedImage(pixels: pixels, properties: properties)
    }

    private func inMemory(_ request: ImageRequest) -> DecodedImage? {
        manager.imageInMemory(for: request)
    }

    @Test func `the memory matches the exact size, the disk every size`() async throws {
        harness.answerEverything()
        let small = ImageRequest(url: url, targetSize: PixelSize(width: 1, height: 1))
        _ = try await harness.load(request).result().get()
        await manager.flush()

        #expect(inMemory(request) != nil)
        #expect(inMemory(small) == nil)
        #expect(await manager.cacheLevels(of: request) == .all)
        #expect(await manager.cacheLevels(of: small) == .disk)
        #expect(
            await manager.cachedImage(for: small)?.pixels.size == PixelSize(width: 1, height: 1)
        )
        #expect(harness.transport.starts.count == 1, "the caches alone are asked")
    }

    @Test func `a cache miss returns nil without a network request`() async {
        let levels = await manager.cacheLevels(of: request)

        #expect(levels.isEmpty)
        #expect(await manager.cachedImage(for: request) == nil)
        #expect(await manager.cachedFile(for: request) == nil)
        #expect(await manager.cacheLevels(of: "not a URL").isEmpty)
        #expect(harness.transport.starts.isEmpty)
    }

    @Test func `an image is stored in memory only, or on disk only`() async throws {
        try await manager.store(image(3), for: request, in: .memory)
        try await manager.store(image(4), for: "http://a.example/2.png", in: .disk)

        #expect(await manager.cacheLevels(of: request) == .memory)
        #expect(await manager.cacheLevels(of: "http://a.example/2.png") == .disk)
        let loaded = try await manager.response(for: "http://a.example/2.png")
        #expect(loaded.source == .disk)
        #expect(loaded.image.pixels == image(4).pixels)
        #expect(harness.transport.starts.isEmpty)
    }

    @Test func `an image and a body are both found by the next manager by default`() async throws {
        let body: ImageRequest = "http://a.example/2.png"
        try await manager.store(image(3), for: request)
        try manager.store(PatternDecoder.bytes(width: 5, height: 1), for: body)
        await manager.flush()

        let next = ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory)).manager

        #expect(await manager.cacheLevels(of: request) == .all)
        #expect(await next.cachedImage(for: request)?.pixels == image(3).pixels)
        #expect(await next.cachedImage(for: body)?.pixels.size.width == 5)
    }

    @Test func `isInMemory matches the exact size, as cacheLevels does`() async throws {
        let small = ImageRequest(url: url, targetSize: PixelSize(width: 1, height: 1))
        try await manager.store(image(3), for: small, in: .memory)

        #expect(manager.isInMemory(small))
        #expect(!manager.isInMemory(request))
        #expect(await manager.cacheLevels(of: request).isEmpty)
        #expect(manager.isInMemoryAtAnySize(request))
    }

    @Test func `an image is removed from one cache or from both`() async throws {
        try await manager.store(image(3), for: request, in: .all)

        try await manager.removeCached(request, from: .memory)
        #expect(await manager.cacheLevels(of: request) == .disk)
        try await manager.removeCached(request)
        #expect(await manager.cacheLevels(of: request).isEmpty)
    }

    @Test func `an image in memory lives for its stored time to live`() async throws {
        try await manager.store(image(3), for: request, timeToLive: .seconds(10))

        #expect(inMemory(request) != nil)
        harness.clock.advance(by: .seconds(10))
        #expect(inMemory(request) == nil)
    }

    @Test func `a lower limit applies immediately`() async throws {
        try await manager.store(image(3), for: request)

        manager.memoryByteLimit = 0

        #expect(inMemory(request) == nil)
        #expect(manager.statistics.memoryCache.entryCount == 0)
    }

    @Test func `the file of a request has its body`() async throws {
        harness.answerEverything()
        _ = try await harness.load(request).result().get()

        let path = try #require(await manager.cachedFile(for: request))

        #expect(path.hasPrefix(bench.directory))
    }

    @Test func `a body's response fields can be read, which does not count as use`()
        async throws
    {
        let origin = try CachedOrigin()
        let manager = origin.harness.manager
        try await origin.fill([
            "etag": "\"v1\"", "cache-control": "max-age=100",
            "last-modified": "Sun, 06 Nov 1994 08:49:37 GMT",
        ])
        let hits = manager.statistics.diskCache.hits

        let facts = try #require(await manager.cachedBody(for: ImageRequest(url: origin.url)))

        let answer = try #require(facts.answer)
        #expect(answer.entityTag == "\"v1\"" && answer.lastModified == 784_111_777)
        #expect(answer.secondsFresh == 100 && answer.saysHowLong && !answer.isAskedEachTime)
        #expect(manager.statistics.diskCache.hits == hits)
        #expect(await manager.cachedBody(for: "http://a.example/other") == nil)
    }

    // MARK: Processed images on disk

    @Test func `a processed image that is kept on disk is not processed again`() async throws {
        let count = Protected(0)
        let processor = ImageProcessor(identifier: "count") { image, _ in
            count.withLock { $0 += 1 }
            return image
        }
        harness.answerEverything()
        let request = ImageRequest(
            url: url,
            options: .keepProcessedOnDisk,
            processors: [processor]
        )
        let first = try await manager.response(for: request)
        // The image is encoded on the decode threads, after everything else there.
        let disk = try #require(manager.engine.cache.disk)
        let key = try manager.engine.resolver.key(for: request)
        await waitWhile(await !disk.containsImage(for: key.image, of: key.url))
        manager.clearMemory()

        let second = try await manager.response(for: request)

        #expect(second.source == .disk)
        #expect(second.image.pixels == first.image.pixels)
        #expect(count.withLock { $0 } == 1)
    }
}
