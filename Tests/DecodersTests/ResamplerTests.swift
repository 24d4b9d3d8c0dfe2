import Testing

@testable import Decoders

@Suite struct ResamplerTests {
    @Test(arguments: [
        (64, 48, 8, 6), (64, 48, 7, 5), (100, 3, 9, 2), (5, 100, 1, 30), (33, 17, 33, 4),
        (10, 10, 9, 9), (7, 5, 20, 13), (3, 3, 6, 6), (1, 1, 5, 4), (40, 30, 1, 1),
    ])
    func `equals the exact area average within one level`(
        width: Int,
        height: Int,
        columns: Int,
        rows: Int
    ) {
        for hasAlpha in [false, true] {
            let source = noise(width: width, height: height, hasAlpha: hasAlpha, seed: 7)
            let size = PixelSize(width: columns, height: rows)

            let result = source.resampled(to: size)

            let reference = ReferenceResampler.resample(source, to: size)
            #expect(result.size == size)
            #expect(result.maximumDifference(from: reference) <= 1, "alpha: \(hasAlpha)")
        }
    }

    @Test func `a pixel on a border counts by its share in both cells`() {
        let source = PixelBuffer(width: 3, height: 1) { x, _ in
            x == 1 ? Pixel(255, 255, 255) : Pixel(0, 0, 0)
        }

        let result = source.resampled(to: PixelSize(width: 2, height: 1))

        // A third of white light in each half: coded 156, not 85.
        #expect(result[0, 0] == Pixel(156, 156, 156))
        #expect(result[1, 0] == result[0, 0])
    }

    @Test func `a check of black and white averages to half the light`() {
        let source = PixelBuffer(width: 16, height: 16) { x, y in
            (x + y).isMultiple(of: 2) ? Pixel(255, 255, 255) : Pixel(0, 0, 0)
        }

        let result = source.resampled(to: PixelSize(width: 1, height: 1))

        #expect(result[0, 0] == Pixel(188, 188, 188))
    }

    @Test func `every level survives when all pixels have it`() {
        for level in UInt8.min...UInt8.max {
            let source = PixelBuffer(width: 9, height: 7) { _, _ in Pixel(level, level, level) }

            let result = source.resampled(to: PixelSize(width: 4, height: 3))

            #expect(result.bytes == PixelBuffer(width: 4, height: 3) { _, _ in source[0, 0] }.bytes)
        }
    }

    @Test func `the light of the whole picture is kept`() {
        let source = noise(width: 61, height: 47, hasAlpha: false, seed: 3)

        let direct = source.resampled(to: PixelSize(width: 1, height: 1))
        let stepwise = source.resampled(to: PixelSize(width: 13, height: 11))
            .resampled(to: PixelSize(width: 1, height: 1))

        #expect(direct.maximumDifference(from: stepwise) <= 1)
    }

    @Test func `transparent red beside opaque blue gives no purple`() {
        let source = PixelBuffer(width: 2, height: 1) { x, _ in
            x == 0 ? Pixel(255, 0, 0, 0) : Pixel(0, 0, 255)
        }

        let result = source.resampled(to: PixelSize(width: 1, height: 1))

        #expect(result[0, 0] == Pixel(0, 0, 255, 128))
    }

    @Test func `enlarging by a whole factor repeats pixels`() {
        let source = noise(width: 3, height: 2, hasAlpha: true, seed: 1)

        let result = source.resampled(to: PixelSize(width: 12, height: 6))

        for y in 0..<6 {
            for x in 0..<12 where source[x / 4, y / 3].alpha > 0 {
                #expect(result[x, y] == source[x / 4, y / 3])
            }
        }
    }

    @Test(arguments: [(8, 8, 4, 4), (5, 7, 5, 7), (19, 21, 3, 2)])
    func `samples that stand for several pixels are weighed by how many`(
        width: Int,
        height: Int,
        columns: Int,
        rows: Int
    ) {
        // Given samples of 4×4 pixels, the last ones of fewer.
        let step = 4
        let samples = noise(
            width: (width + step - 1) / step,
            height: (height + step - 1) / step,
            hasAlpha: false,
            seed: 5
        )
        let full = PixelBuffer(width: width, height: height) { samples[$0 / step, $1 / step] }
        let target = PixelSize(width: columns, height: rows)

        var resampler = Resampler(
            source: full.size,
            step: step,
            target: target,
            hasAlpha: false
        )
        for row in 0..<samples.size.height {
            let start = row * samples.size.width * 4
            Array(samples.bytes[start..<start + samples.size.width * 4]).withUnsafeBytes {
                resampler.add($0)
            }
        }

        #expect(resampler.finish() == full.resampled(to: target))
    }
}
