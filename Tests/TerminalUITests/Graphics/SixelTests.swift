import Decoders
import Testing

@testable import TerminalUI

/// Our output is decoded by libsixel and compared with the original.
@Suite struct SixelTests {
    /// Returns our sixels of an image, and its pixels in the selected colors; `thrift` is the
    /// weight of a byte relative to the error of the palette.
    private func sixels(
        of pixels: PixelBuffer,
        colorCount: Int = 256,
        thrift: Float = 0,
        diffusion: Float = 0
    ) -> (bytes: [UInt8], meant: PixelBuffer) {
        let histogram = ColorHistogram(pixels)
        let palette = SixelPalette(rounding: Palette(of: histogram, count: colorCount))
        let nearest = palette.palette.nearest(to: histogram)
        let mapped = SixelPixels(
            pixels,
            palette: palette.palette,
            histogram: histogram,
            nearest: nearest,
            byteWeight: thrift * palette.palette.meanSquaredError(of: histogram, nearest),
            diffusion: diffusion
        )
        let meant = Pictures.make(width: pixels.size.width, height: pixels.size.height) { x, y in
            let place = (y / 6 * pixels.size.width + x) * SixelPixels.stride + y % 6
            let color = palette.palette.colors[Int(mapped.indices[place])]
            return (UInt8(color.x), UInt8(color.y), UInt8(color.z))
        }
        return (SixelWriter.controlString(mapped, palette: palette).bytes, meant)
    }

    @Test(arguments: [
        (1, 1), (1, 5), (1, 6), (1, 7), (7, 1), (13, 12), (40, 23), (300, 11), (2, 600),
    ])
    func `libsixel reads the intended pixels`(width: Int, height: Int) throws {
        for picture in [
            Pictures.scene(width: width, height: height),
            Pictures.noise(width: width, height: height, seed: 8),
            Pictures.noise(width: width, height: height, colorCount: 3, seed: 9),
        ] {
            let (bytes, meant) = sixels(of: picture)

            #expect(try LibSixel.decode(bytes) == meant)
        }
    }

    @Test(arguments: [2, 16, 255, 256])
    func `libsixel reads any number of colors`(colorCount: Int) throws {
        let picture = Pictures.noise(width: 90, height: 31, seed: 5)

        let (bytes, meant) = sixels(of: picture, colorCount: colorCount)

        #expect(try LibSixel.decode(bytes) == meant)
    }

    @Test func `joined pixels are read as intended, and take fewer bytes`() throws {
        let picture = Pictures.noise(width: 80, height: 40, seed: 6)

        let (bytes, meant) = sixels(of: picture, colorCount: 32, thrift: 0.5)

        #expect(try LibSixel.decode(bytes) == meant)
        #expect(bytes.count < sixels(of: picture, colorCount: 32).bytes.count)
    }

    @Test func `error diffusion keeps the mean of a color missing from the palette`() throws {
        let gray = Pictures.make(width: 60, height: 37) { x, _ in
            x < 30 ? (130, 130, 130) : x < 45 ? (0, 0, 0) : (255, 255, 255)
        }

        let (bytes, meant) = sixels(of: gray, colorCount: 2, diffusion: 1)

        #expect(try LibSixel.decode(bytes) == meant)
        let left = (0..<37).flatMap { y in
            (0..<30).map { x in Int(meant.samples[(y * 60 + x) * 3]) }
        }
        let mean = Double(left.reduce(0, +)) / Double(left.count)
        #expect(abs(mean - 130) < 8, "\(mean)")
    }

    @Test func `a flat image is a run in each band`() {
        let red = Pictures.make(width: 100, height: 12) { _, _ in (255, 0, 0) }

        let (bytes, _) = sixels(of: red)

        let expected = "\u{1B}P0;1q\"1;1;100;12#0;2;100;0;0#0!100~-!100~\u{1B}\\"
        #expect(String(decoding: bytes, as: UTF8.self) == expected)
    }

    @Test func `pixels that are painted over later are not left out before`() {
        let dot = Pictures.make(width: 50, height: 6) { x, y in
            x == 20 && y == 2 ? (0, 0, 0) : (255, 255, 255)
        }

        let (bytes, _) = sixels(of: dot)

        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasSuffix("#1!50~$#0!20?C\u{1B}\\"))
    }

    @Test func `nothing is painted below an image whose last band is cut`() {
        let flat = Pictures.make(width: 10, height: 8) { _, _ in (0, 0, 255) }

        let (bytes, _) = sixels(of: flat)

        #expect(String(decoding: bytes, as: UTF8.self).hasSuffix("-!10B\u{1B}\\"))
    }

    @Test(arguments: [16, 64, 256])
    func `fewer bytes and fewer errors than libsixel at the same number of colors`(
        colorCount: Int
    ) throws {
        let samples = Pictures.samples.values
        try #require(samples.count > 3)
        for picture in samples {
            let theirs = try LibSixel.encode(picture, colorCount: colorCount)
            let (ours, meant) = sixels(of: picture, colorCount: colorCount, thrift: 1)

            #expect(ours.count < theirs.count)
            let distance = peakSignalToNoise(meant, picture)
            #expect(distance > peakSignalToNoise(try LibSixel.decode(theirs), picture))
        }
    }
}
