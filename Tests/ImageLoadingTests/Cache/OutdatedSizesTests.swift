import Decoders
import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// Images in memory that were made from an older body of their URL.
struct OutdatedSizesTests {
    private let bench: CacheBench
    private let harness: ManagerHarness
    private let url = "http://a.example/1.png"
    private var request: ImageRequest { ImageRequest(url: url) }
    private var small: ImageRequest {
        ImageRequest(url: url, targetSize: PixelSize(width: 1, height: 1))
    }

    init() throws {
        bench = try CacheBench()
        harness = ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory))
    }

    private func isInMemory(_ request: ImageRequest) -> Bool {
        harness.manager.imageInMemory(for: request) != nil
    }

    @Test func `a changed image from the loader removes its other sizes from memory`()
        async throws
    {
        harness.transport.answerStarts { _ in .body(PatternDecoder.bytes(width: 2, height: 2)) }
        _ = try await harness.load(small).result().get()
        #expect(isInMemory(small))
        harness.transport.answerStarts { _ in .body(PatternDecoder.bytes(width: 5, height: 5)) }

        let response = try await harness.load(url, options: .fromLoaderOnly).result().get()

        #expect(response.image.pixels.size.width == 5)
        #expect(!isInMemory(small))
    }

    @Test(arguments: [true, false])
    func `storing an image removes its other sizes from memory`(
        inMemoryToo: Bool
    ) async throws {
        harness.answerEverything()
        _ = try await harness.load(small).result().get()
        #expect(isInMemory(small))
        let size = PixelSize(width: 3, height: 1)
        let properties = ImageProperties(
            format: .png,
            size: size,
            orientation: 1,
            hasAlpha: false,
            isProgressive: false
        )
        let bytes = [UInt8](repeating: 255, count: size.width * 4)
        let pixels = PixelBuffer(size: size, bytes: bytes, hasAlpha: false)
        let image = DecodedImage(pixels: pixels, properties: properties)

        try await harness.manager.store(image, for: request, in: inMemoryToo ? .all : .disk)

        #expect(!isInMemory(small))
        #expect(isInMemory(request) == inMemoryToo)
    }
}
