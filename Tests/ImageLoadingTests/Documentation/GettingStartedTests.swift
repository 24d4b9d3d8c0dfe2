import Foundation
import ImageLoading
import ImageLoadingTesting
import Testing

/// The code of the README and of the article "Getting started", which `make lint` compares with
/// this file; one import provides everything that it needs from the engine.
@Suite struct GettingStartedTests {
    private let folder = NSTemporaryDirectory() + "getting-started-\(UUID().uuidString)"

    private func server() throws -> LoopbackServer {
        let size = PixelSize(width: 640, height: 480)
        let pixels = PixelBuffer(
            size: size,
            bytes: [UInt8](repeating: 128, count: size.pixelCount * 4),
            hasAlpha: false
        )
        return LoopbackServer(["/1.png": LoopbackServer.Step.answer(try PNGEncoder.encode(pixels))])
    }

    @Test func `one image is loaded, then found in memory`() async throws {
        let server = try server()
        let url = server.url("/1.png")
        defer { try? FileManager.default.removeItem(atPath: folder) }

        var configuration = ImageManagerConfiguration()
        configuration.disk = DiskCacheConfiguration(directory: folder)
        let manager = ImageManager(configuration: configuration)

        let request = ImageRequest(url: url, targetSize: PixelSize(width: 320, height: 240))
        let response = try await manager.response(for: request)
        let pixels = response.image.pixels

        #expect(pixels.size == PixelSize(width: 320, height: 240))
        #expect(response.source == .network)
        #expect(try await manager.response(for: request).source == .memory)

        await manager.flush()
    }

    @Test func `a list is prefetched, and its images are in memory then`() async throws {
        let server = try server()
        let manager = ImageManager(configuration: inMemory)
        let urls = [server.url("/1.png"), server.url("/missing.png")]
        let (summaries, continuation) = AsyncStream.makeStream(of: PrefetchSummary.self)

        let prefetcher = ImagePrefetcher(manager: manager)
        let list = prefetcher.prefetch(urls.map { ImageRequest($0) }) { event in
            guard case .completed(let summary) = event else { return }
            continuation.yield(summary)
        }

        let summary = await summaries.first { _ in true }
        #expect(summary?.loaded == 1)
        #expect(summary?.failed == 1)
        let again = try await manager.response(for: ImageRequest(url: urls[0]))
        #expect(again.source == .memory)

        list.priority = .normal
        list.cancel()
    }

    @Test func `a string converts to a request, and processors are part of a request`() async throws
    {
        let server = try server()
        let url = server.url("/1.png")
        let manager = ImageManager(configuration: inMemory)

        let whole = ImageRequest(url)
        let example: ImageRequest = "https://example.org/1.jpg"

        #expect(example == ImageRequest("https://example.org/1.jpg"))
        #expect(whole == ImageRequest(url: url))

        let avatar = ImageRequest(
            url: url,
            targetSize: PixelSize(width: 96, height: 96),
            contentMode: .fill,
            processors: [.crop(to: PixelSize(width: 96, height: 96)), .roundCorners(radius: 48)]
        )

        let round = try await manager.response(for: avatar).image.pixels
        #expect(round.size == PixelSize(width: 96, height: 96))
        #expect(round.bytes[3] == 0)

        let inverted = ImageProcessor(identifier: "inverted") { image, isCancelled in
            guard !isCancelled() else { return nil }
            var bytes = image.pixels.bytes
            for index in bytes.indices where index % 4 < 3 { bytes[index] = 255 - bytes[index] }
            let pixels = PixelBuffer(
                size: image.pixels.size,
                bytes: bytes,
                hasAlpha: image.pixels.hasAlpha
            )
            return DecodedImage(pixels: pixels, properties: image.properties)
        }

        let request = ImageRequest(url: url, processors: [inverted])
        #expect(try await manager.response(for: request).image.pixels.bytes[0] == 127)
    }

    @Test func `a view with several images keeps their loads in a table`() {
        let manager = ImageManager(configuration: inMemory, transport: ScriptedTransport())
        let cover: ImageRequest = "http://a.example/cover.jpg"
        let faces: [ImageRequest] = ["http://a.example/1.jpg", "http://a.example/2.jpg"]

        let operations = OperationTable()
        operations.set(manager.load(cover) { _ in }, for: "cover")
        operations.set(faces.map { face in manager.load(face) { _ in } }, for: "faces")
        operations.cancel("faces")

        #expect(manager.statistics.cancelled == 2)
        #expect(operations.operations(for: "cover").count == 1)
    }

    @Test func `a test replaces the network`() async {
        let configuration = inMemory

        let transport = ScriptedTransport()
        let clock = ManualClock()
        let manager = ImageManager(
            configuration: configuration,
            transport: transport,
            clock: clock.clock
        )

        let url = "http://a.example/1.png"
        let missing = Task { try await manager.response(for: ImageRequest(url)) }
        await transport.waitForStarts(1)
        transport.respond(to: url, status: 404, chunks: [[1]])
        await #expect(throws: ImageLoadingError.self) { try await missing.value }

        clock.advance(by: .seconds(600))
        transport.answerStarts { _ in .body([1, 2, 3]) }
        _ = try? await manager.response(for: ImageRequest(url: url))
        #expect(transport.starts.count == 2)
    }

    private var inMemory: ImageManagerConfiguration {
        var configuration = ImageManagerConfiguration()
        configuration.disk = nil
        return configuration
    }
}
