import Glibc
import Testing

@testable import Decoders

/// Color spaces that few files use, compared with the formulas of ITU-T H.273 and BT.2100.
///
/// `make-colors.py` calculates the expected values.
@Suite struct RareColorTests {
    private func color(
        of samples: [Int],
        _ chunks: [(type: String, data: [UInt8])],
        depth: Int = 8
    ) throws -> Pixel {
        var file = PNGFile(colorType: .rgb, depth: depth, width: 2, height: 2) { _, _ in samples }
        file.chunks = chunks
        return try DecoderRegistry.standard.decode(file.encoded(), options: DecodingOptions())
            .pixels[1, 1]
    }

    @Test(
        arguments: [
            ([5, 5], Pixel(191, 98, 20)), ([6, 6], Pixel(193, 114, 26)),
            ([7, 7], Pixel(203, 135, 57)), ([10, 8], Pixel(255, 107, 101)),
            ([11, 17], Pixel(210, 103, 0)),
        ] as [([UInt8], Pixel)]
    )
    func `code points of old video, XYZ and cinema are applied`(
        numbers: [UInt8],
        expected: Pixel
    ) throws {
        let pixel = try color(of: [200, 120, 40], [("cICP", numbers + [0, 1])])

        #expect(pixel.isClose(to: expected, tolerance: 1), "\(pixel)")
    }

    /// Clipped before the conversion, red would be 101.
    ///
    /// The expected colors are also those of Chromium.
    @Test(
        arguments: [
            ([144, 252, 75], Pixel(98, 255, 0)), ([153, 253, 73], Pixel(114, 255, 0)),
        ] as [([Int], Pixel)]
    )
    func `light of cinema that is brighter than white is clipped after the conversion`(
        samples: [Int],
        expected: Pixel
    ) throws {
        let pixel = try color(of: samples, [("cICP", [11, 17, 0, 1])])

        #expect(pixel.isClose(to: expected, tolerance: 1), "\(pixel)")
    }

    /// Compressed per channel, the smallest channel would be 20 to 90 levels lighter.
    @Test(
        arguments: [
            (16, [150, 110, 80], Pixel(234, 69, 28)), (16, [120, 150, 100], Pixel(0, 201, 44)),
            (18, [200, 120, 60], Pixel(230, 76, 29)), (16, [105, 105, 105], Pixel(85, 85, 85)),
            (16, [148, 148, 148], Pixel(187, 187, 187)),
            (18, [191, 191, 191], Pixel(187, 187, 187)),
        ] as [(UInt8, [Int], Pixel)],
        [8, 16]
    )
    func `a bright HDR color keeps its hue`(
        color: (transfer: UInt8, samples: [Int], expected: Pixel),
        depth: Int
    ) throws {
        let samples = color.samples.map { depth == 16 ? $0 * 257 : $0 }

        let codes = [("cICP", [9, color.transfer, 0, 1])]
        let pixel = try self.color(of: samples, codes, depth: depth)

        #expect(pixel.isClose(to: color.expected, tolerance: 1), "\(pixel)")
    }

    /// With 8 bits, the first three would be 0, 22 and 28.
    @Test(arguments: [(100, 5), (386, 18), (643, 25), (1_000, 33)])
    func `dark linear light has all levels of sRGB`(sample: Int, level: UInt8) throws {
        let samples = [sample, sample, sample]

        let pixel = try color(of: samples, [("cICP", [9, 8, 0, 1])], depth: 16)

        #expect(pixel.isClose(to: Pixel(level, level, level), tolerance: 1), "\(pixel)")
    }

    /// At the levels that decide whether a profile is similar to sRGB, this one is sRGB.
    @Test(arguments: [false, true])
    func `16-bit samples with a profile that differs from sRGB at one level are shown`(
        isInterlaced: Bool
    ) throws {
        let curve = ICCFile.samples(
            (0..<256).map { level in
                let value = Double(level == 1 ? 6 : level) / 255
                let light = value < 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
                return Int((light * 65_535).rounded())
            }
        )
        let profile = ICCFile(colorants: KnownColorants.sRGB, curve: curve).encoded()
        var file = PNGFile(colorType: .rgb, depth: 16, width: 256, height: 40) { x, y in
            [x * 257, 255 * 257, y * 257]
        }
        file.isInterlaced = isInterlaced
        file.chunks = [("iCCP", ICCParts.chunk(profile))]

        let image = try DecoderRegistry.standard.decode(file.encoded(), options: DecodingOptions())

        for x in 2..<256 {
            let expected = Pixel(UInt8(x), 255, 30)
            #expect(image.pixels[x, 30].isClose(to: expected, tolerance: 1), "\(x)")
        }
    }

    /// The maximum of the content is used before the maximum of the author's display.
    @Test(
        arguments: [
            ([("cLLI", 4_000)], [170, 150, 120], Pixel(241, 141, 72)),
            ([("mDCV", 400)], [140, 110, 90], Pixel(238, 100, 66)),
            ([("mDCV", 4_000), ("cLLI", 400)], [140, 110, 90], Pixel(238, 100, 66)),
            ([("cLLI", 150)], [140, 110, 90], Pixel(255, 112, 74)),
            // Light of up to 28 times white is not compressed, only clipped.
            ([("cLLI", 150)], [240, 180, 160], Pixel(255, 100, 244)),
            ([("cLLI", 0)], [150, 110, 80], Pixel(234, 69, 28)),
        ] as [([(String, Int)], [Int], Pixel)]
    )
    func `the peak of an HDR image decides how much it is compressed`(
        peaks: [(type: String, light: Int)],
        samples: [Int],
        expected: Pixel
    ) throws {
        let chunks = peaks.map { peak in
            let number = PNGFile.number(peak.light * 10_000)
            let other = [UInt8](repeating: 0, count: peak.type == "mDCV" ? 16 : 0)
            return (type: peak.type, data: other + number + [0, 0, 0, 0])
        }

        let pixel = try color(of: samples, [("cICP", [9, 16, 0, 1])] + chunks)

        #expect(pixel.isClose(to: expected, tolerance: 1), "\(pixel)")
    }

    private static func chromaticities(_ numbers: [Int]) -> (type: String, data: [UInt8]) {
        ("cHRM", numbers.flatMap(PNGFile.number))
    }

    /// Display P3: x and y of white, red, green and blue.
    private static let displayP3 = [
        31_270, 32_900, 68_000, 32_000, 26_500, 69_000, 15_000, 6_000,
    ]

    @Test(arguments: [
        (45_455, 8, Pixel(214, 116, 0)), (55_556, 8, Pixel(222, 135, 18)),
        (55_556, 16, Pixel(222, 135, 18)),
    ])
    func `primaries in a cHRM chunk are applied together with gamma`(
        gamma: Int,
        depth: Int,
        expected: Pixel
    ) throws {
        let samples = [200, 120, 40].map { depth == 16 ? $0 * 257 : $0 }
        let chunks = [("gAMA", PNGFile.number(gamma)), Self.chromaticities(Self.displayP3)]

        let pixel = try color(of: samples, chunks, depth: depth)

        #expect(pixel.isClose(to: expected, tolerance: 2), "\(pixel)")
    }

    @Test func `other primaries change nothing without gamma or if they are invalid`() throws {
        let gamma = ("gAMA", PNGFile.number(45_455))
        let sRGB = [31_270, 32_900, 64_000, 33_000, 30_000, 60_000, 15_000, 6_000]
        let impossible = [
            [Int](repeating: 0, count: 8), [Int](repeating: Int(UInt32.max), count: 8),
            [Int](repeating: Int(Int32.max), count: 8), [Int](repeating: 33_333, count: 8),
            [90_000, 10_000] + Self.displayP3.dropFirst(2),
            [50_000, 25_000, 100_000, 0, 0, 100_000, 0, 0], [],
        ]
        for chunks in [[Self.chromaticities(Self.displayP3)], [gamma, Self.chromaticities(sRGB)]]
            + impossible.map({ [gamma, Self.chromaticities($0)] })
        {
            let pixel = try color(of: [200, 120, 40], chunks)

            #expect(pixel == Pixel(200, 120, 40), "\(chunks)")
        }
    }

    @Test func `a matrix times its inverse changes nothing`() throws {
        let matrix = ColorMatrix([1, 2, 3], [0, 4, 5], [6, 0, 7])

        let point = try #require(matrix.inverse).applied(to: matrix.applied(to: [3, -1, 2]))

        #expect(abs(point.x - 3) + abs(point.y + 1) + abs(point.z - 2) < 1e-9)
        #expect(ColorMatrix([1, 2, 3], [2, 4, 6], [0, 0, 1]).inverse == nil)
    }
}
