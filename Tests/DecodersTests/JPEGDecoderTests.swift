import Testing

@testable import Decoders

@Suite struct JPEGDecoderTests {
    private let decoder = JPEGDecoder()

    @Test(arguments: [
        "444", "422", "420", "440", "411", "rgb", "progressive", "restart", "arithmetic", "scans",
    ])
    func `every kind of color JPEG is decoded to its colors`(name: String) throws {
        let bytes = try Fixtures.bytes(of: name + ".jpg")

        for target in [nil, PixelSize(width: 12, height: 8), PixelSize(width: 3, height: 2)] {
            let image = try decoder.decode(bytes, options: DecodingOptions(targetSize: target))

            expectQuarters(image, tolerance: 8)
            #expect(image.properties.isProgressive == (name == "progressive"))
        }
    }

    @Test(arguments: ["cmyk", "ycck"])
    func `CMYK values are converted to light`(name: String) throws {
        let bytes = try Fixtures.bytes(of: name + ".jpg")

        for target in [nil, PixelSize(width: 12, height: 8)] {
            let image = try decoder.decode(bytes, options: DecodingOptions(targetSize: target))

            expectQuarters(image, tolerance: 8)
        }
    }

    @Test func `without an Adobe marker CMYK values are used as stored`() throws {
        // Given a file whose stored values are light, without the marker that declares this.
        let bytes = try Fixtures.bytes(of: "cmyk.jpg")
        let marker = try #require(Fixtures.offsets(of: 0xEE, in: bytes).first)
        let length = Int(bytes[marker + 2]) << 8 | Int(bytes[marker + 3])
        let unmarked = bytes[..<marker] + bytes[(marker + 2 + length)...]

        let image = try decoder.decode(Array(unmarked), options: DecodingOptions())

        // Pillow writes no key ink, which is stored as 255; interpreted as ink, this is black
        // everywhere.
        #expect(image.pixels.quarters.allSatisfy { $0.isClose(to: Pixel(0, 0, 0), tolerance: 2) })
    }

    @Test func `gray JPEGs are decoded to gray`() throws {
        let bytes = try Fixtures.bytes(of: "gray.jpg")

        let image = try decoder.decode(bytes, options: DecodingOptions())

        let expected = [88, 110, 58, 185].map { Pixel($0, $0, $0) }
        #expect(
            zip(image.pixels.quarters, expected).allSatisfy { $0.isClose(to: $1, tolerance: 3) }
        )
    }

    @Test(arguments: 1...8, [false, true])
    func `all orientations are shown upright, full and as thumbnail`(
        orientation: Int,
        progressive: Bool
    ) throws {
        // Given the stored order of the quarters that makes each orientation show them upright.
        let stored = [
            1: [0, 1, 2, 3], 2: [1, 0, 3, 2], 3: [3, 2, 1, 0], 4: [2, 3, 0, 1], 5: [0, 2, 1, 3],
            6: [1, 3, 0, 2], 7: [3, 1, 2, 0], 8: [2, 0, 3, 1],
        ]
        let order = try #require(stored[orientation])
        let (width, height) = orientation < 5 ? (96, 64) : (64, 96)
        let picture = PixelBuffer(width: width, height: height) { x, y in
            quarterColors[order[(y * 2 / height) * 2 + x * 2 / width]]
        }
        let bytes = try JPEGEncoder.encode(
            picture,
            quality: 95,
            progressive: progressive,
            orientation: orientation
        )

        for (target, size) in [
            (nil, PixelSize(width: 96, height: 64)),
            (PixelSize(width: 12, height: 12), PixelSize(width: 12, height: 8)),
            (PixelSize(width: 48, height: 8), PixelSize(width: 12, height: 8)),
        ] {
            let image = try decoder.decode(bytes, options: DecodingOptions(targetSize: target))

            #expect(image.pixels.size == size)
            expectQuarters(image, tolerance: 8)
            #expect(image.properties.size == PixelSize(width: 96, height: 64))
            #expect(image.properties.orientation == orientation)
        }
    }

    @Test func `fill covers the target`() throws {
        let bytes = try Fixtures.bytes(of: "420.jpg")

        let image = try decoder.decode(
            bytes,
            options: DecodingOptions(
                targetSize: PixelSize(width: 8, height: 8),
                contentMode: .fill
            )
        )

        #expect(image.pixels.size == PixelSize(width: 12, height: 8))
    }

    @Test(arguments: [
        (4000, 3000, 40, 30, 8), (640, 480, 40, 30, 8), (639, 480, 40, 30, 4),
        (160, 128, 40, 32, 2),
        (79, 79, 40, 40, 1), (3000, 20, 40, 1, 8),
        // As large as a screen.
        (4619, 2598, 1960, 1102, 2), (4619, 2598, 960, 540, 4), (1280, 960, 640, 480, 2),
        (1278, 960, 639, 469, 1),
    ])
    func `the scale leaves two samples per target pixel, and one for a screen`(
        width: Int,
        height: Int,
        columns: Int,
        rows: Int,
        expected: Int
    ) {
        let scale = JPEGScale(
            from: PixelSize(width: width, height: height),
            to: PixelSize(width: columns, height: rows),
            coarsestSampling: PixelSize(width: 2, height: 2)
        )

        #expect(scale.rawValue == expected)
    }

    /// The scene of the fixtures, enlarged to more pixels than are returned in full.
    private static let largeScene = Result {
        let scene = try JPEGDecoder().decode(
            Fixtures.bytes(of: "Scene/444.jpg"),
            options: DecodingOptions()
        )
        return try JPEGEncoder.encode(
            scene.pixels.resampled(to: PixelSize(width: 480, height: 320)),
            quality: 90,
            progressive: false
        )
    }

    @Test(arguments: [
        (480, 320), (479, 319), (241, 161), (240, 160), (239, 159), (120, 80), (61, 41), (1, 1),
    ])
    func `if a larger image is accepted, libjpeg's image with a sample for each pixel is used`(
        width: Int,
        height: Int
    ) throws {
        let bytes = try Self.largeScene.get()
        let target = PixelSize(width: width, height: height)
        var options = DecodingOptions(targetSize: target)
        options.acceptsLarger = true

        let image = try JPEGDecoder().decode(bytes, options: options)

        let size = image.pixels.size
        let full = image.properties.size
        let least = full.scaled(into: target, mode: .fit)
        #expect(size.width >= least.width && size.height >= least.height)
        let divisor = [1, 2, 4, 8].first { (full.width + $0 - 1) / $0 == size.width }
        #expect(divisor.map { (full.height + $0 - 1) / $0 } == size.height)
        // No smaller scale would have been sufficient.
        let half = PixelSize(width: full.width / (divisor ?? 1) / 2, height: 0)
        #expect(
            divisor == 8 || half.width < least.width
                || full.height / (divisor ?? 1) / 2 < least.height
        )
    }

    @Test func `libjpeg's image at half the size is near the mean of the pixels`() throws {
        let bytes = try Self.largeScene.get()
        var options = DecodingOptions(targetSize: PixelSize(width: 240, height: 160))
        let mean = try JPEGDecoder().decode(bytes, options: options).pixels
        options.acceptsLarger = true

        let pixels = try JPEGDecoder().decode(bytes, options: options).pixels

        #expect(pixels.size == mean.size && !pixels.hasAlpha)
        #expect(pixels.maximumDifference(from: mean) <= 48)
    }

    @Test func `coarse chroma sampling selects a larger scale`() {
        let scale = JPEGScale(
            from: PixelSize(width: 640, height: 480),
            to: PixelSize(width: 40, height: 30),
            coarsestSampling: PixelSize(width: 4, height: 1)
        )

        #expect(scale == .quarter)
    }

    @Test(arguments: [
        (0xC3, 8, "lossless JPEG"), (0xC5, 8, "hierarchical JPEG"), (0xC0, 12, "12-bit JPEG"),
    ])
    func `unsupported kinds of JPEG are named`(
        frame: UInt8,
        precision: UInt8,
        name: String
    ) throws {
        var bytes = try Fixtures.bytes(of: "444.jpg")
        let marker = try #require(Fixtures.offsets(of: 0xC0, in: bytes).first)
        bytes[marker + 1] = frame
        bytes[marker + 4] = precision

        #expect(throws: ImageDecodingError.unsupportedFeature(.jpeg, name)) {
            try decoder.decode(bytes, options: DecodingOptions())
        }
    }

    @Test(arguments: ["420", "progressive"])
    func `a file without only its end marker is complete`(name: String) throws {
        let bytes = try Fixtures.bytes(of: name + ".jpg").dropLast(2)

        let image = try decoder.decode(Array(bytes), options: DecodingOptions())

        expectQuarters(image, tolerance: 8)
    }

    @Test func `bytes after the end marker are ignored`() throws {
        let bytes = try Fixtures.bytes(of: "420.jpg") + Array("<html>".utf8)

        expectQuarters(try decoder.decode(bytes, options: DecodingOptions()), tolerance: 8)
    }

    private func expectQuarters(_ image: DecodedImage, tolerance: Int) {
        for (pixel, expected) in zip(image.pixels.quarters, quarterColors) {
            #expect(pixel.isClose(to: expected, tolerance: tolerance), "\(pixel), not \(expected)")
        }
    }
}
