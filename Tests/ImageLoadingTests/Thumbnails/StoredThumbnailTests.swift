import Decoders
import Testing

@testable import ImageLoading
import SystemSupport

struct StoredThumbnailTests {
    private let formats = ["jpeg": ImageFormat.jpeg, "png": .png]
    private let stamp = FileStamp(
        decoding: (0..<40).map { UInt8($0) * 5 + 3 }[...]
    )
    private let content = ContentChecksum(of: [1, 2, 3])

    private func image(
        _ width: Int = 60,
        _ height: Int = 40,
        hasAlpha: Bool = false,
        change: (inout DecodedImage) -> Void = { _ in }
    ) -> DecodedImage {
        let size = PixelSize(width: width, height: height)
        let bytes = (0..<size.pixelCount).flatMap { index -> [UInt8] in
            let shade = UInt8(truncatingIfNeeded: index)
            return [shade, shade &* 3, shade / 2, hasAlpha ? shade : 255]
        }
        var image = DecodedImage(
            pixels: PixelBuffer(size: size, bytes: bytes, hasAlpha: hasAlpha),
            properties: ImageProperties(
                format: .jpeg,
                size: PixelSize(width: 6_000, height: 4_000),
                orientation: 6,
                hasAlpha: hasAlpha,
                isProgressive: true,
                frameCount: 12
            )
        )
        change(&image)
        return image
    }

    @Test func `all properties of an image are stored and read back`() throws {
        let images = [image(), image(hasAlpha: true), image(1, 1), image { $0.isThumbnail = true }]
        let sources = [
            ThumbnailSource.body(content), .partial(content), .file(stamp),
        ]
        for (image, source) in images.flatMap({ image in sources.map { (image, $0) } }) {
            let bytes = try #require(StoredThumbnail(image, madeFrom: source)?.encoded())

            let found = try #require(StoredThumbnail(decoding: bytes, formats: formats))

            #expect(found.image == image)
            #expect(found.source == source)
            #expect(StoredThumbnail.source(of: bytes) == source)
        }
    }

    @Test func `images that cannot be stored exactly, or are not thumbnails, are not stored`() {
        let frame = ImageAnimation.Frame(pixels: image().pixels, duration: .seconds(1))
        let animation = DecodedImage(
            pixels: image().pixels,
            properties: image().properties,
            animation: ImageAnimation(frames: [frame], loopCount: nil)
        )
        let images = [
            image { $0.isFinal = false }, image { $0.damage = .truncated(.jpeg) }, animation,
            image(1_025, 512),
        ]

        for image in images {
            #expect(StoredThumbnail(image, madeFrom: .body(content)) == nil)
        }
        #expect(StoredThumbnail(image(1_024, 512), madeFrom: .body(content)) != nil)
    }

    @Test func `truncated or changed bytes give an image of permitted size or an error`()
        throws
    {
        let bytes = try #require(
            StoredThumbnail(image(), madeFrom: .body(content))?.encoded()
        )

        for count in 0..<bytes.count {
            #expect(StoredThumbnail(decoding: Array(bytes[..<count]), formats: formats) == nil)
        }
        for index in bytes.indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var changed = bytes
                changed[index] = value
                let found = StoredThumbnail(decoding: changed, formats: formats)
                let count = found?.image.pixels.size.pixelCount ?? 0
                #expect(count <= StoredThumbnail.maximumPixelCount)
            }
        }
    }

    @Test func `sizes without enough memory are refused before any is allocated`() throws {
        let bytes = try #require(
            StoredThumbnail(image(), madeFrom: .file(stamp))?.encoded()
        )
        let sides: [[UInt8]] = [
            [255, 255, 255, 255], [255, 255, 255, 127], [0, 0, 0, 0], [1, 4, 0, 0],
        ]

        for side in sides {
            var changed = bytes
            changed.replaceSubrange(4..<8, with: side)
            changed.replaceSubrange(8..<12, with: side == [1, 4, 0, 0] ? [0, 4, 0, 0] : side)
            #expect(StoredThumbnail(decoding: changed, formats: formats) == nil)
        }
        var full = bytes
        full.replaceSubrange(12..<20, with: Array(repeating: 255, count: 8))
        #expect(StoredThumbnail(decoding: full, formats: formats) == nil)
    }

    @Test func `another version, an unknown format and an unknown source are refused`() throws {
        let bytes = try #require(
            StoredThumbnail(image(), madeFrom: .body(content))?.encoded()
        )
        for index in 0..<3 {
            var changed = bytes
            changed[index] = 77
            #expect(StoredThumbnail(decoding: changed, formats: formats) == nil)
            #expect(StoredThumbnail.source(of: changed) == nil)
        }

        #expect(StoredThumbnail(decoding: bytes, formats: ["png": .png]) == nil)
    }

    @Test func `a stamp is read back, and detects whether the file's clock has advanced`() throws {
        let bench = try CacheBench()
        let path = "\(bench.root)/a"
        try bench.write(body(10), to: path)
        let stamp = try #require(FileStamp(ofFile: path))
        let now = try FileStatus.of(path).modified

        #expect(FileStamp(decoding: stamp.encoded()[...]) == stamp)
        #expect(stamp.byteCount == 10)
        #expect(!stamp.isSettled(at: now) && !stamp.isSettled(at: now + 2))
        #expect(stamp.isSettled(at: now + 3))
        #expect(FileStamp(ofFile: bench.root) == nil)
        #expect(FileStamp(ofFile: "\(bench.root)/none") == nil)
        #expect(FileStamp(ofFile: "/dev/null") == nil)
    }

    /// A change of the decoders that alters these results must also raise the version: stored
    /// thumbnails would otherwise show the results of the old decoders.
    @Test func `decoder results match the version under which thumbnails are stored`() throws {
        var sums: [UInt64] = []
        for (name, bytes) in try DecodedSamples.all() {
            let options = DecodingOptions(targetSize: PixelSize(width: 24, height: 24))
            let image = try DecoderRegistry.standard.decode(bytes, options: options)
            #expect(image.pixels.size.width == 24, "\(name)")
            sums.append(Checksum.of(image.pixels.bytes))
        }

        #expect(StoredThumbnail.decoderVersion == 1)
        #expect(sums == DecodedSamples.sums)
    }
}

/// Images from our own encoders, with the results of this version's decoders.
private enum DecodedSamples {
    static let sums: [UInt64] = [
        5_698_465_209_099_796_956, 3_860_819_089_952_557_266, 1_283_120_588_452_722_936,
        17_671_631_879_632_899_019,
    ]

    static func all() throws -> [(String, [UInt8])] {
        let size = PixelSize(width: 480, height: 320)
        var bytes: [UInt8] = []
        for row in 0..<size.height {
            for column in 0..<size.width {
                let wave = UInt8(truncatingIfNeeded: (row * row + column * column) / 97)
                bytes += [wave, UInt8(truncatingIfNeeded: row), UInt8(truncatingIfNeeded: column)]
                bytes.append(255)
            }
        }
        let pixels = PixelBuffer(size: size, bytes: bytes, hasAlpha: false)
        return [
            ("png", try PNGEncoder.encode(pixels)),
            ("interlaced png", try PNGEncoder.encode(pixels, interlaced: true)),
            ("jpeg", try JPEGEncoder.encode(pixels, quality: 80)),
            ("progressive jpeg", try JPEGEncoder.encode(pixels, quality: 80, progressive: true)),
        ]
    }
}
