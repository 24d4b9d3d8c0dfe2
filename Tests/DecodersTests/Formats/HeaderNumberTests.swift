import Decoders
import PropertyRuns
import Testing

/// Extreme integers in the headers of every format.
@Suite struct HeaderNumberTests {
    private static let files = [
        "444.jpg", "progressive.jpg", "rgb8.png", "palette8trns.png", "rgba8interlaced.png",
        "Formats/moving.apng", "Formats/moving.gif", "Formats/lossy.webp", "Formats/alpha.webp",
        "Formats/moving.webp", "Formats/photo.avif", "Formats/thumbnail.heic",
        "Formats/lossless.jxl", "Formats/raw.tiff", "Formats/float32tiles.tiff", "Formats/rgb.bmp",
        "Formats/palette.bmp", "Formats/runs.bmp", "Formats/bitmap.ico", "Formats/png.ico",
        "Formats/rgb.qoi", "Formats/rgb.ppm", "Formats/float.pfm", "Formats/rgb.tga",
        "Formats/runs.tga", "Formats/palette.tga", "Formats/rgb.psd", "Formats/large.psb",
        "Formats/preview.cr3", "Formats/preview.raf", "Formats/preview.orf", "Formats/preview.rw2",
    ]
    /// The number of bytes at the start of a file that are replaced.
    private static let headerByteCount = 96

    /// 0, 2³¹ - 1, 2³¹, 2³² - 1 and 2⁶³ in both byte orders.
    private static let numbers: [[UInt8]] = {
        let big: [[UInt8]] = [
            [0, 0, 0, 0], [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF],
            [0x80, 0, 0, 0, 0, 0, 0, 0],
        ]
        return big + big.map { $0.reversed() }
    }()

    @Test(arguments: files)
    func `any extreme number in a header gives an image or an error`(name: String) throws {
        let file = try Fixtures.bytes(of: name)
        let limits = DecodingLimits(maximumByteCount: 16 << 20)
        let target = PixelSize(width: 8, height: 8)
        let options = DecodingOptions(targetSize: target, limits: limits, acceptsDamage: true)
        let end = min(Self.headerByteCount, file.count - 8)
        for place in stride(from: 0, to: end, by: PropertyRuns.isSanitized ? 5 : 1) {
            for number in Self.numbers {
                var changed = file
                changed.replaceSubrange(place..<place + number.count, with: number)
                guard
                    let image = try? DecoderRegistry.standard.decode(changed, options: options)
                else { continue }
                #expect(image.pixels.size.width <= 8 && image.pixels.size.height <= 8)
            }
        }
    }
}
