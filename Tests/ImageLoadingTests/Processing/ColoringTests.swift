import Decoders
import ImageLoading
import Testing

struct ColoringTests {
    private let values = ProcessedPicture(6, 1) { x, _ in [0, 1, 77, 128, 200, 255][x] }

    // The results of Pillow 13.0.0: ImageChops.multiply, and Image.alpha_composite.
    @Test(arguments: [
        (255 as UInt8, ImageProcessor.TintMode.multiply, [0, 0, 54, 90, 141, 180]),
        (100, .over, [71, 71, 117, 148, 192, 226]),
        (255, .over, [180, 180, 180, 180, 180, 180]),
        (0, .multiply, [0, 1, 77, 128, 200, 255]),
    ])
    func `a tint mixes a color with the image as other programs do`(
        alpha: UInt8,
        mode: ImageProcessor.TintMode,
        expected: [Int]
    ) throws {
        let color = ImageProcessor.Color(red: 180, green: 180, blue: 180, alpha: alpha)

        let image = try #require(values.processed(by: .tint(color, mode: mode)))

        #expect(zip(image.channel(), expected).allSatisfy { abs(Int($0) - $1) <= 1 })
        #expect(image.channel(1) == image.channel() && image.channel(2) == image.channel())
        #expect(Set(image.channel(3)) == [255])
    }

    @Test func `a tint keeps the shape of an icon`() throws {
        let icon = ProcessedPicture(2, 1, hasAlpha: true) { x, _ in [0, 0, 0, x == 0 ? 0 : 99] }
        let color = ImageProcessor.Color(red: 1, green: 2, blue: 3)

        let image = try #require(icon.processed(by: .tint(color, mode: .over)))

        #expect(image.pixel(0, 0)[3] == 0)
        #expect(image.pixel(1, 0) == [1, 2, 3, 99])
    }

    @Test func `rounded corners cut off the area outside a quarter circle`() throws {
        let plain = ProcessedPicture(40, 30) { _, _ in 200 }

        let image = try #require(plain.processed(by: .roundCorners(radius: 10)))

        #expect(image.pixels.hasAlpha)
        #expect(image.pixel(0, 0) == [200, 200, 200, 0])
        #expect(image.pixel(9, 0)[3] > 240)
        #expect(image.pixel(20, 0)[3] == 255 && image.pixel(0, 15)[3] == 255)
        // Each corner loses (1 - pi/4) of its square.
        let missing = image.channel(3).reduce(0) { $0 + 1 - Double($1) / 255 }
        #expect(abs(missing - 4 * 100 * (1 - .pi / 4)) < 2)
        // All four corners are alike.
        #expect(image.processed(by: .flip(.horizontal)) == image)
        #expect(image.processed(by: .flip(.vertical)) == image)
    }

    @Test(arguments: [15, 1e9, .infinity])
    func `the largest radius makes a circle of a square`(radius: Double) throws {
        let square = ProcessedPicture(30, 30) { _, _ in 200 }

        let image = try #require(square.processed(by: .roundCorners(radius: radius)))

        let area = image.channel(3).reduce(0) { $0 + Double($1) / 255 }
        #expect(abs(area - .pi * 225) < 3)
    }

    @Test(arguments: [0, -3, .nan])
    func `without a radius nothing changes`(radius: Double) {
        #expect(values.processed(by: .roundCorners(radius: radius)) == values.image)
    }
}

extension DecodedImage {
    fileprivate func processed(by processor: ImageProcessor) -> DecodedImage? {
        processor.process(self) { false }
    }
}
