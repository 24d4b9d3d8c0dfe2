import Foundation
import ImageLoading
import ImageLoadingTesting
import Testing

/// The code of the article "Getting started" about following a load, its bytes and the caches;
/// `make lint` compares it with this file.
@Suite struct GettingStartedCacheTests {
    private let pixel = PixelBuffer(
        size: PixelSize(width: 1, height: 1),
        bytes: [1, 2, 3, 255],
        hasAlpha: false
    )

    /// Compiled, not run: the shared manager keeps its files in the user's folder.
    private func twoLines() async throws -> PixelBuffer {
        let cat = try await ImageManager.shared.response(for: "https://example.org/cat.jpg")
        let catPixels = cat.image.pixels

        return catPixels
    }

    /// Compiled, not run: the tests share one process, and with it the shared manager.
    private func configuresSharedManager() {
        var settings = ImageManagerConfiguration()
        settings.hooks.headers = { _, fields in fields + [HeaderField("Accept-Language", "en")] }
        ImageManager.configureShared(settings)
    }

    @Test func `a load is followed in a loop, or from its handle`() async throws {
        let manager = ImageManager(configuration: inMemory)
        let request = try dataRequest()
        let next: ImageRequest = "data:,"
        let (ends, continuation) = AsyncStream.makeStream(of: Bool.self)
        var shown: [PixelBuffer] = []
        func show(_ fraction: Double?) {}
        func show(_ image: DecodedImage) { shown.append(image.pixels) }
        func show(_ error: ImageLoadingError) { Issue.record(error) }
        @Sendable func ended(_ result: Result<ImageResponse, ImageLoadingError>) {
            continuation.yield((try? result.get()) == nil)
        }

        for await event in manager.events(for: request) {
            switch event {
            case .queued, .waiting: break
            case .progress(let progress): show(progress.fraction)
            case .preview(let preview): show(preview.image)
            case .finished(.success(let response)): show(response.image)
            case .finished(.failure(let error)): show(error)
            }
        }

        for try await response in manager.previews(for: request) { show(response.image) }
        for try await progress in manager.progress(for: request) { show(progress.fraction) }

        let operation = manager.load(next) { event in
            if case .finished(let result) = event { ended(result) }
        }
        operation.priority = .low
        operation.cancel()

        #expect(shown == [pixel, pixel])
        #expect(await ends.first { _ in true } == true)
    }

    @Test func `bytes are loaded without being decoded`() async throws {
        let manager = ImageManager(configuration: inMemory)
        let request = try dataRequest()

        let body = try await manager.data(for: request)
        let format = DecoderRegistry.standard.format(of: body.bytes)

        #expect(format == .png)
    }

    @Test func `the caches are asked by request, and their limits change`() async throws {
        let folder = NSTemporaryDirectory() + "getting-started-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: folder) }
        var configuration = ImageManagerConfiguration()
        configuration.disk = DiskCacheConfiguration(directory: folder)
        let transport = ScriptedTransport()
        let manager = ImageManager(configuration: configuration, transport: transport)
        let bytes = try PNGEncoder.encode(pixel)
        let picture = try DecoderRegistry.standard.decode(bytes, options: DecodingOptions())
        let drawn: ImageRequest = "http://a.example/drawn.png"
        let received: ImageRequest = "http://a.example/received.png"
        let request = drawn

        try await manager.store(picture, for: drawn, timeToLive: .seconds(60))
        try manager.store(bytes, for: received)
        try await manager.removeCached(drawn, from: .memory)

        await manager.flush()

        let shownBefore = manager.imageInMemory(for: request)
        let image = await manager.cachedImage(for: request)
        let levels = await manager.cacheLevels(of: request)
        let path = await manager.cachedFile(for: request)

        #expect(shownBefore == nil)
        #expect(image?.pixels == pixel)
        #expect(levels == .all)
        #expect(path.map(FileManager.default.fileExists(atPath:)) == true)
        #expect(await manager.isOnDisk(received))
        #expect(transport.starts.isEmpty)

        manager.memoryByteLimit = 64 << 20
        manager.memoryCountLimit = 200
        manager.memoryTimeToLive = .seconds(600)
        manager.diskByteLimit = Int.max
        manager.diskMaximumAge = .seconds(86_400)

        #expect(manager.diskByteLimit == .max)
    }

    private func dataRequest() throws -> ImageRequest {
        let base64 = Data(try PNGEncoder.encode(pixel)).base64EncodedString()
        return ImageRequest("data:image/png;base64," + base64)
    }

    private var inMemory: ImageManagerConfiguration {
        var configuration = ImageManagerConfiguration()
        configuration.disk = nil
        return configuration
    }
}
