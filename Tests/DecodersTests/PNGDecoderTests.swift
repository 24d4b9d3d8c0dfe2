@testable import Decoders
import Testing

@Suite struct PNGDecoderTests {
    private let decoder = PNGDecoder()

    @Test(arguments: PNGFile.ColorType.allCases, [false, true])
    func `every color type and depth has its exact pixels`(
        type: PNGFile.ColorType,
        interlaced: Bool
    ) throws {
        for depth in type.depths {
            let sample = PNGSample(type: type, depth: depth, isInterlaced: interlaced)

            let image = try decoder.decode(sample.file.encoded(), options: DecodingOptions())

            #expect(image.pixels.bytes == sample.pixels.bytes, "depth \(depth)")
            #expect(image.properties.isProgressive == interlaced)
            #expect(image.properties.hasAlpha == (type == .rgba || type == .grayAlpha))
        }
    }

    @Test(arguments: PNGFile.ColorType.allCases, [false, true])
    func `a thumbnail is the area average of the full image`(
        type: PNGFile.ColorType,
        interlaced: Bool
    ) throws {
        for depth in type.depths {
            let sample = PNGSample(
                type: type,
                depth: depth,
                width: 70,
                height: 41,
                isInterlaced: interlaced
            )
            let box = PixelSize(width: 16, height: 16)

            let image = try decoder.decode(
                sample.file.encoded(),
                options: DecodingOptions(targetSize: box)
            )

            let size = sample.pixels.size.scaled(into: box, mode: .fit)
            let reference = ReferenceResampler.resample(sample.pixels, to: size)
            #expect(image.pixels.size == size)
            #expect(image.pixels.maximumDifference(from: reference) <= 1, "depth \(depth)")
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8, 9])
    func `small interlaced images skip empty passes`(side: Int) throws {
        let sample = PNGSample(
            type: .rgb,
            depth: 8,
            width: side,
            height: 10 - side,
            isInterlaced: true
        )

        let image = try decoder.decode(sample.file.encoded(), options: DecodingOptions())

        #expect(image.pixels == sample.pixels)
    }

    @Test func `transparent palette entries are transparent`() throws {
        var file = PNGFile(colorType: .palette, depth: 2, width: 4, height: 1) { x, _ in [x] }
        file.chunks = [
            ("PLTE", [9, 9, 9, 8, 8, 8, 7, 7, 7, 6, 6, 6]), ("tRNS", [0, 128]),
        ]

        let image = try decoder.decode(file.encoded(), options: DecodingOptions())

        #expect(image.properties.hasAlpha)
        #expect((0..<4).map { image.pixels[$0, 0].alpha } == [0, 128, 255, 255])
    }

    @Test(arguments: [8, 16])
    func `the transparent color of an image without alpha is transparent`(depth: Int) throws {
        var file = PNGFile(colorType: .rgb, depth: depth, width: 2, height: 1) { x, _ in
            [x, 2, 3]
        }
        file.chunks = [("tRNS", [0, 1, 0, 2, 0, 3])]

        let image = try decoder.decode(file.encoded(), options: DecodingOptions())

        #expect(image.pixels[0, 0].alpha == 255)
        #expect(image.pixels[1, 0].alpha == 0)
    }

    @Test(arguments: [(100_000, 188), (45_455, 128)])
    func `gamma is converted to sRGB`(gamma: Int, expected: UInt8) throws {
        var file = PNGFile(colorType: .gray, depth: 8, width: 1, height: 1) { _, _ in [128] }
        file.chunks = [("gAMA", PNGFile.number(gamma))]

        let image = try decoder.decode(file.encoded(), options: DecodingOptions())

        // libpng's curve is the power 2.2, not sRGB's two pieces: two levels apart at most.
        let level = image.pixels[0, 0].red
        #expect(abs(Int(level) - Int(expected)) <= 2, "\(level)")
    }

    @Test func `an sRGB chunk takes precedence over gamma`() throws {
        var file = PNGFile(colorType: .gray, depth: 8, width: 1, height: 1) { _, _ in [128] }
        file.chunks = [("gAMA", PNGFile.number(100_000)), ("sRGB", [0])]

        let image = try decoder.decode(file.encoded(), options: DecodingOptions())

        #expect(image.pixels[0, 0].red == 128)
    }

    @Test(arguments: [false, true])
    func `orientation is read from eXIf before or after the pixels`(isLate: Bool) throws {
        let picture = quarterPicture(width: 6, height: 4)
        var file = PNGFile(colorType: .rgb, depth: 8, width: 6, height: 4) { x, y in
            [picture[x, y].red, picture[x, y].green, picture[x, y].blue].map(Int.init)
        }
        let chunk = ("eXIf", EXIF.block(orientation: 6))
        if isLate { file.lateChunks = [chunk] } else { file.chunks = [chunk] }

        let image = try decoder.decode(file.encoded(), options: DecodingOptions())

        #expect(image.pixels.size == PixelSize(width: 4, height: 6))
        #expect(image.pixels.quarters == [2, 0, 3, 1].map { quarterColors[$0] })
    }

    @Test func `a text chunk of 9 MB is skipped`() throws {
        let file = PNGFile(colorType: .gray, depth: 8, width: 1, height: 1) { _, _ in [7] }
        let endOfHeader = 33
        let text = Array("tEXt".utf8) + [UInt8](repeating: 0x41, count: 9_000_000)

        var bytes = file.encoded()
        bytes.insert(contentsOf: PNGFile.number(9_000_000) + text + [0, 0, 0, 0], at: endOfHeader)

        let image = try decoder.decode(bytes, options: DecodingOptions())
        #expect(image.pixels[0, 0] == Pixel(7, 7, 7))
    }

    @Test func `thousands of text chunks cost no time and change nothing`() throws {
        var file = PNGFile(colorType: .gray, depth: 8, width: 1, height: 1) { _, _ in [7] }
        file.chunks = Array(repeating: ("tEXt", Array("a\0b".utf8)), count: 5000)

        #expect(try decoder.probe(file.encoded()).size == PixelSize(width: 1, height: 1))
    }
}

/// Files from another encoder, compared with the results of another decoder.
@Suite struct PNGFixtureTests {
    private static let names = [
        "gray4", "grayalpha8", "palette8trns", "rgb8", "rgb16", "rgba8interlaced",
        "rgba16interlaced",
    ]

    private static func pixels(of name: String) throws -> PixelBuffer {
        let bytes = try Fixtures.bytes(of: name + ".rgba")
        let hasAlpha = stride(from: 3, to: bytes.count, by: 4).contains { bytes[$0] < 255 }
        return PixelBuffer(size: PixelSize(width: 23, height: 17), bytes: bytes, hasAlpha: hasAlpha)
    }

    @Test(arguments: names, [true, false])
    func `pixels equal ImageMagick's`(name: String, isFast: Bool) throws {
        let file = try Fixtures.bytes(of: name + ".png")
        let expected = try Self.pixels(of: name)

        let image = try PNGPaths.decode(file, fast: isFast).get()

        #expect(image.pixels.size == expected.size)
        #expect(image.pixels.hasAlpha == expected.hasAlpha)
        // Rounding from 16 bits.
        let tolerance = name.contains("16") ? 1 : 0
        #expect(image.pixels.maximumDifference(from: expected) <= tolerance)
    }

    @Test(arguments: names, [true, false])
    func `a thumbnail is the area average of ImageMagick's pixels`(
        name: String,
        isFast: Bool
    ) throws {
        let file = try Fixtures.bytes(of: name + ".png")
        let pixels = try Self.pixels(of: name)
        let size = PixelSize(width: 9, height: 7)

        let image = try PNGPaths.decode(file, DecodingOptions(targetSize: size), fast: isFast).get()

        let expected = ReferenceResampler.resample(pixels, to: image.pixels.size)
        #expect(image.pixels.maximumDifference(from: expected) <= 2)
    }
}
