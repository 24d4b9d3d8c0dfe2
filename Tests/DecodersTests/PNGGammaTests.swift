import Testing

@testable import Decoders

/// gAMA and samples of 16 bits, on libpng's path and on the fast one.
@Suite struct PNGGammaTests {
    private static let width = 256

    /// Returns a ramp through all levels of a depth, with alpha in reverse.
    private func ramp(
        _ type: PNGFile.ColorType,
        depth: Int,
        chunks: [(type: String, data: [UInt8])],
        interlaced: Bool = false
    ) -> PNGFile {
        var file = PNGFile(
            colorType: type,
            depth: depth,
            isInterlaced: interlaced,
            width: Self.width,
            height: 2
        ) { x, _ in
            let sample = Self.sample(x, depth: depth)
            let alpha = Self.sample(Self.width - 1 - x, depth: depth)
            return switch type {
            case .gray, .palette: [sample]
            case .grayAlpha: [sample, alpha]
            case .rgb: [sample, sample, sample]
            case .rgba: [sample, sample, sample, alpha]
            }
        }
        file.chunks = chunks
        return file
    }

    /// With 16 bits, the levels are between two levels of 8 bits.
    private static func sample(_ x: Int, depth: Int) -> Int {
        depth == 16 ? min(x * 257 + 100, 65_535) : x
    }

    private func decode(_ file: PNGFile) throws -> [PixelBuffer] {
        try [true, false].map { usesFastPaths in
            var options = DecodingOptions()
            options.usesFastPaths = usesFastPaths
            return try PNGDecoder().decode(file.encoded(), options: options).pixels
        }
    }

    private static let types: [PNGFile.ColorType] = [.gray, .grayAlpha, .rgb, .rgba]

    /// Samples were made with the exponent gamma / 100,000, and are shown with the sRGB curve.
    private func expected(_ x: Int, depth: Int, gamma: Int) -> Double {
        let maximum = Double(1 << depth - 1)
        let value = Double(Self.sample(x, depth: depth)) / maximum
        let light = Power.of(value, 100_000 / Double(gamma))
        let coded = light <= 0.003_130_8 ? 12.92 * light : 1.055 * Power.of(light, 1 / 2.4) - 0.055
        return coded * 255
    }

    @Test(arguments: [100_000, 55_556, 30_000, 10_000, 300_000], [8, 16])
    func `every level of any color type is converted from its gamma to the sRGB curve`(
        gamma: Int,
        depth: Int
    ) throws {
        for type in Self.types {
            let chunks = [(type: "gAMA", data: PNGFile.number(gamma))]
            for pixels in try decode(ramp(type, depth: depth, chunks: chunks)) {
                for x in 0..<Self.width {
                    let pixel = pixels[x, 1]
                    let level = expected(x, depth: depth, gamma: gamma)
                    // libpng's tables for 16 bits use only the upper 11, which matters near black.
                    // Its result is rounded before the sRGB curve is applied.
                    let tolerance = depth == 8 ? 1.0 : x == 0 ? 4 : 1.2
                    #expect(abs(Double(pixel.red) - level) <= tolerance, "\(type), \(x): \(pixel)")
                    #expect(pixel.red == pixel.green && pixel.green == pixel.blue)
                }
            }
        }
    }

    @Test(arguments: [8, 16], [false, true])
    func `gamma leaves alpha alone`(depth: Int, interlaced: Bool) throws {
        let gamma = [(type: "gAMA", data: PNGFile.number(100_000))]
        for type in [PNGFile.ColorType.grayAlpha, .rgba] {
            let plain = try decode(ramp(type, depth: depth, chunks: [], interlaced: interlaced))
            let bright = try decode(ramp(type, depth: depth, chunks: gamma, interlaced: interlaced))

            for (one, other) in zip(plain, bright) {
                #expect((0..<Self.width).allSatisfy { one[$0, 0].alpha == other[$0, 0].alpha })
                #expect(one != other)
            }
        }
    }

    @Test(arguments: [
        PNGFile.number(45_455), PNGFile.number(45_000), PNGFile.number(47_000),
        // Absurd, forbidden, or no number at all.
        PNGFile.number(0), PNGFile.number(1), PNGFile.number(9_999), PNGFile.number(300_001),
        PNGFile.number(Int(Int32.max)), PNGFile.number(Int(UInt32.max)), [], [0],
        [0, 1, 0x86, 0xA0, 0],
    ])
    func `a gamma near sRGB's and an invalid gamma change nothing`(data: [UInt8]) throws {
        for depth in [8, 16] {
            for type in [PNGFile.ColorType.gray, .rgba] {
                let chunks = [(type: "gAMA", data: data)]
                let plain = try decode(ramp(type, depth: depth, chunks: []))

                #expect(try decode(ramp(type, depth: depth, chunks: chunks)) == plain)
            }
        }
    }

    @Test func `gamma after the pixels is ignored`() throws {
        var file = ramp(.rgb, depth: 8, chunks: [])
        let plain = try decode(file)
        file.lateChunks = [("gAMA", PNGFile.number(100_000))]

        #expect(try decode(file) == plain)
    }

    @Test func `gamma changes the colors of a palette`() throws {
        let levels = (UInt8.min...UInt8.max).flatMap { [$0, $0, $0] }
        let chunks = [("gAMA", PNGFile.number(100_000)), ("PLTE", levels)]

        for pixels in try decode(ramp(.palette, depth: 8, chunks: chunks)) {
            for x in 0..<Self.width {
                let level = expected(x, depth: 8, gamma: 100_000)
                #expect(abs(Double(pixels[x, 0].red) - level) <= 1, "\(x)")
            }
        }
    }

    @Test(arguments: [false, true])
    func `16-bit samples are rounded, not truncated`(interlaced: Bool) throws {
        for type in Self.types {
            for pixels in try decode(ramp(type, depth: 16, chunks: [], interlaced: interlaced)) {
                for x in 0..<Self.width {
                    let level = (Self.sample(x, depth: 16) * 255 + 32_767) / 65_535
                    #expect(Int(pixels[x, 0].red) == level, "\(type), \(x)")
                }
            }
        }
    }

    @Test func `a thumbnail averages light, not sample values`() throws {
        // Black and white rows of linear light: half the light is level 188 of sRGB.
        for depth in [8, 16] {
            var file = PNGFile(colorType: .rgb, depth: depth, width: 16, height: 16) { _, y in
                Array(repeating: y % 2 == 0 ? 0 : 1 << depth - 1, count: 3)
            }
            file.chunks = [("gAMA", PNGFile.number(100_000))]
            let options = DecodingOptions(targetSize: PixelSize(width: 4, height: 4))

            let pixels = try PNGDecoder().decode(file.encoded(), options: options).pixels

            #expect(pixels[1, 1].isClose(to: Pixel(188, 188, 188), tolerance: 1))
        }
    }
}
