@testable import Decoders
import Testing

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

    @Test(arguments: [(40, 37, 3, 2), (33, 64, 5, 7), (9, 50, 9, 1), (30, 30, 2, 30)])
    func `rows added together and one by one give the same sums`(
        width: Int,
        height: Int,
        columns: Int,
        rows: Int
    ) {
        for hasAlpha in [false, true] {
            var source = noise(width: width, height: height, hasAlpha: hasAlpha, seed: 21)
            // Every third row is opaque.
            source = PixelBuffer(width: width, height: height) { x, y in
                var pixel = source[x, y]
                if y.isMultiple(of: 3) { pixel.alpha = 255 }
                return pixel
            }
            let target = PixelSize(width: columns, height: rows)
            var resampler = Resampler(
                Sampling(source: source.size, step: 1),
                target: target,
                hasAlpha: hasAlpha
            )
            for row in 0..<height {
                Array(source.bytes[row * width * 4..<(row + 1) * width * 4]).withUnsafeBytes {
                    resampler.add($0)
                }
            }

            #expect(resampler.finish().bytes == source.resampled(to: target).bytes)
        }
    }

    @Test func `the table has the nearest code for each of the 65536 levels of light`() {
        #expect(SRGBTransfer.coded.map(Int.init) == (0...65535).map(SRGBTransfer.code))
    }

    @Test(arguments: [(16, 4), (17, 4), (19, 4), (20, 2), (21, 2), (5, 4), (4, 4)])
    func `pixels sampled from a gradient keep their position`(length: Int, step: Int) {
        // Given a slope of light of which every `step`th pixel is kept.
        let count = (length + step - 1) / step
        let light = { (x: Int) in UInt8(SRGBTransfer.code(of: 65535 * x / length)) }
        let samples = PixelBuffer(width: count, height: 1) { x, _ in
            Pixel(light(x * step), 0, 0)
        }
        let full = PixelBuffer(width: length, height: 1) { x, _ in Pixel(light(x), 0, 0) }

        var resampler = Resampler(
            Sampling(source: full.size, step: step, isPoint: true),
            target: PixelSize(width: 2, height: 1),
            hasAlpha: false
        )
        samples.bytes.withUnsafeBytes { resampler.add($0) }
        let picked = resampler.finish()

        // Then the halves weight the samples by the nearest pixels.
        for (cell, range) in [(0, 0..<length), (1, length..<2 * length)] {
            let nearest = range.map { unit -> Int in
                // Half pixels: those of pixel 0 are 0 and 1.
                let index = min(count - 1, (unit + step - 1) / (2 * step))
                return Int(SRGBTransfer.linear[Int(samples[index, 0].red)])
            }
            let mean = Double(nearest.reduce(0, +)) / Double(length)
            #expect(Int(picked[cell, 0].red) == SRGBTransfer.code(of: Int(mean.rounded())))
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

    @Test func `a black and white checkerboard averages to half the light`() {
        let source = PixelBuffer(width: 16, height: 16) { x, y in
            (x + y).isMultiple(of: 2) ? Pixel(255, 255, 255) : Pixel(0, 0, 0)
        }

        let result = source.resampled(to: PixelSize(width: 1, height: 1))

        #expect(result[0, 0] == Pixel(188, 188, 188))
    }

    @Test func `an image of one level keeps this level`() {
        for level in UInt8.min...UInt8.max {
            let source = PixelBuffer(width: 9, height: 7) { _, _ in Pixel(level, level, level) }

            let result = source.resampled(to: PixelSize(width: 4, height: 3))

            #expect(result.bytes == PixelBuffer(width: 4, height: 3) { _, _ in source[0, 0] }.bytes)
        }
    }

    @Test func `the total light of the image is preserved`() {
        let source = noise(width: 61, height: 47, hasAlpha: false, seed: 3)

        let direct = source.resampled(to: PixelSize(width: 1, height: 1))
        let stepwise = source.resampled(to: PixelSize(width: 13, height: 11))
            .resampled(to: PixelSize(width: 1, height: 1))

        #expect(direct.maximumDifference(from: stepwise) <= 1)
    }

    @Test func `transparent red next to opaque blue gives no purple`() {
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
    func `samples that represent several pixels are weighted by their number`(
        width: Int,
        height: Int,
        columns: Int,
        rows: Int
    ) {
        // Given samples of 4×4 pixels, and smaller ones at the edges.
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
            Sampling(source: full.size, step: step),
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

@Suite struct CropTests {
    private let source = noise(width: 12, height: 9, hasAlpha: false, seed: 2)

    @Test func `a crop at its own size gives the pixels inside`() {
        let result = source.resampled(
            to: PixelSize(width: 5, height: 4),
            from: PixelRect(x: 3, y: 2, width: 5, height: 4)
        )

        #expect(result == PixelBuffer(width: 5, height: 4) { source[$0 + 3, $1 + 2] })
    }

    @Test func `a crop beyond the edges is clipped to them`() {
        let result = source.resampled(
            to: PixelSize(width: 4, height: 3),
            from: PixelRect(x: 8, y: 6, width: 100, height: 100)
        )

        #expect(result == PixelBuffer(width: 4, height: 3) { source[$0 + 8, $1 + 6] })
    }

    @Test(arguments: [
        PixelRect(x: 50, y: 0, width: 3, height: 3), PixelRect(x: 0, y: 0, width: 0, height: 3),
        PixelRect(x: 0, y: 0, width: -4, height: 3), PixelRect(x: -9, y: 0, width: 3, height: 3),
        PixelRect(x: .max, y: .max, width: .max, height: .max),
        PixelRect(x: .min, y: .min, width: .max, height: .max),
    ])
    func `a crop outside the image is transparent`(crop: PixelRect) {
        let result = source.resampled(to: PixelSize(width: 2, height: 2), from: crop)

        #expect(result.bytes == Array(repeating: 0, count: 16))
        #expect(result.hasAlpha)
    }

    @Test func `a crop larger than the largest number is the whole image`() {
        let crop = PixelRect(x: 0, y: 0, width: .max, height: .max)

        #expect(source.resampled(to: source.size, from: crop) == source)
    }

    @Test func `an empty target has no pixels`() {
        #expect(source.resampled(to: PixelSize(width: 0, height: 5)).bytes.isEmpty)
    }
}
