import Decoders
import Foundation
import ImageLoading
import Testing

struct GeometryTests {
    /// 1 2 3 over 4 5 6.
    private let digits = ProcessedPicture(3, 2) { x, y in UInt8(1 + x + 3 * y) }

    // The results of Pillow 13.0.0 for the same image with Image.transpose.
    @Test(arguments: [
        (ImageProcessor.rotate(quarterTurns: 1), 2, [4, 1, 5, 2, 6, 3] as [UInt8]),
        (.rotate(quarterTurns: 2), 3, [6, 5, 4, 3, 2, 1]),
        (.rotate(quarterTurns: -1), 2, [3, 6, 2, 5, 1, 4]),
        (.flip(.horizontal), 3, [3, 2, 1, 6, 5, 4]),
        (.flip(.vertical), 3, [4, 5, 6, 1, 2, 3]),
    ])
    func `quarter turns and flips put each pixel in its place`(
        processor: ImageProcessor,
        width: Int,
        expected: [UInt8]
    ) throws {
        let image = try #require(digits.processed(by: processor))

        #expect(image.pixels.size == PixelSize(width: width, height: 6 / width))
        #expect(image.channel() == expected)
        #expect(!image.pixels.hasAlpha && !image.isFinal)
    }

    @Test func `a multiple of a quarter turn is the same in degrees, under the same name`() {
        for turns in -5...5 {
            #expect(
                ImageProcessor.rotate(byDegrees: Double(turns) * 90)
                    == .rotate(quarterTurns: turns)
            )
        }
        #expect(ImageProcessor.rotate(byDegrees: 370) == .rotate(byDegrees: 10))
        #expect(ImageProcessor.rotate(byDegrees: 10) != .rotate(byDegrees: -10))
    }

    @Test func `four quarter turns give the image back`() {
        let turned = digits.processed(by: .rotate(quarterTurns: 4))

        #expect(turned == digits.image)
    }

    @Test func `a crop cuts out the requested area, limited to the image`() throws {
        let part = digits.processed(by: .crop(to: PixelRect(x: 1, y: 1, width: 9, height: 9)))
        let middle = digits.processed(by: .crop(to: PixelSize(width: 1, height: 7)))
        let nothing = digits.processed(by: .crop(to: PixelRect(x: 3, y: 0, width: 1, height: 1)))

        #expect(part?.channel() == [5, 6])
        #expect(middle?.channel() == [2, 5])
        #expect(nothing == nil)
    }

    @Test func `resizing reduces in linear light, and never enlarges`() {
        let check = ProcessedPicture(4, 4) { x, y in (x + y).isMultiple(of: 2) ? 0 : 255 }

        let half = check.processed(by: .resize(to: PixelSize(width: 2, height: 9)))
        let same = check.processed(by: .resize(to: PixelSize(width: 9, height: 9)))

        // Half of the light, not half of the coded value.
        #expect(half?.channel() == [188, 188, 188, 188])
        #expect(same == check.image)
    }

    // The middle of the result of rotate(-30, BILINEAR) in Pillow 13.0.0, for light of 0 or 255.
    @Test func `a turn by an angle mixes neighbors in linear light`() throws {
        let blocks = ProcessedPicture(16, 16) { x, y in
            (x / 5 + y / 3).isMultiple(of: 2) ? 255 : 0
        }
        let expected: [[Double]] = [
            [233, 12, 105, 233, 255, 255], [105, 0, 0, 12, 140, 255], [80, 0, 0, 0, 0, 113],
            [255, 174, 46, 0, 12, 233], [255, 255, 255, 140, 138, 255],
            [255, 255, 255, 208, 21, 149],
        ]

        let image = try #require(blocks.processed(by: .rotate(byDegrees: 30)))

        // 16 cos 30° + 16 sin 30° is 21.9: three pixels more on each side.
        #expect(image.pixels.size == PixelSize(width: 22, height: 22))
        for y in 0..<6 {
            for x in 0..<6 {
                let light = Light.of(image.pixel(8 + x, 8 + y)[0])
                #expect(abs(light - expected[y][x]) < 1.5, "\(x), \(y): \(light)")
            }
        }
    }

    @Test func `the area outside a rotated image is transparent, and its edge is smooth`()
        throws
    {
        let white = ProcessedPicture(10, 10) { _, _ in 255 }

        let image = try #require(white.processed(by: .rotate(byDegrees: 45)))

        #expect(image.pixels.hasAlpha)
        #expect(image.pixel(0, 0) == [0, 0, 0, 0])
        #expect(image.pixel(7, 7) == [255, 255, 255, 255])
        let alpha = image.channel(3)
        #expect(alpha.contains { $0 > 0 && $0 < 255 })
        // No dark seam: all visible pixels are white.
        #expect(zip(image.channel(), alpha).allSatisfy { $1 == 0 || $0 == 255 })
        // The visible area is unchanged.
        let area = alpha.reduce(0) { $0 + Double($1) / 255 }
        #expect(abs(area - 100) < 2)
    }

    @Test func `a rotation with a too large result gives nothing`() {
        let line = ProcessedPicture(20_000, 1) { _, _ in 255 }

        #expect(line.processed(by: .rotate(byDegrees: 45)) == nil)
        #expect(line.processed(by: .rotate(byDegrees: .nan)) == nil)
    }

    @Test(arguments: [
        ImageProcessor.rotate(quarterTurns: 1), .rotate(byDegrees: 10), .flip(.vertical),
        .crop(to: PixelSize(width: 1, height: 60)), .resize(to: PixelSize(width: 1, height: 1)),
        .blur(sigma: 2), .roundCorners(radius: 3),
        .tint(ImageProcessor.Color(red: 1, green: 2, blue: 3)),
    ])
    func `each built-in processor stops soon after cancellation`(
        processor: ImageProcessor
    ) {
        let picture = ProcessedPicture(64, 64) { _, _ in 9 }
        var looks = 0

        let image = picture.processed(by: processor) {
            looks += 1
            return true
        }

        #expect(image == nil)
        #expect(looks == 1)
    }

    @Test func `built-in processors are distinguished by their effect`() {
        let all: [ImageProcessor] = [
            .rotate(quarterTurns: 1), .rotate(quarterTurns: 2), .rotate(byDegrees: 1),
            .flip(.vertical), .flip(.horizontal), .crop(to: PixelSize(width: 1, height: 2)),
            .crop(to: PixelRect(x: 0, y: 0, width: 1, height: 2)),
            .resize(to: PixelSize(width: 1, height: 2)),
            .resize(to: PixelSize(width: 1, height: 2), mode: .fill), .blur(sigma: 1),
            .blur(sigma: 2), .roundCorners(radius: 1), .roundCorners(radius: 2),
            .tint(ImageProcessor.Color(red: 1, green: 2, blue: 3)),
            .tint(ImageProcessor.Color(red: 1, green: 2, blue: 3, alpha: 4)),
            .tint(ImageProcessor.Color(red: 1, green: 2, blue: 3), mode: .over),
        ]

        #expect(Set(all.map(\.identifier)).count == all.count)
    }
}

/// The light of a coded value of sRGB, on a scale of 0 to 255.
enum Light {
    static func of(_ code: UInt8) -> Double {
        let value = Double(code) / 255
        return 255 * (value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4))
    }
}
