internal import Glibc

/// A curve that maps coded channel values to linear light (ICC.1:2022, sections 10.6 and 10.18).
///
/// The coded value and the light range from 0 to 1.
enum ToneCurve: Equatable {
    /// The value raised to this power; a power of 1 is linear light.
    case power(Double)
    /// Amounts of light for equally spaced values, interpolated linearly.
    case table([UInt16])
    /// `(a x + b) ^ g + e` for values of at least `d`, and `c x + f` for values below `d`.
    case parametric(Parameters)
    /// A curve for light that may be too bright for ordinary displays.
    ///
    /// The light is compressed to the range of an ordinary display.
    case highDynamicRange(HighDynamicRange)

    /// The sRGB curve (IEC 61966-2-1).
    static let sRGB = ToneCurve.parametric(
        Parameters(g: 2.4, a: 1 / 1.055, b: 0.055 / 1.055, c: 1 / 12.92, d: 0.04045)
    )

    /// The curve of a high dynamic range image, or nil for other curves.
    var highDynamicRange: HighDynamicRange? {
        guard case .highDynamicRange(let curve) = self else { return nil }
        return curve
    }

    /// Whether adjacent 8-bit samples can differ by several sRGB levels.
    ///
    /// This is the case for high dynamic range and for linear light.
    var needsWideSamples: Bool {
        if case .highDynamicRange = self { return true }
        // sRGB is linear up to level 10.
        return light(of: 1 / 255.0) > 3 / 255.0 / 12.92
    }

    struct Parameters: Equatable {
        var g = 1.0
        var a = 1.0
        var b = 0.0
        var c = 0.0
        var d = 0.0
        var e = 0.0
        var f = 0.0
    }

    /// Reads the curve in the tag at `offset`; returns nil if the curve is damaged or of an unknown
    /// type.
    init?(_ profile: BigEndianBytes, at offset: Int) {
        let curve =
            profile.has("curv", at: offset)
            ? Self.sampled(profile, at: offset)
            : profile.has("para", at: offset) ? Self.formula(profile, at: offset) : nil
        guard let curve else { return nil }
        self = curve
    }

    /// The maximum number of samples; 16-bit values cannot use more.
    private static let maximumCount = 1 << 16

    private static func sampled(_ profile: BigEndianBytes, at offset: Int) -> ToneCurve? {
        guard let count = profile.uint32(at: offset + 8) else { return nil }
        switch count {
        case 0: return .power(1)
        case 1:
            // A number with 8 fractional bits.
            guard let gamma = profile.uint16(at: offset + 12), gamma > 0 else { return nil }
            return .power(Double(gamma) / 256)
        default:
            let start = offset + 12
            guard count <= min(maximumCount, (profile.bytes.count - start) / 2) else { return nil }
            return .table((0..<count).map { UInt16(profile.uint16(at: start + 2 * $0) ?? 0) })
        }
    }

    private static func formula(_ profile: BigEndianBytes, at offset: Int) -> ToneCurve? {
        guard let kind = profile.uint16(at: offset + 8), kind <= 4 else { return nil }
        var numbers: [Double] = []
        for index in 0..<[1, 3, 4, 5, 7][kind] {
            guard let number = profile.fixed(at: offset + 12 + 4 * index) else { return nil }
            numbers.append(number)
        }
        guard numbers[0] > 0 else { return nil }
        var curve = Parameters(g: numbers[0])
        guard kind > 0 else { return .power(curve.g) }
        (curve.a, curve.b) = (numbers[1], numbers[2])
        if kind <= 2 {
            guard curve.a > 0 else { return nil }
            curve.d = -curve.b / curve.a
            curve.e = kind == 2 ? numbers[3] : 0
            curve.f = curve.e
        } else {
            (curve.c, curve.d) = (numbers[3], numbers[4])
            if kind == 4 { (curve.e, curve.f) = (numbers[5], numbers[6]) }
        }
        return .parametric(curve)
    }

    /// The maximum result of `brightLight(of:)`.
    static let brightest = 1.5

    /// Returns the linear light for a value from 0 to 1; the result is clamped to the same range.
    func light(of value: Double) -> Double { min(1, brightLight(of: value)) }

    /// Returns the linear light for a value from 0 to 1, which may be brighter than white.
    ///
    /// The curve of SMPTE ST 428 ends at 1.09. As in Chromium, such light is clipped only after the
    /// conversion to sRGB.
    func brightLight(of value: Double) -> Double {
        let light =
            switch self {
            case .power(let exponent): pow(value, exponent)
            case .table(let samples): Self.interpolated(samples, value)
            case .parametric(let curve):
                value >= curve.d
                    ? pow(curve.a * value + curve.b, curve.g) + curve.e
                    : curve.c * value + curve.f
            case .highDynamicRange(let curve): curve.light(of: value)
            }
        // A power of a negative number is NaN.
        return light > 0 ? min(Self.brightest, light) : 0
    }

    /// This curve with its results converted from lightness to light.
    ///
    /// Use it if a profile's curve returns lightness (CIE L*, scaled from 0–100 to 0–1).
    var light: ToneCurve {
        let last = 1_023
        return .table(
            (0...last).map { index in
                let lightness = light(of: Double(index) / Double(last)) * 100
                let light =
                    lightness > 8 ? pow((lightness + 16) / 116, 3) : lightness * 27 / 24_389
                return UInt16((min(1, light) * 65_535).rounded())
            }
        )
    }

    private static func interpolated(_ samples: [UInt16], _ value: Double) -> Double {
        let place = min(max(0, value), 1) * Double(samples.count - 1)
        let index = min(Int(place), samples.count - 2)
        let part = place - Double(index)
        return (Double(samples[index]) * (1 - part) + Double(samples[index + 1]) * part) / 65535
    }
}
