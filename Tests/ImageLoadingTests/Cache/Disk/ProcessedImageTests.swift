import Decoders
import Glibc
import Testing

@testable import ImageLoading

/// Processed images on disk, beside the bodies they were made from.
struct ProcessedImageTests {
    let bench: CacheBench
    let block: Int
    let source = body(5_000)

    init() throws {
        bench = try CacheBench()
        block = try bench.blockByteCount()
    }

    func key(
        _ name: String = "a",
        _ side: Int = 8,
        by: [String] = ["blur"]
    ) throws
        -> ImageKey
    {
        ImageKey(
            url: try bench.url(name),
            targetSize: PixelSize(width: side, height: side),
            processing: by
        )
    }

    func image(
        format: ImageFormat = .png,
        hasAlpha: Bool = false,
        side: Int = 8
    ) -> DecodedImage {
        let size = PixelSize(width: side, height: side)
        var bytes: [UInt8] = []
        for index in 0..<size.pixelCount {
            let shade = UInt8(truncatingIfNeeded: index * 7)
            let alpha: UInt8 = hasAlpha ? 200 &- shade / 2 : 255
            bytes += [shade, shade &+ 50, shade &* 3, alpha]
        }
        return DecodedImage(
            pixels: PixelBuffer(size: size, bytes: bytes, hasAlpha: hasAlpha),
            properties: ImageProperties(
                format: format,
                size: PixelSize(width: 4_000, height: 3_000),
                orientation: 6,
                hasAlpha: hasAlpha,
                isProgressive: true,
                frameCount: 1
            )
        )
    }

    func store(
        _ image: DecodedImage,
        in cache: DiskCache,
        for key: ImageKey? = nil,
        name: String = "a"
    ) throws {
        cache.storeImage(
            try #require(EncodedImage(image)),
            for: try key ?? self.key(name),
            of: try bench.url(name),
            madeFrom: ContentChecksum(of: source)
        )
    }

    func found(in cache: DiskCache, _ key: ImageKey? = nil) async throws -> DecodedImage? {
        let stored = await cache.image(for: try key ?? self.key(), of: try bench.url("a"))
        return try stored?.image.decoded(knowing: .standard)
    }

    func imageFile() -> String? {
        bench.fileNames().first { $0.hasPrefix("image-") }.map { "\(bench.directory)/\($0)" }
    }

    /// A cache with the body of "a" and an image of it, on disk.
    func filled(byteLimit: Int = .max) async throws -> DiskCache {
        let cache = await bench.cache(byteLimit: byteLimit)
        cache.store(source, metadata: [1, 2, 3], for: try bench.url("a"))
        try store(image(), in: cache)
        await cache.flush()
        return cache
    }

    // MARK: Storing and reading

    @Test(arguments: [
        (ImageFormat.png, false), (.png, true), (.jpeg, true),
    ])
    func `a losslessly written image is read back unchanged`(
        format: ImageFormat,
        hasAlpha: Bool
    ) async throws {
        let cache = try await filled()
        let image = image(format: format, hasAlpha: hasAlpha)
        try store(image, in: cache)
        #expect(try await found(in: cache) == image)

        await cache.flush()

        #expect(try await found(in: cache) == image)
        #expect(try await found(in: bench.cache()) == image)
    }

    @Test func `an opaque image of a JPEG is stored as a JPEG, and looks the same`() throws {
        let image = image(format: .jpeg, side: 64)
        var bytes: [UInt8] = []
        for index in 0..<64 * 64 {
            let shade = UInt8(truncatingIfNeeded: index % 64 * 3)
            bytes += [shade, shade, shade, 255]
        }
        let smooth = DecodedImage(
            pixels: PixelBuffer(size: image.pixels.size, bytes: bytes, hasAlpha: false),
            properties: image.properties
        )

        let encoded = try #require(EncodedImage(smooth))
        let decoded = try encoded.decoded(knowing: .standard)

        #expect(DecoderRegistry.standard.format(of: encoded.bytes) == .jpeg)
        #expect(decoded.properties == smooth.properties)
        let difference = zip(decoded.pixels.bytes, smooth.pixels.bytes).map {
            abs(Int($0) - Int($1))
        }
        #expect((difference.max() ?? 255) <= 6)
    }

    @Test func `the body's metadata is returned with the image, which counts as a hit`()
        async throws
    {
        let cache = try await filled()

        let stored = await cache.image(for: try key(), of: try bench.url("a"))

        #expect(stored?.bodyMetadata == [1, 2, 3])
        #expect(stored?.bodyByteCount == 5_000)
        #expect(cache.statistics.hits == 1)
        #expect(cache.statistics.misses == 0)
    }

    @Test func `an animated or incomplete image is not written`() {
        let still = image()
        let frame = ImageAnimation.Frame(pixels: still.pixels, duration: .seconds(1))
        let animated = DecodedImage(
            pixels: still.pixels,
            properties: still.properties,
            animation: ImageAnimation(frames: [frame, frame], loopCount: nil)
        )
        let preview = DecodedImage(
            pixels: still.pixels,
            properties: still.properties,
            isFinal: false
        )

        #expect(EncodedImage(animated)?.bytes == nil)
        #expect(EncodedImage(preview)?.bytes == nil)
    }

    @Test func `a format without a decoder ends in an error`() throws {
        let encoded = try #require(EncodedImage(image()))

        #expect(throws: ImageDecodingError.self) {
            try encoded.decoded(knowing: DecoderRegistry())
        }
    }

    // MARK: Keys

    @Test func `another size, mode, step or order of steps is another image`() async throws {
        let cache = try await filled()
        let url = try bench.url("a")
        let size = PixelSize(width: 8, height: 8)
        let others = [
            try key("a", 9), try key("a", 8, by: []), try key("a", 8, by: ["blur", "tint"]),
            try key("a", 8, by: ["tint", "blur"]), try key("a", 8, by: ["blurtint"]),
            ImageKey(url: url, processing: ["blur"]),
            ImageKey(url: url, targetSize: size, contentMode: .fill, processing: ["blur"]),
        ]

        for other in others {
            #expect(await cache.image(for: other, of: url)?.image == nil)
            #expect(await !cache.containsImage(for: other, of: url))
        }
        #expect(await cache.containsImage(for: try key(), of: url))
    }

    @Test func `several images of one URL are stored`() async throws {
        let cache = try await filled()
        try store(image(side: 9), in: cache, for: try key("a", 9))
        await cache.flush()

        #expect(try await found(in: cache)?.pixels.size.width == 8)
        #expect(try await found(in: cache, try key("a", 9))?.pixels.size.width == 9)
        #expect(cache.statistics.entryCount == 3)
    }

    // MARK: Validity

    @Test func `an image of a body that was replaced is not found, and deleted`() async throws {
        let cache = try await filled()

        cache.store(body(5_000, seed: 8), for: try bench.url("a"))
        #expect(try await found(in: cache) == nil)
        await cache.flush()
        #expect(await !cache.containsImage(for: try key(), of: try bench.url("a")))
        while cache.isBusy { await cache.flush() }

        #expect(imageFile() == nil)
        #expect(cache.statistics.byteCount == (try bench.allocatedByteCount()))
    }

    @Test func `an image whose body is gone is not found`() async throws {
        let cache = try await filled()

        try #require(unlink(try bench.path("a")) == 0)

        #expect(try await found(in: cache) == nil)
    }

    @Test func `a renewed body keeps its images`() async throws {
        let cache = try await filled()

        cache.updateMetadata([9], for: try bench.url("a"))
        await cache.flush()

        let stored = await cache.image(for: try key(), of: try bench.url("a"))
        #expect(stored?.bodyMetadata == [9])
    }

    @Test func `a damaged image is a miss, and deleted`() async throws {
        let cache = try await filled()
        let path = try #require(imageFile())
        let file = open(path, O_WRONLY)
        pwrite(file, [0xAA], 1, 40)
        close(file)

        #expect(try await found(in: cache) == nil)
        while cache.isBusy { await cache.flush() }

        #expect(imageFile() == nil)
        #expect(cache.failures.damagedCount == 1)
    }

    @Test func `an image is never returned as a body`() async throws {
        let cache = try await filled()

        #expect(await cache.data(for: try bench.url("a")) == source)
        try #require(unlink(try bench.path("a")) == 0)
        #expect(await cache.data(for: try bench.url("a")) == nil)
    }
}
