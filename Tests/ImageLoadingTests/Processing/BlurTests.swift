import Decoders
import ImageLoading
import Testing

struct BlurTests {
    // Rows 0, 3 and 6 of the results of ImageFilter.GaussianBlur in Pillow 13.0.0, which also
    // averages three times, for light of 0 or 255.
    private static let expected: [(sigma: Double, rows: [[Double]])] = [
        (
            0.6,
            [
                [0, 0, 0, 2, 3, 3, 3, 3, 2, 0, 0, 0, 0, 0, 0, 0],
                [0, 3, 38, 215, 249, 252, 252, 249, 215, 38, 3, 0, 0, 0, 0, 0],
                [0, 3, 32, 184, 215, 217, 217, 215, 184, 32, 3, 0, 0, 0, 0, 0],
            ]
        ),
        (
            1.5,
            [
                [2, 9, 19, 32, 43, 49, 49, 43, 32, 19, 9, 2, 0, 0, 0, 0],
                [10, 34, 80, 132, 178, 202, 202, 178, 132, 80, 34, 10, 1, 0, 0, 0],
                [8, 27, 64, 106, 142, 161, 161, 142, 106, 64, 27, 8, 1, 0, 0, 0],
            ]
        ),
        (
            4,
            [
                [43, 48, 52, 56, 60, 62, 61, 58, 53, 46, 38, 30, 23, 16, 11, 7],
                [48, 52, 57, 62, 66, 68, 67, 64, 58, 51, 42, 33, 25, 17, 12, 8],
                [50, 55, 60, 65, 69, 71, 71, 67, 61, 54, 45, 35, 26, 18, 12, 8],
            ]
        ),
    ]

    @Test(arguments: BlurTests.expected)
    func `a blur spreads light as another implementation does`(
        sigma: Double,
        rows: [[Double]]
    ) throws {
        let box = ProcessedPicture(16, 8) { x, y in
            (3..<9).contains(x) && (2..<7).contains(y) ? 255 : 0
        }

        let image = try #require(box.processed(by: .blur(sigma: sigma)))

        for (expected, y) in zip(rows, [0, 3, 6]) {
            for x in 0..<16 {
                let light = Light.of(image.pixel(x, y)[0])
                // Both implementations round, and Pillow does so after each average.
                #expect(abs(light - expected[x]) < 2, "\(x), \(y): \(light)")
            }
        }
    }

    @Test(arguments: [0.3, 1, 7, 200, 1e9])
    func `an even image stays as it is`(sigma: Double) {
        let even = ProcessedPicture(31, 17, hasAlpha: true) { _, _ in [10, 100, 200, 77] }

        #expect(even.processed(by: .blur(sigma: sigma))?.pixels == even.image.pixels)
    }

    @Test(arguments: [0, -1, .nan, .infinity])
    func `an invalid sigma changes nothing`(sigma: Double) {
        let dot = ProcessedPicture(3, 3) { x, y in x * y == 1 ? 255 : 0 }

        #expect(dot.processed(by: .blur(sigma: sigma)) == dot.image)
    }

    @Test func `transparent pixels lend no color to their neighbors`() throws {
        let edge = ProcessedPicture(12, 3, hasAlpha: true) { x, _ in
            x < 6 ? [200, 50, 25, 255] : [0, 255, 0, 0]
        }

        let image = try #require(edge.processed(by: .blur(sigma: 2)))

        for x in 0..<12 {
            let pixel = image.pixel(x, 1)
            guard pixel[3] > 8 else { continue }
            #expect(zip(pixel, [200, 50, 25]).allSatisfy { abs(Int($0) - $1) <= 2 }, "\(pixel)")
        }
        #expect(image.pixel(0, 1)[3] == 255)
        #expect((90...165).contains(image.pixel(5, 1)[3]))
    }

    @Test func `a blur keeps the light of an image whose edges are dark`() throws {
        let dots = ProcessedPicture(90, 70) { x, y in x == 44 && (30..<40).contains(y) ? 255 : 0 }

        let image = try #require(dots.processed(by: .blur(sigma: 3)))

        let light = image.channel().reduce(0) { $0 + Light.of($1) }
        #expect(abs(light / 2550 - 1) < 0.02)
    }
}
