/// Converts pixels from a profile's color space to sRGB.
///
/// The conversion linearizes the samples with a table, multiplies them by a matrix, clips the
/// result to sRGB, and encodes it with a table.
///
/// An image of 8 bits is reduced before it is converted, so its pixels are averaged with the sRGB
/// curve instead of the profile's curve. Display P3 has the sRGB curve, so the result is exact. For
/// Adobe RGB, which has an exponent of 2.2, the average of black and white is off by up to 8
/// levels, and the average of colors that are 64 levels apart is off by up to 4 levels.
struct ColorConversion {
    /// The linear light for each coded value: all values for red, then green, then blue.
    ///
    /// White is 65,535.
    private let light: [Float]
    /// The columns of the matrix that converts the profile's linear channels to linear sRGB.
    ///
    /// Each column contains the sRGB red, green and blue of one channel of the profile.
    private let red: SIMD4<Float>
    private let green: SIMD4<Float>
    private let blue: SIMD4<Float>
    /// The tone mapping for high dynamic range, or nil for standard dynamic range.
    private let compression: HighDynamicRange?

    /// Creates a conversion; returns nil if the profile is sRGB or very close to it.
    ///
    /// A profile is close enough if no tested color changes by more than one level. Most profiles
    /// in files are sRGB, but their values are rounded in about a dozen different ways.
    init?(from profile: ColorProfile) {
        guard !Self.isNearSRGB(profile) else { return nil }
        self.init(profile, levelCount: 1 << 8)
    }

    /// Creates a conversion of samples that have 16 bits.
    init(wide profile: ColorProfile) {
        self.init(profile, levelCount: 1 << 16)
    }

    private init(_ profile: ColorProfile, levelCount: Int) {
        let first = Self.lights(of: profile.curves[0], levelCount)
        light = profile.curves.flatMap {
            $0 == profile.curves[0] ? first : Self.lights(of: $0, levelCount)
        }
        let columns = (ColorMatrix.linearSRGBFromXYZ * profile.colorants).columns
            .map { SIMD4<Float>(SIMD3<Float>($0), 0) }
        (red, green, blue) = (columns[0], columns[1], columns[2])
        compression = profile.curves[0].highDynamicRange
    }

    private static func lights(of curve: ToneCurve, _ levelCount: Int) -> [Float] {
        let last = Double(levelCount - 1)
        if let curve = curve.highDynamicRange {
            return (0..<levelCount).map { Float(curve.sceneLight(of: Double($0) / last)) }
        }
        return (0..<levelCount).map {
            Float(curve.brightLight(of: Double($0) / last) * Double(SRGBTransfer.white))
        }
    }

    /// Converts RGBA pixels in place from the profile's color space to sRGB without changing alpha.
    func convert(_ pixels: UnsafeMutableBufferPointer<UInt8>) {
        guard let start = pixels.baseAddress else { return }
        convert(UnsafePointer(start), to: start, count: pixels.count / 4)
    }

    /// Converts RGBA pixels of 16-bit samples from the profile's color space to sRGB and writes
    /// them to `pixels`.
    ///
    /// The conversion must have been created for wide samples.
    func convert(
        _ samples: UnsafeBufferPointer<UInt16>,
        into pixels: UnsafeMutableBufferPointer<UInt8>
    ) {
        guard let source = samples.baseAddress, let target = pixels.baseAddress else { return }
        convert(source, to: target, count: min(samples.count, pixels.count) / 4)
    }

    private func convert<Sample: FixedWidthInteger & UnsignedInteger>(
        _ source: UnsafePointer<Sample>,
        to target: UnsafeMutablePointer<UInt8>,
        count: Int
    ) {
        let (red, green, blue) = (red, green, blue)
        guard let compression else {
            return convert(source, to: target, count: count) { light in
                red * light.x + green * light.y + blue * light.z
            }
        }
        let white = Float(SRGBTransfer.white)
        convert(source, to: target, count: count) { light in
            let shown = compression.compressed(light) * white
            let mixed = red * shown.x + green * shown.y + blue * shown.z
            // The light may be so bright that it cannot be rounded.
            return SIMD4(
                max(0, min(mixed.x, white)),
                max(0, min(mixed.y, white)),
                max(0, min(mixed.z, white)),
                0
            )
        }
    }

    /// Converts pixels; `mixed` returns linear sRGB.
    @inline(__always)
    private func convert<Sample: FixedWidthInteger & UnsignedInteger>(
        _ source: UnsafePointer<Sample>,
        to target: UnsafeMutablePointer<UInt8>,
        count: Int,
        mixed: (SIMD4<Float>) -> SIMD4<Float>
    ) {
        let levelCount = Int(Sample.max) + 1
        light.withUnsafeBufferPointer { light in
            SRGBTransfer.coded.withUnsafeBufferPointer { coded in
                guard let light = light.baseAddress, let coded = coded.baseAddress else { return }
                var (sample, pixel) = (source, target)
                for _ in 0..<count {
                    let mixed = mixed(
                        SIMD4(
                            light[Int(sample[0])],
                            light[levelCount &+ Int(sample[1])],
                            light[2 &* levelCount &+ Int(sample[2])],
                            0
                        )
                    )
                    let levels = Self.rounded(mixed)
                    pixel[0] = coded[Self.clipped(levels.x)]
                    pixel[1] = coded[Self.clipped(levels.y)]
                    pixel[2] = coded[Self.clipped(levels.z)]
                    pixel[3] = UInt8(truncatingIfNeeded: sample[3] >> (Sample.bitWidth - 8))
                    sample += 4
                    pixel += 4
                }
            }
        }
    }

    /// Returns the integers nearest to `numbers`, which must be between -2^22 and 2^22.
    ///
    /// The sum of three primaries with XYZ values below 2 is at most 2.1 million, and 3.2 million
    /// with the brightest light, so it is in this range. After 1.5 * 2^23 is added, a `Float` has no fractional bits, and its lower bits
    /// contain the integer. The addition replaces a checked conversion, because the checks would
    /// take as long as the rest of the calculation.
    @inline(__always)
    private static func rounded(_ numbers: SIMD4<Float>) -> SIMD4<Int32> {
        unsafeBitCast(numbers + 12_582_912, to: SIMD4<Int32>.self) &- 0x4B40_0000
    }

    @inline(__always)
    private static func clipped(_ level: Int32) -> Int {
        Int(min(max(0, level), Int32(SRGBTransfer.white)))
    }

    // MARK: - sRGB

    /// The colors used to test whether a profile is close to sRGB.
    ///
    /// These are all combinations of five levels, plus additional grays.
    private static let probes: [SIMD3<Double>] = {
        let levels = [0.0, 64, 128, 192, 255]
        let mixtures = levels.flatMap { red in
            levels.flatMap { green in levels.map { SIMD3(red, green, $0) } }
        }
        return mixtures + [8.0, 16, 32, 48, 96, 160, 224].map { SIMD3(repeating: $0) }
    }()

    private static func isNearSRGB(_ profile: ColorProfile) -> Bool {
        let matrix = ColorMatrix.linearSRGBFromXYZ * profile.colorants
        // The probes contain only a few different levels, so the light of each level is calculated
        // once.
        var lights = Array(repeating: [Double](repeating: -1, count: 256), count: 3)
        func light(_ channel: Int, _ level: Double) -> Double {
            let index = Int(level)
            if lights[channel][index] < 0 {
                lights[channel][index] = profile.curves[channel].light(of: level / 255)
            }
            return lights[channel][index]
        }
        return probes.allSatisfy { probe in
            let mixed = matrix.applied(
                to: [light(0, probe.x), light(1, probe.y), light(2, probe.z)]
            )
            return (0..<3).allSatisfy { channel in
                let linear = (mixed[channel] * Double(SRGBTransfer.white)).rounded()
                let code = SRGBTransfer.coded[Int(min(max(0, linear), Double(SRGBTransfer.white)))]
                return abs(Double(code) - probe[channel]) <= 1
            }
        }
    }
}

/// A 3 × 3 matrix.
struct ColorMatrix: Equatable {
    /// The three columns.
    ///
    /// When a vector is multiplied, each column is multiplied by one component of the vector.
    let columns: [SIMD3<Double>]

    init(_ first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
        columns = [first, second, third]
    }

    /// The matrix that converts XYZ under D50, the reference white of profiles, to linear sRGB.
    ///
    /// The matrix is the inverse of the XYZ values of the sRGB primaries. These values are
    /// calculated from the chromaticities of IEC 61966-2-1 (white 0.3127, 0.3290) by Bradford
    /// adaptation to the D50 of profiles, 0.9642, 1, 0.8249 (ICC.1:2022, section 7.2.16 and annex
    /// E).
    static let linearSRGBFromXYZ = ColorMatrix(
        [3.134_186_4, -0.978_748_5, 0.071_963_9],
        [-1.617_209_0, 1.916_130_1, -0.228_993_9],
        [-0.490_694_1, 0.033_433_4, 1.405_753_7]
    )

    func applied(to numbers: SIMD3<Double>) -> SIMD3<Double> {
        columns[0] * numbers.x + columns[1] * numbers.y + columns[2] * numbers.z
    }

    /// Returns the matrix that applies `other` first and then `one`.
    static func * (one: ColorMatrix, other: ColorMatrix) -> ColorMatrix {
        ColorMatrix(
            one.applied(to: other.columns[0]),
            one.applied(to: other.columns[1]),
            one.applied(to: other.columns[2])
        )
    }
}
