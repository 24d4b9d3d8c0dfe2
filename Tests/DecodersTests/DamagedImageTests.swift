import Testing

@testable import Decoders

/// Images from damaged files, compared with the same files without damage.
@Suite struct DamagedImageTests {
    private static let size = PixelSize(width: 160, height: 120)
    private static let pixels = PixelBuffer(width: 160, height: 120) { x, y in
        Pixel(UInt8(x * 255 / 160), UInt8(y * 255 / 120), UInt8((x ^ y) & 63), 255)
    }

    @Test(arguments: [30, 60, 90])
    func `a baseline JPEG without its end shows the rows before it`(percent: Int) throws {
        let file = try JPEGEncoder.encode(Self.pixels, quality: 90)
        let whole = try Self.decoded(file)

        let image = try Self.decoded(Array(file.prefix(file.count * percent / 100)))

        #expect(image.damage == .truncated(.jpeg))
        let rows = Self.opaqueRowCount(image.pixels)
        #expect((1..<Self.size.height).contains(rows))
        #expect(rows > Self.size.height * (percent - 20) / 100)
        #expect(Self.hasSameRows(image.pixels, whole.pixels, rows))
    }

    /// All scans after the first add detail.
    @Test(arguments: [40, 60, 80])
    func `a progressive JPEG without its end is complete but coarse`(percent: Int) throws {
        let file = try JPEGEncoder.encode(Self.pixels, quality: 90, progressive: true)
        let whole = try Self.decoded(file)

        let image = try Self.decoded(Array(file.prefix(file.count * percent / 100)))

        #expect(image.damage == .truncated(.jpeg))
        #expect(Self.opaqueRowCount(image.pixels) == Self.size.height)
        #expect(Self.meanDifference(image.pixels, whole.pixels) < 12)
    }

    @Test(arguments: [false, true])
    func `a JPEG that ends in zeros is shown up to the zeros`(isProgressive: Bool) throws {
        let file = try JPEGEncoder.encode(Self.pixels, quality: 90, progressive: isProgressive)
        let whole = try Self.decoded(file)
        let end = file.count * 6 / 10
        let zeros = [UInt8](repeating: 0, count: file.count - end)

        let image = try Self.decoded(file[..<end] + zeros)

        #expect(image.damage?.isDamage == true)
        let rows = isProgressive ? Self.size.height : Self.size.height / 3
        #expect(Self.opaqueRowCount(image.pixels) >= rows)
        #expect(Self.meanDifference(image.pixels, whole.pixels, rows: rows) < 12)
    }

    @Test func `libjpeg continues to the end after invalid codes in a JPEG`() throws {
        let file = try JPEGEncoder.encode(Self.pixels, quality: 90)
        let whole = try Self.decoded(file)
        var damaged = file
        // A code of ones only is invalid.
        let middle = file.count / 2
        let ones = (0..<10).flatMap { _ in [0xFF, 0] as [UInt8] }
        damaged.replaceSubrange(middle..<middle + ones.count, with: ones)

        let image = try Self.decoded(damaged)

        guard case .corrupt(.jpeg, let reason) = image.damage else {
            Issue.record("\(String(describing: image.damage))")
            return
        }
        #expect(!reason.contains("Corrupt JPEG data"), "said twice: \(reason)")
        // The following data takes fewer or more bits than before; in the second case, it is
        // truncated.
        #expect(Self.opaqueRowCount(image.pixels) > Self.size.height * 6 / 10)
        #expect(Self.hasSameRows(image.pixels, whole.pixels, Self.size.height / 4))
    }

    @Test func `an end marker before the end of the data is the end`() throws {
        let file = try JPEGEncoder.encode(Self.pixels, quality: 90)

        let image = try Self.decoded(Array(file.prefix(file.count / 2)) + [0xFF, 0xD9])

        #expect(image.damage?.isDamage == true)
        let rows = Self.opaqueRowCount(image.pixels)
        #expect((Self.size.height / 4..<Self.size.height).contains(rows))
        #expect(image.pixels.bytes.last == 0)
    }

    // MARK: PNG

    @Test(arguments: [30, 60, 90])
    func `a PNG without its end shows the rows before it`(percent: Int) throws {
        let file = try PNGEncoder.encode(Self.pixels)

        let image = try Self.decoded(Array(file.prefix(file.count * percent / 100)))

        #expect(image.damage == .truncated(.png))
        let rows = Self.opaqueRowCount(image.pixels)
        #expect((1..<Self.size.height).contains(rows))
        #expect(Self.hasSameRows(image.pixels, Self.pixels, rows))
    }

    @Test func `an interlaced PNG without its end is complete but coarse`() throws {
        let file = try PNGEncoder.encode(Self.pixels, interlaced: true)

        let image = try Self.decoded(Array(file.prefix(file.count * 4 / 10)))

        #expect(image.damage == .truncated(.png))
        #expect(Self.opaqueRowCount(image.pixels) == Self.size.height)
        #expect(Self.meanDifference(image.pixels, Self.pixels) < 12)
    }

    @Test(arguments: ["IDAT", "tEXt", "IEND"])
    func `a wrong checksum of a chunk loses no pixels`(type: String) throws {
        var file = Self.sample.file
        file.chunks.append(("tEXt", Array("Title\0A picture".utf8)))
        let whole = try Self.decoded(file.encoded())
        var damaged = file.encoded()
        let name = Array(type.utf8)
        let place = try #require(damaged.indices.first { damaged[$0...].starts(with: name) })
        let length = damaged[place - 4..<place].reduce(0) { $0 << 8 | Int($1) }
        damaged[place + 4 + length] ^= 1

        let image = try Self.decoded(damaged)

        #expect(image.pixels == whole.pixels)
        #expect((image.damage != nil) == (type == "IDAT"), "\(String(describing: image.damage))")
    }

    @Test func `a wrong checksum of the stream loses no pixels`() throws {
        var file = Self.sample.file
        let whole = try Self.decoded(file.encoded())
        file.split = { stream in [Array(stream.dropLast()) + [stream.last.map { $0 ^ 1 } ?? 0]] }

        let image = try Self.decoded(file.encoded())

        #expect(image.pixels.bytes == whole.pixels.bytes)
        #expect(image.damage?.isDamage == true)
    }

    @Test func `a PNG with a damaged stream shows the rows before the damage`() throws {
        var file = try PNGEncoder.encode(Self.pixels)
        for index in file.count / 2..<file.count / 2 + 40 { file[index] ^= 0x5A }

        let image = try Self.decoded(file)

        #expect(image.damage?.isDamage == true)
        let rows = Self.size.height / 4
        #expect(Self.opaqueRowCount(image.pixels) >= rows)
        #expect(Self.hasSameRows(image.pixels, Self.pixels, rows))
    }

    // MARK: Errors although damage is accepted

    @Test func `if nothing can be shown, accepting damage changes neither result nor error`() throws
    {
        let jpeg = try JPEGEncoder.encode(Self.pixels, quality: 90)
        let png = try PNGEncoder.encode(Self.pixels)
        var noHeader = png
        noHeader[20] ^= 0xFF
        let files = [
            Array(jpeg.prefix(300)), Array(jpeg.prefix(20)), Array(png.prefix(33)), noHeader,
            Array("not a picture".utf8),
        ]

        for file in files {
            let strict = #expect(throws: ImageDecodingError.self) {
                try DecoderRegistry.standard.decode(file, options: DecodingOptions())
            }
            let accepting = #expect(throws: ImageDecodingError.self) { try Self.decoded(file) }
            #expect(strict == accepting)
        }
    }

    @Test func `accepting damage does not change an intact file, and no damage is reported`() throws
    {
        for file in [
            try JPEGEncoder.encode(Self.pixels, quality: 90), try PNGEncoder.encode(Self.pixels),
        ] {
            let plain = try DecoderRegistry.standard.decode(file, options: DecodingOptions())

            let image = try Self.decoded(file)

            #expect(image == plain)
            #expect(image.damage == nil)
        }
    }

    @Test func `limits and cancellation are not damage`() throws {
        let file = try JPEGEncoder.encode(Self.pixels, quality: 90)
        var options = DecodingOptions(acceptsDamage: true)
        options.limits = DecodingLimits(maximumPixelCount: 100)
        let cancelled = DecodingOptions(acceptsDamage: true) { true }

        #expect(throws: ImageDecodingError.tooManyPixels(Self.size, limit: 100)) {
            try DecoderRegistry.standard.decode(file, options: options)
        }
        #expect(throws: ImageDecodingError.cancelled) {
            try DecoderRegistry.standard.decode(Array(file.dropLast(500)), options: cancelled)
        }
    }

    // MARK: - Helpers

    private static let sample = PNGSample(type: .rgb, depth: 8)

    private static func decoded(_ file: [UInt8]) throws(ImageDecodingError) -> DecodedImage {
        try DecoderRegistry.standard.decode(file, options: DecodingOptions(acceptsDamage: true))
    }

    /// Returns the number of rows from the top that are completely opaque.
    private static func opaqueRowCount(_ picture: PixelBuffer) -> Int {
        let width = picture.size.width
        return (0..<picture.size.height).first { row in
            !(0..<width).allSatisfy { picture.bytes[(row * width + $0) * 4 + 3] == 255 }
        } ?? picture.size.height
    }

    private static func hasSameRows(_ one: PixelBuffer, _ other: PixelBuffer, _ count: Int) -> Bool
    {
        let byteCount = count * one.size.width * 4
        return one.bytes.prefix(byteCount) == other.bytes.prefix(byteCount)
    }

    private static func meanDifference(
        _ one: PixelBuffer,
        _ other: PixelBuffer,
        rows: Int = size.height
    ) -> Int {
        let byteCount = rows * one.size.width * 4
        let sum = zip(one.bytes.prefix(byteCount), other.bytes).reduce(0) {
            $0 + abs(Int($1.0) - Int($1.1))
        }
        return sum / byteCount
    }
}
