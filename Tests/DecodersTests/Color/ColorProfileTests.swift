import Testing

@testable import Decoders

@Suite struct ColorProfileTests {
    private static let kinds: [(name: String, file: ICCFile, light: @Sendable (Double) -> Double)] =
        [
            ("Display P3", .displayP3, { ColorReference.sRGBLight($0) }),
            ("Adobe RGB", .adobeRGB, { Power.of($0, 563.0 / 256) }),
        ]

    private static let colorants = [KnownColorants.displayP3, KnownColorants.adobeRGB]

    private func converted(_ pixels: PixelBuffer, _ profile: ColorProfile) -> PixelBuffer? {
        guard let conversion = ColorConversion(from: profile) else { return nil }
        var bytes = pixels.bytes
        bytes.withUnsafeMutableBufferPointer { conversion.convert($0) }
        return PixelBuffer(size: pixels.size, bytes: bytes, hasAlpha: pixels.hasAlpha)
    }

    @Test(arguments: kinds.indices)
    func `colors of wider spaces are converted to sRGB as their definitions require`(
        kind: Int
    ) throws {
        let (name, file, light) = Self.kinds[kind]
        let profile = try #require(ColorProfile(file.encoded()))
        let pixels = noise(width: 50, height: 50, hasAlpha: true, seed: 3)

        let result = try #require(converted(pixels, profile))

        var differing = 0
        for index in 0..<2_500 {
            let (pixel, stored) = (
                result[index % 50, index / 50], pixels[index % 50, index / 50]
            )
            let reference = ColorReference.sRGB(
                stored,
                colorants: Self.colorants[kind],
                light: light
            )
            #expect(pixel.isClose(to: reference, tolerance: 1), "\(name) \(stored): \(pixel)")
            if pixel != reference { differing += 1 }
        }
        // The profile contains 16-bit numbers, and results are rounded.
        #expect(differing < 50, "\(name): \(differing)")
    }

    @Test func `known Display P3 and Adobe RGB colors are converted as in other programs`() throws {
        // Computed with lcms, relative colorimetric, from and to these profiles.
        let table: [(file: ICCFile, stored: Pixel, expected: Pixel)] = [
            (.displayP3, Pixel(255, 0, 0), Pixel(255, 0, 0)),
            (.displayP3, Pixel(200, 100, 50), Pixel(215, 93, 31)),
            (.displayP3, Pixel(10, 20, 30), Pixel(7, 20, 31)),
            (.displayP3, Pixel(30, 180, 220), Pixel(0, 183, 225)),
            (.displayP3, Pixel(128, 128, 128), Pixel(128, 128, 128)),
            (.displayP3, Pixel(255, 255, 255), Pixel(255, 255, 255)),
            (.adobeRGB, Pixel(0, 255, 0), Pixel(0, 255, 0)),
            (.adobeRGB, Pixel(200, 100, 50), Pixel(227, 100, 42)),
            (.adobeRGB, Pixel(128, 128, 128), Pixel(129, 129, 129)),
            (.adobeRGB, Pixel(30, 180, 220), Pixel(0, 181, 222)),
        ]
        for (file, stored, expected) in table {
            let profile = try #require(ColorProfile(file.encoded()))
            let pixels = PixelBuffer(width: 1, height: 1) { _, _ in stored }

            let pixel = try #require(converted(pixels, profile))[0, 0]

            #expect(pixel.isClose(to: expected, tolerance: 1), "\(stored): \(pixel)")
        }
    }

    // MARK: - sRGB

    /// The sRGB curve as samples.
    private static func samples(_ count: Int) -> [UInt8] {
        ICCFile.samples(
            (0..<count).map { index in
                let light = ColorReference.sRGBLight(Double(index) / Double(count - 1))
                return Int((light * 65535).rounded())
            }
        )
    }

    @Test(arguments: [nil, 256, 1024, 4096])
    func `any spelling of sRGB needs no conversion`(sampleCount: Int?) throws {
        let curve = sampleCount.map(Self.samples) ?? ICCFile.sRGBCurve
        let file = ICCFile(colorants: KnownColorants.sRGB, curve: curve)
        let profile = try #require(ColorProfile(file.encoded()))

        #expect(ColorConversion(from: profile) == nil)
    }

    @Test func `sRGB primaries with another curve need a conversion`() throws {
        let file = ICCFile(colorants: KnownColorants.sRGB, curve: ICCFile.samples([563]))
        let profile = try #require(ColorProfile(file.encoded()))

        #expect(ColorConversion(from: profile) != nil)
    }

    // MARK: - Curves

    @Test(arguments: [false, true])
    func `each channel has its own curve, shared or not`(isShared: Bool) throws {
        var file = ICCFile.displayP3
        file.sharesData = isShared
        for index in 3..<6 where !isShared || index == 5 {
            file.tags[index].data = ICCFile.samples([256 * (index - 1)])
        }

        let curves = try #require(ColorProfile(file.encoded())).curves

        let shared = ToneCurve(BigEndianBytes(bytes: ICCFile.sRGBCurve), at: 0)
        #expect(
            curves == (isShared ? [shared, shared, .power(4)] : [.power(2), .power(3), .power(4)])
        )
    }

    @Test func `each kind of curve gives the light that its definition requires`() throws {
        let curves: [(data: [UInt8], value: Double, light: Double)] = [
            (ICCFile.samples([]), 0.3, 0.3),
            (ICCFile.samples([512]), 0.5, 0.25),
            (ICCFile.samples([0, 32_768, 65_535]), 0.25, 0.25),
            (ICCFile.samples([0, 6_554, 65_535]), 0.75, 0.55),
            (ICCFile.formula(0, [2]), 0.5, 0.25),
            (ICCFile.formula(1, [2, 2, -1]), 0.75, 0.25),
            (ICCFile.formula(1, [2, 2, -1]), 0.25, 0),
            (ICCFile.formula(2, [2, 2, -1, 0.125]), 0.75, 0.375),
            (ICCFile.formula(2, [2, 2, -1, 0.125]), 0.25, 0.125),
            (ICCFile.formula(3, [2, 1, 0, 0.5, 0.25]), 0.5, 0.25),
            (ICCFile.formula(3, [2, 1, 0, 0.5, 0.25]), 0.125, 0.0625),
            (ICCFile.formula(4, [2, 1, 0, 0.5, 0.25, 0.125, 0.0625]), 0.5, 0.375),
            (ICCFile.formula(4, [2, 1, 0, 0.5, 0.25, 0.125, 0.0625]), 0.125, 0.125),
            // Invalid curves.
            (ICCFile.formula(4, [2, 1, 0, 0, 0, 9, 0]), 0.5, 1),
            (ICCFile.formula(4, [2.5, 1, -9, 0, 0, 0, 0]), 0.5, 0),
        ]
        for (data, value, light) in curves {
            let curve = try #require(ToneCurve(BigEndianBytes(bytes: data), at: 0))

            #expect(abs(curve.light(of: value) - light) < 1e-4, "\(curve) at \(value)")
        }
    }

    @Test(arguments: [
        ICCFile.samples([0]), ICCFile.formula(0, [0]), ICCFile.formula(0, [-2]),
        ICCFile.formula(1, [2, 0, 1]), ICCFile.formula(5, [2, 1, 0, 0, 0, 0, 0]),
        Array(ICCFile.samples([1, 2, 3, 4]).dropLast(1)),
        Array(ICCFile.formula(3, [2]).dropLast(1)),
        Array("curv\0\0\0\0\u{7F}\u{7F}\u{7F}\u{7F}ab".utf8), Array("mft2".utf8), [],
    ])
    func `a damaged or missing curve is rejected`(data: [UInt8]) {
        #expect(ToneCurve(BigEndianBytes(bytes: data), at: 0) == nil)
        #expect(ToneCurve(BigEndianBytes(bytes: data), at: .max - 1 << 33) == nil)
    }

    // MARK: - Damage

    @Test func `profiles with another structure are rejected`() {
        var gray = ICCFile.displayP3
        gray.space = "GRAY"
        var inks = ICCFile.displayP3
        inks.space = "CMYK"
        var lab = ICCFile.displayP3
        lab.connection = "Lab "
        let tinted = ICCFile(
            colorants: KnownColorants.sRGB.map { [$0[0], $0[1], $0[2] * 1.32] },
            curve: ICCFile.sRGBCurve
        )

        let excessive = ICCFile(
            colorants: [[9, 0, 0], [0, 1, 0], [0.9642 - 9, 0, 0.8249]],
            curve: ICCFile.sRGBCurve
        )

        for file in [gray, inks, lab, tinted, excessive] {
            #expect(ColorProfile(file.encoded()) == nil)
        }
        for index in 0..<6 {
            var file = ICCFile.displayP3
            file.tags.remove(at: index)
            #expect(ColorProfile(file.encoded()) == nil)
        }
    }

    @Test func `colors far outside sRGB are clipped, not wrapped around`() throws {
        let lights = [[1.9, -1.9, -1.9], [-1.9, 1.9, 1.9], [0.9642, 1, 0.8249]]
        let file = ICCFile(colorants: lights, curve: ICCFile.sRGBCurve)
        let profile = try #require(ColorProfile(file.encoded()))
        let pixels = noise(width: 40, height: 40, hasAlpha: false, seed: 6)

        let result = try #require(converted(pixels, profile))

        for index in 0..<1600 {
            let (x, y) = (index % 40, index / 40)
            let reference = ColorReference.sRGB(
                pixels[x, y],
                colorants: lights,
                light: ColorReference.sRGBLight
            )
            #expect(result[x, y].isClose(to: reference, tolerance: 1), "\(pixels[x, y])")
        }
    }

    @Test func `a profile cut at any byte is rejected`() {
        let bytes = ICCFile.displayP3.encoded()

        for count in 0..<bytes.count {
            #expect(ColorProfile(Array(bytes.prefix(count))) == nil, "\(count)")
        }
    }

    @Test func `any bytes are read without a trap`() {
        let files = [ICCFile.displayP3.encoded(), ICCFile.adobeRGB.encoded()]
        var pixels = [UInt8](0...255)
        var acceptedCount = 0
        for seed in UInt64(0)..<1_000 {
            var generator = SeededGenerator(seed: seed)
            var bytes = files[Int(seed % 2)]
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                bytes[Int.random(in: 128..<bytes.count, using: &generator)] =
                    UInt8.random(in: 0...255, using: &generator)
            }

            guard let profile = ColorProfile(bytes),
                let conversion = ColorConversion(from: profile)
            else { continue }
            acceptedCount += 1
            pixels.withUnsafeMutableBufferPointer { conversion.convert($0) }
        }
        #expect(acceptedCount > 100)
    }
}
