import Decoders
import ImageLoadingTesting
import Testing

@testable import ImageLoading

/// Images that a program stores without encoded bytes.
struct ImageEncodingTests {
    private let bench: CacheBench
    private let harness: ManagerHarness
    private let request: ImageRequest = "http://a.example/1"

    init() throws {
        bench = try CacheBench()
        harness = ManagerHarness(disk: DiskCacheConfiguration(directory: bench.directory))
    }

    private func image(
        _ format: ImageFormat,
        hasAlpha: Bool = false,
        width: Int = 48,
        frameCount: Int = 1
    ) -> DecodedImage {
        let size = PixelSize(width: width, height: 32)
        let bytes = (0..<size.pixelCount).flatMap { index -> [UInt8] in
            let (x, y) = (index % width, index / width)
            return [UInt8(x * 5 & 0xFF), UInt8(y * 7), UInt8((x &* y &* 3) & 0xFF)]
                + [hasAlpha ? UInt8(x * 5 & 0xFF) : 255]
        }
        let pixels = PixelBuffer(size: size, bytes: bytes, hasAlpha: hasAlpha)
        let properties = ImageProperties(
            format: format,
            size: size,
            orientation: 1,
            hasAlpha: hasAlpha,
            isProgressive: false
        )
        let frame = ImageAnimation.Frame(pixels: pixels, duration: .seconds(1))
        let frames = Array(repeating: frame, count: frameCount)
        return DecodedImage(
            pixels: pixels,
            properties: properties,
            animation: frameCount > 1 ? ImageAnimation(frames: frames, loopCount: nil) : nil
        )
    }

    /// Stores an image, and returns the body on disk.
    private func stored(
        _ image: DecodedImage,
        _ encoding: ImageEncodingOptions = ImageEncodingOptions()
    ) async throws -> [UInt8]? {
        try await harness.manager.store(image, for: request, in: .disk, encoding: encoding)
        return try? await harness.manager.data(for: request).bytes
    }

    private func decoded(_ bytes: [UInt8]) throws -> DecodedImage {
        try DecoderRegistry.standard.decode(bytes, options: DecodingOptions())
    }

    @Test func `C10: an image with alpha is stored as PNG, without loss`() async throws {
        let image = image(.webP, hasAlpha: true)

        let body = try decoded(#require(await stored(image)))

        #expect(body.properties.format == .png)
        #expect(body.pixels == image.pixels)
    }

    @Test(arguments: [ImageFormat.jpeg, .webP, .bmp])
    func `C10: an opaque image is stored as JPEG`(format: ImageFormat) async throws {
        let body = try decoded(#require(await stored(image(format))))

        #expect(body.properties.format == .jpeg)
        #expect(body.pixels.size == PixelSize(width: 48, height: 32))
    }

    @Test func `C10: an image from a PNG stays a PNG`() async throws {
        let image = image(.png)

        let body = try decoded(#require(await stored(image)))

        #expect(body.properties.format == .png)
        #expect(body.pixels == image.pixels)
    }

    @Test func `C10: the format and the quality can be chosen`() async throws {
        var options = ImageEncodingOptions()
        options.format = .png
        let lossless = try decoded(#require(await stored(image(.jpeg), options)))
        #expect(lossless.properties.format == .png)

        options.format = .jpeg
        let good = try #require(await stored(image(.png), options))
        options.quality = 20
        let small = try #require(await stored(image(.png), options))

        #expect(try decoded(good).properties.format == .jpeg)
        #expect(small.count < good.count)
    }

    @Test func `C10: transparent pixels of a JPEG show the background`() async throws {
        var options = ImageEncodingOptions()
        options.format = .jpeg
        options.background = ImageProcessor.Color(red: 0, green: 200, blue: 0)

        let body = try decoded(#require(await stored(image(.png, hasAlpha: true), options)))

        // The first column is transparent.
        let pixel = body.pixels.bytes.prefix(3).map(Int.init)
        #expect(pixel[0] < 30 && abs(pixel[1] - 200) < 30 && pixel[2] < 30)
        #expect(!body.pixels.hasAlpha)
    }

    @Test func `C10: an image is reduced to the maximum size`() async throws {
        var options = ImageEncodingOptions()
        options.maximumSize = PixelSize(width: 24, height: 24)

        let body = try decoded(#require(await stored(image(.png), options)))

        #expect(body.pixels.size == PixelSize(width: 24, height: 16))
    }

    @Test func `C10: the quality is lowered until the file fits`() async throws {
        var options = ImageEncodingOptions()
        let full = try #require(await stored(image(.jpeg), options)).count
        options.maximumByteCount = full * 2 / 3
        let reduced = try #require(await stored(image(.jpeg), options)).count
        options.maximumByteCount = 1
        let smallest = try #require(await stored(image(.jpeg), options))

        #expect(reduced <= full * 2 / 3 && reduced > full / 4)
        #expect(smallest == (try JPEGEncoder.encode(image(.jpeg).pixels, quality: 1)))
    }

    @Test func `C10: an animation is stored only if its first frame suffices`() async throws {
        let film = image(.gif, frameCount: 2)
        var options = ImageEncodingOptions()
        options.writesFirstFrame = true

        #expect(options.encode(film) != nil)
        #expect(ImageEncodingOptions().encode(film) == nil)
        try await harness.manager.store(film, for: request)
        #expect(await harness.manager.cacheLevels(of: request) == .memory)
    }
}
