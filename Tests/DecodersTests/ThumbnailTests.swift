import Testing

@testable import Decoders

/// The thumbnail in a JPEG's EXIF as its first preview (rows V12, O5).
@Suite struct ThumbnailTests {
    private static let size = PixelSize(width: 640, height: 480)

    /// A gray image whose thumbnail has colors, so that they are different.
    private static let picture = Result {
        try JPEGEncoder.encode(
            PixelBuffer(width: 640, height: 480) { x, y in
                Pixel(120, 120, UInt8(110 + (x ^ y) % 20))
            },
            quality: 90,
            progressive: false
        )
    }

    private static func thumbnail(width: Int = 160, height: Int = 120) throws -> [UInt8] {
        try JPEGEncoder.encode(
            quarterPicture(width: width, height: height),
            quality: 95,
            progressive: false
        )
    }

    /// Returns the image with a thumbnail, and the offset of the data of its scan.
    private static func file(
        orientation: Int = 1,
        thumbnail: [UInt8]? = nil
    ) throws -> (bytes: [UInt8], dataStart: Int) {
        let block = EXIF.block(
            orientation: orientation,
            thumbnail: try thumbnail ?? Self.thumbnail()
        )
        let bytes = EXIF.insert(block, into: try picture.get())
        let scan = try #require(Fixtures.offsets(of: 0xDA, in: bytes).last)
        return (bytes, scan + 2 + Int(bytes[scan + 3]))
    }

    private static let preview = DecodingOptions(
        targetSize: PixelSize(width: 80, height: 60),
        acceptsTruncation: true
    )

    private func decode(
        _ bytes: [UInt8],
        _ options: DecodingOptions = preview
    ) throws -> DecodedImage {
        try JPEGDecoder().decode(bytes, options: options)
    }

    private func expectQuarters(_ pixels: PixelBuffer, _ order: [Int] = [0, 1, 2, 3]) {
        for (pixel, index) in zip(pixels.quarters, order) {
            #expect(pixel.isClose(to: quarterColors[index], tolerance: 12), "\(pixel), \(index)")
        }
    }

    // MARK: - What is shown

    // V12, O5
    @Test(arguments: [0, 2, 40])
    func `a file cut before its first rows shows the thumbnail`(byteCount: Int) throws {
        let (bytes, start) = try Self.file()

        let image = try decode(Array(bytes.prefix(start + byteCount)))

        #expect(image.pixels.size == PixelSize(width: 80, height: 60))
        #expect(image.properties.size == Self.size)
        #expect(!image.isFinal)
        expectQuarters(image.pixels)
    }

    @Test func `a file cut before its size is known shows nothing`() throws {
        let bytes = try Self.file().bytes
        let frame = try #require(Fixtures.offsets(of: 0xC0, in: bytes).last)

        for count in stride(from: 0, to: frame, by: 61) {
            #expect(throws: ImageDecodingError.truncated(.jpeg)) {
                try decode(Array(bytes.prefix(count)))
            }
        }
    }

    @Test func `received rows are drawn over the thumbnail`() throws {
        let (bytes, start) = try Self.file()
        let middle = start + (bytes.count - start) / 2

        let pixels = try decode(Array(bytes.prefix(middle))).pixels

        #expect(pixels[20, 10].isClose(to: Pixel(120, 120, 120), tolerance: 12))
        #expect(pixels[60, 10].isClose(to: Pixel(120, 120, 120), tolerance: 12))
        #expect(pixels[20, 58].isClose(to: quarterColors[2], tolerance: 12))
        #expect(pixels[60, 58].isClose(to: quarterColors[3], tolerance: 12))
        #expect(
            stride(from: 3, to: pixels.bytes.count, by: 4).allSatisfy { pixels.bytes[$0] == 255 }
        )
    }

    @Test func `a progressive file shows the thumbnail until its first scan is received`() throws {
        let plain = try JPEGEncoder.encode(
            PixelBuffer(width: 640, height: 480) { _, _ in Pixel(90, 90, 90) },
            quality: 90,
            progressive: true
        )
        let thumbnail = try Self.thumbnail()
        let bytes = EXIF.insert(EXIF.block(orientation: 1, thumbnail: thumbnail), into: plain)
        let first = try #require(
            Fixtures.offsets(of: 0xDA, in: bytes).first { $0 > thumbnail.count }
        )

        expectQuarters(try decode(Array(bytes.prefix(first + 20))).pixels)
        let whole = try decode(bytes).pixels
        #expect(whole.quarters.allSatisfy { $0.isClose(to: Pixel(90, 90, 90), tolerance: 3) })
    }

    @Test func `the image's orientation is applied to a preview's thumbnail`() throws {
        let (bytes, start) = try Self.file(orientation: 6)
        var options = Self.preview
        options.targetSize = PixelSize(width: 60, height: 80)

        let image = try decode(Array(bytes.prefix(start)), options)

        #expect(image.pixels.size == PixelSize(width: 60, height: 80))
        #expect(image.properties.size == PixelSize(width: 480, height: 640))
        expectQuarters(image.pixels, [2, 0, 3, 1])
    }

    @Test func `the image's profile is applied to the thumbnail`() throws {
        let (bytes, start) = try Self.file()
        let profile = ICCFile.adobeRGB.encoded()
        let file = ICCParts.insert(profile, into: bytes)

        let plain = try decode(Array(bytes.prefix(start))).pixels
        let pixels = try decode(Array(file.prefix(start + file.count - bytes.count))).pixels

        let colors = try #require(ColorProfile(profile))
        let conversion = try #require(ColorConversion(from: colors))
        var expected = plain.bytes
        expected.withUnsafeMutableBufferPointer { conversion.convert($0) }
        #expect(pixels.bytes == expected)
    }

    @Test func `a complete file, or a decode without previews, never contains the thumbnail`()
        throws
    {
        let (bytes, start) = try Self.file()
        var plain = Self.preview
        plain.acceptsTruncation = false

        #expect(throws: ImageDecodingError.truncated(.jpeg)) {
            try decode(Array(bytes.prefix(start)), plain)
        }
        let expected = try decode(Self.picture.get(), plain).pixels.bytes
        #expect(try decode(bytes).pixels.bytes == expected)
        #expect(try decode(bytes, plain).pixels.bytes == expected)
    }

    // MARK: - What is not shown

    private func expectNothing(_ thumbnail: [UInt8], target: PixelSize? = nil) throws {
        let (bytes, start) = try Self.file(thumbnail: thumbnail)
        var options = Self.preview
        if let target { options.targetSize = target }

        #expect(throws: ImageDecodingError.truncated(.jpeg)) {
            try decode(Array(bytes.prefix(start)), options)
        }
    }

    @Test(arguments: [(160, 120, true), (160, 118, true), (160, 90, false), (120, 160, false)])
    func `a thumbnail with another aspect ratio has bars and is not shown`(
        width: Int,
        height: Int,
        isShown: Bool
    ) throws {
        let thumbnail = try Self.thumbnail(width: width, height: height)
        guard isShown else { return try expectNothing(thumbnail) }
        let (bytes, start) = try Self.file(thumbnail: thumbnail)

        expectQuarters(try decode(Array(bytes.prefix(start))).pixels)
    }

    @Test func `a thumbnail is enlarged to at most twice its size`() throws {
        let small = try Self.thumbnail(width: 40, height: 30)
        let (bytes, start) = try Self.file(thumbnail: small)

        expectQuarters(try decode(Array(bytes.prefix(start))).pixels)
        try expectNothing(small, target: PixelSize(width: 84, height: 63))
    }

    @Test func `a large, damaged, cut or non-JPEG thumbnail is not shown`() throws {
        let thumbnail = try Self.thumbnail()
        let large = try JPEGEncoder.encode(
            PixelBuffer(width: 600, height: 450) { _, _ in Pixel(1, 2, 3) },
            quality: 30,
            progressive: false
        )
        var scrambled = thumbnail
        for index in 100..<thumbnail.count - 40 { scrambled[index] ^= 0x5A }

        for bytes in [
            large, scrambled, Array(thumbnail.prefix(thumbnail.count / 2)), [0xFF, 0xD8, 0xFF],
            try PNGEncoder.encode(quarterPicture(width: 160, height: 120)), [],
        ] {
            try expectNothing(bytes)
        }
    }

    @Test func `a thumbnail's own thumbnail is ignored`() throws {
        let inner = EXIF.block(orientation: 6, thumbnail: try Self.thumbnail())
        let outer = EXIF.insert(inner, into: try Self.thumbnail())

        // Truncated, so that only the inner thumbnail would be complete.
        try expectNothing(Array(outer.prefix(outer.count - 200)))
        let (bytes, start) = try Self.file(thumbnail: outer)
        expectQuarters(try decode(Array(bytes.prefix(start))).pixels)
    }

    @Test func `a caller who does not ask for a thumbnail gets none`() throws {
        let (bytes, start) = try Self.file()
        var options = Self.preview
        options.isCancelled = { true }

        #expect(throws: ImageDecodingError.cancelled) {
            try decode(Array(bytes.prefix(start)), options)
        }
    }
}
