@testable import Decoders
import Testing

/// Compared with the results of Pillow and imagehash (`Fixtures/Lanczos/make.py`).
@Suite struct LanczosTests {
    private func pixels(_ name: String) throws -> PixelBuffer {
        let bytes = try Fixtures.bytes(of: "Lanczos/\(name).png")
        return try DecoderRegistry.standard.decode(bytes, options: DecodingOptions()).pixels
    }

    @Test(arguments: ["a", "b", "c"])
    func `an image is within one level of Pillow's LANCZOS`(name: String) throws {
        let expected = try pixels("\(name)-small")

        let result = try pixels(name).lanczosResampled(to: expected.size)

        #expect(result.size == expected.size)
        #expect(result.maximumDifference(from: expected) <= 1)
    }

    @Test func `transparent pixels lend no color to opaque ones, as in Pillow`() throws {
        let expected = try pixels("alpha-small")

        let result = try pixels("alpha").lanczosResampled(to: expected.size)

        // On a background, because colors with low alpha are rounded.
        let ours = result.flattened(red: 128, green: 128, blue: 128)
        let theirs = expected.flattened(red: 128, green: 128, blue: 128)
        #expect(ours.maximumDifference(from: theirs) <= 2)
    }

    /// A button and other small images with hard edges, to samples of 32 pixels.
    @Test(arguments: [(88, 31), (41, 41), (64, 64), (81, 60), (150, 100)], [false, true])
    func `a small image that the caller reduces keeps its edges`(
        size: (width: Int, height: Int),
        isJPEG: Bool
    ) throws {
        let picture = PixelBuffer(width: size.width, height: size.height) { x, y in
            (x / 3 + y / 5) % 2 == 0 ? Pixel(255, 255, 255, 255) : Pixel(20, 40, 160, 255)
        }
        let file =
            isJPEG
            ? try JPEGEncoder.encode(picture, quality: 100, progressive: false)
            : try PNGEncoder.encode(picture)
        var options = DecodingOptions(targetSize: PixelSize(width: 40, height: 40))
        let full = try DecoderRegistry.standard.decode(file, options: DecodingOptions()).pixels
        options.acceptsLarger = true

        let image = try DecoderRegistry.standard.decode(file, options: options)

        let sample = picture.size.scaled(into: PixelSize(width: 32, height: 32), mode: .fit)
        let likeness = image.pixels.lanczosResampled(to: sample)
            .signalToNoise(against: full.lanczosResampled(to: sample))
        #expect(likeness > 50)
    }

    @Test func `a larger image is reduced before the caller reduces it`() throws {
        let file = try PNGEncoder.encode(noise(width: 400, height: 300, hasAlpha: false, seed: 1))
        var options = DecodingOptions(targetSize: PixelSize(width: 40, height: 40))
        options.acceptsLarger = true
        let registry = DecoderRegistry.standard

        let reduced = PixelSize(width: 40, height: 30)
        #expect(try registry.decode(file, options: options).pixels.size == reduced)
        // Less than twice as long as requested.
        options.targetSize = PixelSize(width: 201, height: 151)
        let full = PixelSize(width: 400, height: 300)
        #expect(try registry.decode(file, options: options).pixels.size == full)
    }

    @Test func `a hash differs from imagehash's in two bits at most`() throws {
        let text = String(decoding: try Fixtures.bytes(of: "Lanczos/hashes.txt"), as: UTF8.self)
        let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
        #expect(lines.count == 3)
        for line in lines {
            let expected = try #require(UInt64(line[1], radix: 16))

            let hash = PerceptualHash(of: try pixels(String(line[0])))

            #expect((hash.bits ^ expected).nonzeroBitCount <= 2)
            #expect(
                UInt64(hash.hexadecimal, radix: 16) == hash.bits && hash.hexadecimal.count == 16
            )
        }
    }

    @Test func `a smaller copy has a similar hash, and another image a different one`()
        throws
    {
        let (a, b) = (try pixels("a"), try pixels("b"))
        let small = a.lanczosResampled(to: PixelSize(width: 48, height: 30))

        let distance = { (one: PixelBuffer, other: PixelBuffer) in
            (PerceptualHash(of: one).bits ^ PerceptualHash(of: other).bits).nonzeroBitCount
        }

        #expect(distance(a, small) <= 4)
        #expect(distance(a, b) > 16)
    }

    @Test(arguments: [(1, 1), (1, 50), (3, 2)])
    func `the smallest images have a hash and can be resampled`(width: Int, height: Int) {
        let pixels = PixelBuffer(
            size: PixelSize(width: width, height: height),
            bytes: [UInt8](repeating: 200, count: width * height * 4),
            hasAlpha: true
        )

        let result = pixels.lanczosResampled(to: PixelSize(width: 1, height: 1))

        #expect(result.bytes.allSatisfy { $0 == 200 })
        #expect(PerceptualHash(of: pixels).hexadecimal.count == 16)
    }
}
