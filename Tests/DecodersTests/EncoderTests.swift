import Decoders
import Testing

@Suite struct EncoderTests {
    private let registry = DecoderRegistry.standard

    @Test(arguments: [false, true], [false, true])
    func `PNG keeps every pixel`(hasAlpha: Bool, interlaced: Bool) throws {
        let picture = noise(width: 37, height: 21, hasAlpha: hasAlpha, seed: 4)

        let file = try PNGEncoder.encode(picture, interlaced: interlaced)

        let image = try registry.decode(file, options: DecodingOptions())
        #expect(image.pixels == picture)
        #expect(image.properties.isProgressive == interlaced)
    }

    @Test(arguments: [50, 95], [false, true])
    func `JPEG keeps the colors`(quality: Int, progressive: Bool) throws {
        let file = try JPEGEncoder.encode(
            quarterPicture(),
            quality: quality,
            progressive: progressive
        )

        let image = try registry.decode(file, options: DecodingOptions())
        #expect(image.properties.isProgressive == progressive)
        for (pixel, expected) in zip(image.pixels.quarters, quarterColors) {
            #expect(pixel.isClose(to: expected, tolerance: 10), "\(pixel), not \(expected)")
        }
    }

    @Test func `an image without pixels is refused`() {
        let empty = PixelBuffer(size: PixelSize(width: 0, height: 4), bytes: [], hasAlpha: false)

        #expect(throws: ImageEncodingError.empty) { try PNGEncoder.encode(empty) }
        #expect(throws: ImageEncodingError.empty) { try JPEGEncoder.encode(empty, quality: 80) }
    }

    @Test func `a JPEG wider than the format allows is refused`() {
        let size = PixelSize(width: 70_000, height: 1)
        let wide = PixelBuffer(
            size: size,
            bytes: Array(repeating: 0, count: 280_000),
            hasAlpha: false
        )

        #expect(throws: ImageEncodingError.tooLarge(size)) {
            try JPEGEncoder.encode(wide, quality: 80)
        }
    }
}
