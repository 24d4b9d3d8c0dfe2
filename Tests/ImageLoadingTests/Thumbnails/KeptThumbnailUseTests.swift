import Decoders
import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// When a stored thumbnail is used, and when it is not.
extension KeptThumbnailTests {
    @Test func `a thumbnail that needs revalidation waits for its server`() async throws {
        try await see(request(), ["cache-control": "no-cache", "etag": "\"1\""])
        let harness = process()
        harness.transport.answerStarts { _ in
            let head = TransferHead(status: 304, expectedByteCount: 0, headers: ["etag": "\"1\""])
            return ScriptedAnswer(events: [.head(head), .finished(nil)])
        }

        let response = try await harness.load(request()).result().get()

        #expect(response.isNotModified)
        #expect(harness.transport.starts.count == 1)
    }

    @Test
    func `a stale thumbnail is shown if permitted, and its server is asked in the background`()
        async throws
    {
        try await see(
            request(),
            ["cache-control": "max-age=10, stale-while-revalidate=1000", "etag": "\"1\""]
        )
        let harness = process()
        harness.clock.advance(by: .seconds(100))

        let response = try await harness.load(request()).result().get()

        #expect(response.isStale)
        await harness.transport.waitForStarts(1)
    }

    @Test func `without its server the caches alone show it, however old`() async throws {
        try await see(request(), ["cache-control": "max-age=10"])
        let harness = process { $0.isOffline = true }
        harness.clock.advance(by: .seconds(100_000))

        let response = try await harness.load(request()).result().get()

        #expect(response.isStale)
        #expect(decodeCount(harness) == 0)
    }

    @Test func `a refresh and a load past the caches use no thumbnail`() async throws {
        try await see()
        for options in [.refreshCached, .fromLoaderOnly] as [LoadingOptions] {
            let harness = process()
            answer(harness, forever)
            _ = try await harness.load(request([options, .keptThumbnails])).result().get()
            #expect(harness.transport.starts.count == 1)
            #expect(decodeCount(harness) > 0)
        }
    }

    @Test func `a new body has a new thumbnail, and the old one is gone`() async throws {
        try await see()
        let other = PatternDecoder.bytes(width: 20, height: 40) + Array(repeating: 1, count: 5_000)
        try await see(request([.refreshCached, .keptThumbnails]), bytes: other)
        let harness = process()

        let response = try await harness.load(request()).result().get()

        #expect(response.image.properties.size == PixelSize(width: 20, height: 40))
        #expect(decodeCount(harness) == 0)
        #expect(thumbnails.count == 1)
    }

    @Test func `an image above the pixel limit is refused, shown before or not`()
        async throws
    {
        try await see()
        let harness = process { $0.limits = DecodingLimits(maximumPixelCount: 799) }

        _ = try? await harness.load(request()).result().get()

        #expect(harness.manager.statistics.diskCache.hits > 0)
        #expect(decodeCount(harness) == 1, "the decoder decides")
    }

    @Test func `a camera's thumbnail is only for callers that accept thumbnails`() async throws {
        let camera = CameraDecoder()
        let bytes = CameraDecoder.magic + Array(repeating: 0, count: 5_000)
        let accepting = request([.keptThumbnails, .acceptThumbnail])
        let register = { (configuration: inout ImageManagerConfiguration) in
            configuration.decoders.register(camera)
        }
        let first = try await see(accepting, bytes: bytes, configure: register)
        #expect(first.image.isThumbnail)

        let harness = process(configure: register)
        #expect(try await harness.load(accepting).result().get().image.isThumbnail)
        #expect(decodeCount(harness) == 0)
        #expect(try await !harness.load(request()).result().get().image.isThumbnail)
        #expect(decodeCount(harness) == 1)
        await harness.manager.flush()

        let later = process(configure: register)
        #expect(try await !later.load(accepting).result().get().image.isThumbnail)
        #expect(decodeCount(later) == 0)
    }
}

/// A decoder for an invented camera format, whose files contain a thumbnail of every requested
/// size.
private struct CameraDecoder: ImageDecoder {
    static let magic = Array("CAMERA".utf8)

    var format: ImageFormat { .jpeg }

    func canDecode(_ prefix: [UInt8]) -> Bool { prefix.starts(with: Self.magic) }

    func probe(_ bytes: [UInt8]) throws(ImageDecodingError) -> ImageProperties {
        ImageProperties(
            format: .jpeg,
            size: PixelSize(width: 40, height: 20),
            orientation: 1,
            hasAlpha: false,
            isProgressive: false
        )
    }

    func decode(
        _ bytes: [UInt8],
        options: DecodingOptions
    ) throws(ImageDecodingError) -> DecodedImage {
        let size = PixelSize(width: 10, height: 5)
        let pixels = PixelBuffer(
            size: size,
            bytes: Array(repeating: 255, count: size.pixelCount * 4),
            hasAlpha: false
        )
        return DecodedImage(
            pixels: pixels,
            properties: try probe(bytes),
            isThumbnail: options.acceptsThumbnail
        )
    }
}
