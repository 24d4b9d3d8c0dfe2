import Decoders
import Testing

/// Files by another encoder, as another decoder sees them.
@Suite struct PNGFixtureTests {
    private static let names = [
        "grey4", "greyalpha8", "palette8trns", "rgb8", "rgb16", "rgba8interlaced",
        "rgba16interlaced",
    ]

    private static func pixels(of name: String) throws -> PixelBuffer {
        let bytes = try Fixtures.bytes(of: name + ".rgba")
        let hasAlpha = stride(from: 3, to: bytes.count, by: 4).contains { bytes[$0] < 255 }
        return PixelBuffer(size: PixelSize(width: 23, height: 17), bytes: bytes, hasAlpha: hasAlpha)
    }

    @Test(arguments: names, [true, false])
    func `pixels are those that ImageMagick sees`(name: String, isFast: Bool) throws {
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
    func `a thumbnail is the area average of what ImageMagick sees`(
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
