import Decoders
@testable import GalleryCore
import Testing

/// The expected figures were computed by scikit-image 0.26 from the same formulas.
@Suite struct ImageComparisonTests {
    private typealias Pixel = (red: Int, green: Int, blue: Int, alpha: Int)

    private func image(
        _ width: Int,
        _ height: Int,
        _ pixel: (Int, Int) -> Pixel
    ) -> PixelBuffer {
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let pixel = pixel(x, y)
                bytes += [pixel.red, pixel.green, pixel.blue, pixel.alpha].map(UInt8.init)
            }
        }
        let size = PixelSize(width: width, height: height)
        return PixelBuffer(size: size, bytes: bytes, hasAlpha: true)
    }

    private func base(_ x: Int, _ y: Int) -> Pixel {
        (x * 7 % 256, y * 5 % 256, (x * 3 + y * 2) % 256, 255)
    }

    private func noisy(_ x: Int, _ y: Int) -> Pixel {
        let (pixel, noise) = (base(x, y), (x * 37 + y * 91) % 41)
        let (red, green) = (min(255, pixel.red + noise), max(0, pixel.green - noise))
        return (red, green, pixel.blue, 255)
    }

    private func partlyInverted(_ x: Int, _ y: Int) -> Pixel {
        let pixel = base(x, y)
        guard (20..<40).contains(x), (10..<30).contains(y) else { return pixel }
        return (255 - pixel.red, 255 - pixel.green, 255 - pixel.blue, 255)
    }

    private func transparent(_ x: Int, _ y: Int) -> Pixel {
        let pixel = base(x, y)
        return (pixel.red, pixel.green, pixel.blue, (x * 4 + y) % 256)
    }

    private typealias Figures = (changed: Int, mean: Double, high: Double, similarity: Double?)

    private func expect(
        _ width: Int,
        _ height: Int,
        _ pixel: (Int, Int) -> Pixel,
        _ expected: Figures,
        _ location: SourceLocation = #_sourceLocation
    ) {
        let found = ImageComparison(image(width, height, base), image(width, height, pixel))
        let isNear = { (one: Double, other: Double) in abs(one - other) < 0.001 }
        #expect(
            found.changedPixelCount == expected.changed
                && isNear(found.meanColorDifference, expected.mean)
                && isNear(found.highColorDifference, expected.high)
                && (found.structuralSimilarity == nil) == (expected.similarity == nil)
                && isNear(found.structuralSimilarity ?? 0, expected.similarity ?? 0),
            "\(found)",
            sourceLocation: location
        )
    }

    @Test func `noise, a changed area and a shift have the figures of scikit-image`() {
        expect(60, 45, noisy, (2634, 8.787290, 36.233636, 0.738375))
        expect(60, 45, partlyInverted, (400, 8.590059, 79.136096, 0.647918))
        expect(60, 45, { base($0 + 1, $1) }, (2700, 2.554420, 47.609632, 0.956305))
    }

    @Test func `an image of several tiles has the figures of scikit-image`() {
        expect(300, 90, noisy, (26_340, 7.849610, 31.410558, 0.758332))
    }

    @Test func `transparent pixels are compared on white`() {
        expect(60, 45, transparent, (2693, 23.695143, 88.397817, 0.589956))
    }

    @Test func `an image of 11 pixels has one window, and a smaller one has no similarity`() {
        expect(11, 11, noisy, (116, 13.967043, 41.504789, 0.635884))
        expect(10, 40, noisy, (391, 11.935657, 41.133952, nil))
    }

    @Test func `equal images have no changed pixels and the similarity 1`() {
        let found = ImageComparison(image(20, 20, base), image(20, 20, base))

        #expect(found.changedPixelCount == 0 && found.changedShare == 0)
        #expect(found.meanColorDifference == 0 && found.highColorDifference == 0)
        #expect(found.structuralSimilarity == 1)
        let small = ImageComparison(image(2, 2, base), image(2, 2, base))
        #expect(small.structuralSimilarity == nil)
    }

    @Test func `a difference in alpha alone is a changed pixel, even if invisible on white`() {
        let white = image(12, 12) { _, _ in (255, 255, 255, 255) }
        let clear = image(12, 12) { x, _ in (255, 255, 255, x == 0 ? 0 : 255) }

        let found = ImageComparison(white, clear)

        #expect(found.changedPixelCount == 12 && abs(found.changedShare - 1 / 12) < 1e-9)
        #expect(found.meanColorDifference == 0 && found.structuralSimilarity == 1)
    }

    @Test func `the percentile lies between the two nearest pixels`() {
        // Of 101 pixels, the one with rank 99 is equal, and the last one differs.
        let black = image(101, 1) { _, _ in (0, 0, 0, 255) }
        let last = image(101, 1) { x, _ in x == 100 ? (255, 255, 255, 255) : (0, 0, 0, 255) }
        #expect(ImageComparison(black, last).highColorDifference == 0)

        // Of 51 pixels, the percentile is in the middle between the last two.
        let short = image(51, 1) { _, _ in (0, 0, 0, 255) }
        let shortLast = image(51, 1) { x, _ in x == 50 ? (255, 255, 255, 255) : (0, 0, 0, 255) }
        #expect(abs(ImageComparison(short, shortLast).highColorDifference - 50) < 0.001)
    }

    @Test func `an image without pixels has no differences`() {
        let empty = image(0, 0, base)
        #expect(ImageComparison(empty, empty).changedShare == 0)
    }
}
