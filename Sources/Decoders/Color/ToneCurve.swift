internal import Glibc

/// How much light a coded value of a channel stands for, both from 0 to 1 (ICC.1:2022, sections 10.6
/// and 10.18).
enum ToneCurve: Equatable {
    /// Light is the value to this power; 1 is a profile of light itself.
    case power(Double)
    /// Light at even distances, interpolated between.
    case table([UInt16])
    /// `(a x + b) ^ g + e` from `d` on, `c x + f` below.
    case parametric(Parameters)

    struct Parameters: Equatable {
        var g = 1.0
        var a = 1.0
        var b = 0.0
        var c = 0.0
        var d = 0.0
        var e = 0.0
        var f = 0.0
    }

    /// The curve in the tag at `offset`; nil if it is damaged, or of a kind there is none of.
    init?(_ profile: BigEndianBytes, at offset: Int) {
        let curve =
            profile.has("curv", at: offset)
            ? Self.sampled(profile, at: offset)
            : profile.has("para", at: offset) ? Self.formula(profile, at: offset) : nil
        guard let curve else { return nil }
        self = curve
    }

    /// More samples than a curve of 16-bit values has use for.
    private static let maximumCount = 1 << 16

    private static func sampled(_ profile: BigEndianBytes, at offset: Int) -> ToneCurve? {
        guard let count = profile.uint32(at: offset + 8) else { return nil }
        switch count {
        case 0: return .power(1)
        case 1:
            // 8 bits behind the point.
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

    /// The light of `value`; both from 0 to 1, whatever the curve says.
    func light(of value: Double) -> Double {
        let light =
            switch self {
            case .power(let exponent): pow(value, exponent)
            case .table(let samples): Self.interpolated(samples, value)
            case .parametric(let curve):
                value >= curve.d
                    ? pow(curve.a * value + curve.b, curve.g) + curve.e
                    : curve.c * value + curve.f
            }
        // A power of a negative number is none.
        return light > 0 ? min(1, light) : 0
    }

    private static func interpolated(_ samples: [UInt16], _ value: Double) -> Double {
        let place = min(max(0, value), 1) * Double(samples.count - 1)
        let index = min(Int(place), samples.count - 2)
        let part = place - Double(index)
        return (Double(samples[index]) * (1 - part) + Double(samples[index + 1]) * part) / 65535
    }
}
