import ImageLoading
import ImageLoadingTesting
import Testing

/// The code of the article "Coming from SDWebImage, Nuke or Kingfisher"; `make lint` compares it
/// with this file.
@Suite struct ComingFromOtherLibrariesTests {
    @Test func `a load with callbacks has one end`() async throws {
        var configuration = ImageManagerConfiguration()
        configuration.disk = nil

        configuration.cachePolicy = .ignoreHTTP

        let transport = ScriptedTransport()
        let manager = ImageManager(configuration: configuration, transport: transport)
        let url = "http://a.example/1.png"
        let (reports, continuation) = AsyncStream.makeStream(of: ImageLoadingError?.self)
        @Sendable func report(_ fraction: Double?) {}
        @Sendable func report(_ error: ImageLoadingError) { continuation.yield(error) }
        @Sendable func show(_ image: DecodedImage) { continuation.yield(nil) }

        let request = ImageRequest(
            url: url,
            targetSize: PixelSize(width: 64, height: 64),
            contentMode: .fill,
            options: [.progressive, .retryFailed],
            processors: [.crop(to: PixelSize(width: 64, height: 64)), .blur(sigma: 2)]
        )

        let operation = manager.load(request) { event in
            switch event {
            case .queued, .waiting: break
            case .progress(let progress): report(progress.fraction)
            case .preview(let preview): show(preview.image)
            case .finished(.success(let response)): show(response.image)
            case .finished(.failure(let error)): report(error)
            }
        }
        operation.priority = .low

        await transport.waitForStarts(1)
        transport.respond(to: url, status: 404, chunks: [[1]])
        let end = await reports.first { _ in true }
        #expect(end??.httpStatus == 404)

        let isThere = manager.isInMemory(request)
        try await manager.removeCached(request)

        #expect(!isThere)
    }
}
