import Testing

@testable import Decoders

@Suite struct PNGDecoderTests {
    private let decoder = PNGDecoder()

    /// A file of noise in the samples, and the pixels it stands for.
    private func sample(
        _ type: PNGFile.ColorType,
        depth: Int,
        interlaced: Bool,
        width: Int = 13,
        height: Int = 11
    ) -> (file: PNGFile, pixels: PixelBuffer) {
        var generator = SeededGenerator(seed: UInt64(depth))
        let values = (0..<width * height).map { _ in
            (0..<type.channelCount).map { _ in Int.random(in: 0..<1 << depth, using: &generator) }
        }
        let palette = (UInt8.min...UInt8(1 << min(depth, 8) - 1)).map { index in
            Pixel(index, 255 - index, index / 2)
        }
        var file = PNGFile(
            colorType: type,
            depth: depth,
            isInterlaced: interlaced,
            width: width,
            height: height
        ) { values[$1 * width + $0] }
        if type == .palette {
            file.chunks = [("PLTE", palette.flatMap { [$0.red, $0.green, $0.blue] })]
        }
        let pixels = PixelBuffer(width: width, height: height) { x, y in
            let samples = values[y * width + x]
            guard type != .palette else { return palette[samples[0]] }
            let bytes = samples.map { scaled($0, depth: depth) }
            return switch type {
            case .grey: Pixel(bytes[0], bytes[0], bytes[0])
            case .greyAlpha: Pixel(bytes[0], bytes[0], bytes[0], bytes[1])
            case .rgba: Pixel(bytes[0], bytes[1], bytes[2], bytes[3])
            default: Pixel(bytes[0], bytes[1], bytes[2])
            }
        }
        return (file, pixels)
    }

    /// A sample of `depth` bits as 8 bits, rounded.
    private func scaled(_ sample: Int, depth: Int) -> UInt8 {
        let maximum = (1 << depth) - 1
        return UInt8((sample * 255 + maximum / 2) / maximum)
    }

    @Test(arguments: PNGFile.ColorType.allCases, [false, true])
    func `every colour type and depth has its exact pixels`(
        type: PNGFile.ColorType,
        interlaced: Bool
    ) throws {
        for depth in type.depths {
            let (file, pixels) = sample(type, depth: depth, interlaced: interlaced)

            let image = try decoder.decode(file.encoded(), options: DecodingOptions())

            #expect(image.pixels.bytes == pixels.bytes, "depth \(depth)")
            #expect(image.properties.isProgressive == interlaced)
            #expect(image.properties.hasAlpha == (type == .rgba || type == .greyAlpha))
        }
    }

    @Test(arguments: PNGFile.ColorType.allCases, [false, true])
    func `a thumbnail is the area average of the full picture`(
        type: PNGFile.ColorType,
        interlaced: Bool
    ) throws {
        for depth in type.depths {
            let (file, pixels) = sample(
                type,
                depth: depth,
                interlaced: interlaced,
                width: 70,
                height: 41
            )
            let box = PixelSize(width: 16, height: 16)

            let image = try decoder.decode(
                file.encoded(),
                options: DecodingOptions(targetSize: box)
            )

            let size = pixels.size.scaled(into: box, mode: .fit)
            let reference = ReferenceResampler.resample(pixels, to: size)
            #expect(image.pixels.size == size)
            #expect(image.pixels.maximumDifference(from: reference) <= 1, "depth \(depth)")
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8, 9])
    func `interlaced pictures of few pixels skip empty passes`(side: Int) throws {
        let (file, pixels) = sample(
            .rgb,
            depth: 8,
            interlaced: true,
            width: side,
            height: 10 - side
        )

        let image = try decoder.decode(file.encoded(), options: DecodingOptions())

        #expect(image.pixels == pixels)
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
    func `the transparent colour of a picture without alpha is transparent`(depth: Int) throws {
        var file = PNGFile(colorType: .rgb, depth: depth, width: 2, height: 1) { x, _ in
            [x, 2, 3]
        }
        file.chunks = [("tRNS", [0, 1, 0, 2, 0, 3])]

        let image = try decoder.decode(file.encoded(), options: DecodingOptions())

        #expect(image.pixels[0, 0].alpha == 255)
        #expect(image.pixels[1, 0].alpha == 0)
    }

    @Test(arguments: [(100_000, 188), (45_455, 128)])
    func `gamma is brought to sRGB`(gamma: Int, expected: UInt8) throws {
        var file = PNGFile(colorType: .grey, depth: 8, width: 1, height: 1) { _, _ in [128] }
        file.chunks = [("gAMA", PNGFile.number(gamma))]

        let image = try decoder.decode(file.encoded(), options: DecodingOptions())

        // libpng's curve is the power 2.2, not sRGB's two pieces: two levels apart at most.
        let level = image.pixels[0, 0].red
        #expect(abs(Int(level) - Int(expected)) <= 2, "\(level)")
    }

    @Test func `an sRGB chunk outweighs gamma`() throws {
        var file = PNGFile(colorType: .grey, depth: 8, width: 1, height: 1) { _, _ in [128] }
        file.chunks = [("gAMA", PNGFile.number(100_000)), ("sRGB", [0])]

        let image = try decoder.decode(file.encoded(), options: DecodingOptions())

        #expect(image.pixels[0, 0].red == 128)
    }

    @Test(arguments: [false, true])
    func `orientation is taken from eXIf before or after the pixels`(isLate: Bool) throws {
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

    @Test func `a text chunk of 9 MB is passed over`() throws {
        let file = PNGFile(colorType: .grey, depth: 8, width: 1, height: 1) { _, _ in [7] }
        let endOfHeader = 33
        let text = Array("tEXt".utf8) + [UInt8](repeating: 0x41, count: 9_000_000)

        var bytes = file.encoded()
        bytes.insert(contentsOf: PNGFile.number(9_000_000) + text + [0, 0, 0, 0], at: endOfHeader)

        let image = try decoder.decode(bytes, options: DecodingOptions())
        #expect(image.pixels[0, 0] == Pixel(7, 7, 7))
    }

    @Test func `thousands of text chunks cost nothing and hurt nothing`() throws {
        var file = PNGFile(colorType: .grey, depth: 8, width: 1, height: 1) { _, _ in [7] }
        file.chunks = Array(repeating: ("tEXt", Array("a\0b".utf8)), count: 5000)

        #expect(try decoder.probe(file.encoded()).size == PixelSize(width: 1, height: 1))
    }
}
