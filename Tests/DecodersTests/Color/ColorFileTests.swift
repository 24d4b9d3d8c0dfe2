import Testing

@testable import Decoders

/// Color profiles in files.
@Suite struct ColorFileTests {
    let registry = DecoderRegistry.standard
    static let profile = ICCFile.displayP3.encoded()

    /// The colors of the quarters, interpreted as Display P3.
    static let converted = quarterColors.map {
        ColorReference.sRGB(
            $0,
            colorants: KnownColorants.displayP3,
            light: ColorReference.sRGBLight
        )
    }

    func png(
        _ chunks: [(type: String, data: [UInt8])],
        type: PNGFile.ColorType = .rgba,
        interlaced: Bool = false
    ) -> [UInt8] {
        let picture = quarterPicture(width: 16, height: 12)
        var file = PNGFile(colorType: type, depth: 8, width: 16, height: 12) { x, y in
            let pixel = picture[x, y]
            let channels = [pixel.red, pixel.green, pixel.blue, 200].map(Int.init)
            return type == .gray ? [128] : Array(channels.prefix(type.channelCount))
        }
        file.isInterlaced = interlaced
        file.chunks = chunks
        return file.encoded()
    }

    func expect(
        _ file: [UInt8],
        _ colors: [Pixel],
        tolerance: Int = 1,
        target: PixelSize? = nil,
        note: String = ""
    ) throws {
        for usesFastPaths in [false, true] {
            var options = DecodingOptions(targetSize: target)
            options.usesFastPaths = usesFastPaths

            let image = try registry.decode(file, options: options)

            for (pixel, color) in zip(image.pixels.quarters, colors) {
                var opaque = pixel
                opaque.alpha = 255
                #expect(opaque.isClose(to: color, tolerance: tolerance), "\(note): \(pixel)")
            }
        }
    }

    // MARK: - PNG

    @Test(arguments: [PNGFile.ColorType.rgb, .rgba], [false, true])
    func `a PNG's profile is applied and its alpha kept`(
        type: PNGFile.ColorType,
        interlaced: Bool
    ) throws {
        let file = png([("iCCP", ICCParts.chunk(Self.profile))], type: type, interlaced: interlaced)

        try expect(file, Self.converted)
        try expect(file, Self.converted, target: PixelSize(width: 4, height: 3))
        let image = try registry.decode(file, options: DecodingOptions())
        #expect(image.pixels[0, 0].alpha == (type == .rgba ? 200 : 255))
    }

    @Test func `an RGB profile is ignored for a gray PNG`() throws {
        let chunk = ICCParts.chunk(ICCFile.adobeRGB.encoded())

        let image = try registry.decode(
            png([("iCCP", chunk)], type: .gray),
            options: DecodingOptions()
        )

        #expect(image.pixels[0, 0] == Pixel(128, 128, 128))
    }

    @Test func `a profile takes precedence over gamma, whichever comes first`() throws {
        let gamma = ("gAMA", PNGFile.number(100_000))
        let profile = ("iCCP", ICCParts.chunk(Self.profile))

        try expect(png([gamma, profile]), Self.converted)
        try expect(png([profile, gamma]), Self.converted)
    }

    @Test func `an sRGB profile takes precedence over gamma too`() throws {
        let gamma = ("gAMA", PNGFile.number(100_000))
        let profile = ("iCCP", ICCParts.chunk(ICCFile.sRGB.encoded()))

        try expect(png([gamma, profile]), quarterColors, tolerance: 0)
    }

    @Test func `gamma is applied if the profile cannot be used`() throws {
        let gamma = ("gAMA", PNGFile.number(100_000))
        var gray = ICCFile.displayP3
        gray.space = "GRAY"
        let linear = try registry.decode(png([gamma]), options: DecodingOptions()).pixels

        let file = png([("iCCP", ICCParts.chunk(gray.encoded())), gamma])

        #expect(try registry.decode(file, options: DecodingOptions()).pixels == linear)
        #expect(linear.quarters != quarterColors)
    }

    @Test func `a damaged iCCP chunk is ignored`() throws {
        let whole = ICCParts.chunk(Self.profile)
        let damaged: [[UInt8]] = [
            [], [0], [65], Array("name\0".utf8), Array("name\0\u{1}".utf8) + whole.dropFirst(6),
            Array(whole.prefix(8)), Array(whole.prefix(60)),
            Array("name".utf8) + [0, 0] + [UInt8](repeating: 0x55, count: 300),
            [UInt8](repeating: 65, count: 90) + whole.dropFirst(4),
            ICCParts.chunk(Array(Self.profile.prefix(100))),
            ICCParts.chunk([0, 0, 0, 5] + Self.profile.dropFirst(4)),
        ]

        for (index, chunk) in damaged.enumerated() {
            try expect(png([("iCCP", chunk)]), quarterColors, tolerance: 0, note: "\(index)")
        }
    }

    // MARK: - JPEG

    private static let jpeg = Result {
        try JPEGEncoder.encode(quarterPicture(), quality: 100, progressive: false)
    }

    @Test(arguments: [1, 3, 255])
    func `a JPEG's profile is applied, whatever its number of parts`(partCount: Int) throws {
        let file = ICCParts.insert(
            Self.profile,
            into: try Self.jpeg.get(),
            partCount: partCount,
            numbers: Array(1...partCount).reversed()
        )

        try expect(file, Self.converted, tolerance: 3)
        try expect(file, Self.converted, tolerance: 3, target: PixelSize(width: 6, height: 4))
    }

    @Test(arguments: [false, true], [false, true])
    func `a large JPEG's profile is applied on every path`(
        progressive: Bool,
        usesFastPaths: Bool
    ) throws {
        let picture = quarterPicture(width: 480, height: 320)
        let plain = try JPEGEncoder.encode(picture, quality: 95, progressive: progressive)
        let file = ICCParts.insert(Self.profile, into: plain)
        var options = DecodingOptions(targetSize: PixelSize(width: 24, height: 16))
        options.usesFastPaths = usesFastPaths

        let image = try registry.decode(file, options: options)

        for (pixel, color) in zip(image.pixels.quarters, Self.converted) {
            #expect(pixel.isClose(to: color, tolerance: 4), "\(pixel), not \(color)")
        }
    }

    @Test(arguments: [[1, 2], [1, 3], [1, 2, 2, 3], [0, 1, 2, 3], [2, 3, 4], []])
    func `a profile with missing or repeated parts is ignored`(numbers: [Int]) throws {
        let file = ICCParts.insert(
            Self.profile,
            into: try Self.jpeg.get(),
            partCount: 3,
            numbers: numbers
        )

        try expect(file, quarterColors, tolerance: 2, note: "\(numbers)")
    }

    @Test func `parts with different totals are ignored`() throws {
        var file = ICCParts.insert(Self.profile, into: try Self.jpeg.get(), partCount: 2)
        let second = try #require(Fixtures.offsets(of: 0xE2, in: file).last)
        file[second + 4 + 13] = 3

        try expect(file, quarterColors, tolerance: 2)
    }

    @Test(arguments: ["gray", "cmyk", "ycck"])
    func `an RGB profile is ignored for gray and CMYK`(name: String) throws {
        let plain = try Fixtures.bytes(of: name + ".jpg")
        let file = ICCParts.insert(Self.profile, into: plain)

        let expected = try registry.decode(plain, options: DecodingOptions()).pixels
        #expect(try registry.decode(file, options: DecodingOptions()).pixels == expected)
    }

    @Test func `an image with a profile is rotated and converted`() throws {
        let exif = ICCParts.segment(0xE1, Array("Exif\0\0".utf8) + EXIF.block(orientation: 6))
        let plain = try Self.jpeg.get()
        let turned = Array(plain.prefix(2)) + exif + plain.dropFirst(2)
        let file = ICCParts.insert(Self.profile, into: turned)

        try expect(file, [2, 0, 3, 1].map { Self.converted[$0] }, tolerance: 3)
    }

    // MARK: - Costs

    @Test func `a profile at the limit is applied and one above is refused by name`() throws {
        let byteCount = Self.profile.count
        let files = [
            ICCParts.insert(Self.profile, into: try Self.jpeg.get(), partCount: 2),
            png([("iCCP", ICCParts.chunk(Self.profile))]),
        ]
        for file in files {
            var options = DecodingOptions()
            options.limits.maximumMetadataByteCount = byteCount
            #expect(throws: Never.self) { try registry.decode(file, options: options) }
            options.limits.maximumMetadataByteCount = byteCount - 1
            let error = ImageDecodingError.tooMuchMetadata(
                byteCount: byteCount,
                limit: byteCount - 1
            )
            #expect(throws: error) { try registry.decode(file, options: options) }
        }
    }

    @Test func `a profile that claims to be huge is refused before it is inflated`() {
        let huge = PNGFile.number(Int(UInt32.max)) + Self.profile.dropFirst(4)

        #expect(
            throws: ImageDecodingError.tooMuchMetadata(byteCount: Int(UInt32.max), limit: 4 << 20)
        ) {
            try registry.decode(
                png([("iCCP", ICCParts.chunk(huge))]),
                options: DecodingOptions()
            )
        }
    }

    @Test func `an eXIf chunk at the limit is read and one above is refused by name`() throws {
        var options = DecodingOptions()
        options.limits.maximumMetadataByteCount = 26
        let block = EXIF.block(orientation: 3)

        #expect(block.count == 26)
        let image = try registry.decode(png([("eXIf", block)]), options: options)
        #expect(image.properties.orientation == 3)
        #expect(throws: ImageDecodingError.tooMuchMetadata(byteCount: 27, limit: 26)) {
            try registry.decode(png([("eXIf", block + [0])]), options: options)
        }
    }

    @Test func `megabytes of other segments and chunks are skipped`() throws {
        let text = ICCParts.segment(0xE1, [UInt8](repeating: 65, count: 65_000))
        let plain = try Self.jpeg.get()
        let file = Array(plain.prefix(2)) + (0..<100).flatMap { _ in text } + plain.dropFirst(2)

        try expect(file, quarterColors, tolerance: 2)
    }

    @Test func `the copy for the color conversion counts as memory`() throws {
        let plain = png([])
        let file = png([("iCCP", ICCParts.chunk(Self.profile))])
        func limit(_ file: [UInt8]) -> Int? {
            (1...100).map { $0 * 256 }.first { byteCount in
                var options = DecodingOptions()
                options.limits.maximumByteCount = byteCount
                return (try? registry.decode(file, options: options)) != nil
            }
        }

        let difference = try #require(limit(file)) - #require(limit(plain))
        #expect(difference == 16 * 12 * 4)
    }
}
