import Decoders
import Glibc
import Testing

@testable import ImageLoading

/// Processed images on disk, beside the bodies they were made from.
struct ProcessedImageTests {
    private let bench: CacheBench
    private let block: Int
    private let source = body(5_000)

    init() throws {
        bench = try CacheBench()
        block = try bench.blockByteCount()
    }

    private func key(
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

    private func image(
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

    private func store(
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

    private func found(in cache: DiskCache, _ key: ImageKey? = nil) async throws -> DecodedImage? {
        let stored = await cache.image(for: try key ?? self.key(), of: try bench.url("a"))
        return try stored?.image.decoded(knowing: .standard)
    }

    private func imageFile() -> String? {
        bench.fileNames().first { $0.hasPrefix("image-") }.map { "\(bench.directory)/\($0)" }
    }

    /// A cache with the body of "a" and an image of it, on disk.
    private func filled(byteLimit: Int = .max) async throws -> DiskCache {
        let cache = await bench.cache(byteLimit: byteLimit)
        cache.store(source, metadata: [1, 2, 3], for: try bench.url("a"))
        try store(image(), in: cache)
        await cache.flush()
        return cache
    }

    // MARK: There and back

    @Test(arguments: [
        (ImageFormat.png, false), (.png, true), (.jpeg, true),
    ])
    func `an image written without loss comes back as it was`(
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

    @Test func `an opaque image of a JPEG is a JPEG again, and looks the same`() throws {
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

    @Test func `what is known of the body comes with the image, which counts as a hit`()
        async throws
    {
        let cache = try await filled()

        let stored = await cache.image(for: try key(), of: try bench.url("a"))

        #expect(stored?.bodyMetadata == [1, 2, 3])
        #expect(stored?.bodyByteCount == 5_000)
        #expect(cache.statistics.hits == 1)
        #expect(cache.statistics.misses == 0)
    }

    @Test func `an image that is no still, or not final, is not written`() {
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

    @Test func `a format that no decoder knows any more ends in an error`() throws {
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

    @Test func `images of one URL lie side by side`() async throws {
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

    @Test func `an image never answers for a body`() async throws {
        let cache = try await filled()

        #expect(await cache.data(for: try bench.url("a")) == source)
        try #require(unlink(try bench.path("a")) == 0)
        #expect(await cache.data(for: try bench.url("a")) == nil)
    }

    // MARK: Leaving

    @Test func `removing the URL removes its images, those of an earlier process too`()
        async throws
    {
        _ = try await filled()
        let cache = DiskCache(
            configuration: DiskCacheConfiguration(directory: bench.directory),
            clock: bench.clock.clock
        )
        let others = await bench.cache()
        others.store(source, for: try bench.url("b"))
        try store(image(), in: others, for: try key("b"), name: "b")
        await others.flush()

        await cache.remove(try bench.url("a"))

        #expect(await cache.containsImage(for: try key("b"), of: try bench.url("b")))
        #expect(bench.bodyNames().count == 2)
    }

    @Test func `removing one image leaves the body and the other images`() async throws {
        let cache = try await filled()
        try store(image(side: 9), in: cache, for: try key("a", 9))

        await cache.removeImage(for: try key(), of: try bench.url("a"))

        #expect(try await found(in: cache) == nil)
        #expect(try await found(in: cache, try key("a", 9)) != nil)
        #expect(await cache.contains(try bench.url("a")))
    }

    @Test func `clearing takes images, and what was on its way`() async throws {
        let cache = try await filled()
        let begun = cache.generation

        let freed = await cache.clear()
        cache.storeImage(
            try #require(EncodedImage(image())),
            for: try key(),
            of: try bench.url("a"),
            madeFrom: ContentChecksum(of: source),
            begun: begun
        )
        await cache.flush()

        #expect(freed.entryCount == 2)
        #expect(imageFile() == nil)
    }

    @Test func `images count in the budget and leave with it`() async throws {
        let cache = try await filled()
        #expect(cache.statistics.byteCount == (try bench.entryByteCount()))

        cache.byteLimit = 1
        while cache.isBusy { await cache.flush() }

        #expect(imageFile() == nil)
        #expect(cache.statistics.byteCount == 0)
    }

    @Test func `a use of an image is one of its body`() async throws {
        let cache = try await filled()
        for name in ["b", "c"] { cache.store(source, for: try bench.url(name)) }
        await cache.flush()
        bench.clock.advance(by: 10)
        _ = try await found(in: cache)

        cache.byteLimit = cache.statistics.byteCount - 1
        while cache.isBusy { await cache.flush() }

        #expect(await cache.contains(try bench.url("a")))
        #expect(await !cache.contains(try bench.url("b")))
        #expect(try await found(in: cache) != nil)
    }

    // MARK: Names

    @Test(arguments: [
        "image-0000000a-c7529f60e5cf8d1f19442a9a57f22e5a.jpg",
        "image-ffffffff-c7529f60e5cf8d1f19442a9a57f22e5a",
    ])
    func `the name of an image reads back as itself`(name: String) {
        #expect(EntryName(parsing: name)?.description == name)
        #expect(EntryName(parsing: name)?.isImage == true)
    }

    @Test(arguments: [
        "image-", "image-a-c7529f60e5cf8d1f19442a9a57f22e5a", "image-0000000A",
        "image-0000000A-c7529f60e5cf8d1f19442a9a57f22e5a",
        "image-+000000a-c7529f60e5cf8d1f19442a9a57f22e5a",
        "image-0000000a.c7529f60e5cf8d1f19442a9a57f22e5a",
        "image-0000000a-part-c7529f60e5cf8d1f19442a9a57f22e5a",
    ])
    func `a name of another form is none of ours`(name: String) {
        #expect(EntryName(parsing: name) == nil)
    }
}

extension CacheBench {
    /// Of bodies and what was made of them, as `stat` says.
    fileprivate func entryByteCount() throws -> Int {
        try fileNames().filter { EntryName(parsing: $0) != nil }.reduce(0) {
            $0 + (try FileFacts.of("\(directory)/\($1)")).allocatedByteCount
        }
    }
}
