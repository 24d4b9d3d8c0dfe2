internal import Glibc

/// The color difference CIEDE2000, with all weights 1.
///
/// G. Sharma, W. Wu, E. N. Dalal, "The CIEDE2000 color-difference formula: Implementation notes,
/// supplementary test data, and mathematical observations" (2005). Variables have the names of the
/// paper. Hue angles are represented by vectors, because trigonometric functions would take most of
/// the time.
extension LabColor {
    /// Returns the difference of two colors, 0 for equal colors; about 1 is just noticeable.
    func difference(to other: LabColor) -> Double {
        let g = 0.5 * (1 - Self.chromaTerm((chroma + other.chroma) / 2))
        let (one, two) = (Chromaticity(self, g), Chromaticity(other, g))
        let meanC = (one.chroma + two.chroma) / 2
        let meanH = Self.meanHue(one, two)
        let offset = (lightness + other.lightness) / 2 - 50
        let sL = 1 + 0.015 * offset * offset / (20 + offset * offset).squareRoot()
        let l = (other.lightness - lightness) / sL
        let c = (two.chroma - one.chroma) / (1 + 0.045 * meanC)
        let sH = 1 + 0.015 * meanC * Self.hueWeight(meanH)
        let h = Self.hueDifference(one, two) / sH
        let rotation = Self.rotation(meanH) * Self.chromaTerm(meanC)
        return max(0, l * l + c * c + h * h + rotation * c * h).squareRoot()
    }

    private var chroma: Double { (a * a + b * b).squareRoot() }

    /// Returns √(C⁷ / (C⁷ + 25⁷)).
    private static func chromaTerm(_ chroma: Double) -> Double {
        let cube = chroma * chroma * chroma
        let power = cube * cube * chroma
        return (power / (power + 6_103_515_625)).squareRoot()
    }

    /// The position of a color in the plane of a and b, where a is scaled by 1 + G.
    private struct Chromaticity {
        let position: SIMD2<Double>
        let chroma: Double

        init(_ color: LabColor, _ g: Double) {
            position = SIMD2((1 + g) * color.a, color.b)
            chroma = position.length
        }
    }

    /// Returns ΔH', twice the geometric mean of the chromas times the sine of half the angle.
    ///
    /// The result is positive if the angle increases.
    private static func hueDifference(_ one: Chromaticity, _ two: Chromaticity) -> Double {
        let product = one.position * two.position
        let square = 2 * (one.chroma * two.chroma - product.x - product.y)
        let cross = one.position.x * two.position.y - one.position.y * two.position.x
        let difference = max(0, square).squareRoot()
        return cross < 0 ? -difference : difference
    }

    /// Returns the mean hue of two colors as a vector of length 1.
    ///
    /// Two gray colors have no hue; then the result has length 0, and no caller depends on it.
    private static func meanHue(_ one: Chromaticity, _ two: Chromaticity) -> SIMD2<Double> {
        let sum = one.position * two.chroma + two.position * one.chroma
        let length = sum.length
        if length > 0 { return sum / length }
        // For opposite hues, the paper defines the mean as a quarter turn after the smaller angle.
        let isSmaller = one.position.y > 0 || one.position.y == 0 && one.position.x > 0
        let smaller = isSmaller ? one : two
        guard smaller.chroma > 0 else { return .zero }
        return SIMD2(-smaller.position.y, smaller.position.x) / smaller.chroma
    }

    /// Returns T, the weight of differences at a hue: a sum of cosines of multiples of its angle.
    private static func hueWeight(_ hue: SIMD2<Double>) -> Double {
        let double = rotated(hue, by: hue)
        let triple = rotated(double, by: hue)
        let quadruple = rotated(double, by: double)
        return 1 - 0.17 * cosine(hue, minus: degrees30) + 0.24 * double.x
            + 0.32 * cosine(triple, minus: degreesMinus6)
            - 0.20 * cosine(quadruple, minus: degrees63)
    }

    private static let degree = Double.pi / 180
    private static let degrees30 = SIMD2(cos(30 * degree), sin(30 * degree))
    private static let degreesMinus6 = SIMD2(cos(6 * degree), -sin(6 * degree))
    private static let degrees63 = SIMD2(cos(63 * degree), sin(63 * degree))

    /// Returns the vector at the sum of two angles.
    private static func rotated(_ one: SIMD2<Double>, by other: SIMD2<Double>) -> SIMD2<Double> {
        SIMD2(one.x * other.x - one.y * other.y, one.x * other.y + one.y * other.x)
    }

    /// Returns the cosine of the difference of two angles.
    private static func cosine(_ one: SIMD2<Double>, minus other: SIMD2<Double>) -> Double {
        one.x * other.x + one.y * other.y
    }

    /// Returns -2 sin(2 Δθ), which rotates the differences of blue colors.
    ///
    /// At hue angles from 0° to 180°, the value is less than one millionth.
    private static func rotation(_ hue: SIMD2<Double>) -> Double {
        guard hue.y < 0 else { return 0 }
        let distance = (360 + atan2(hue.y, hue.x) / degree - 275) / 25
        return -2 * sin(60 * degree * exp(-distance * distance))
    }
}

extension SIMD2<Double> {
    fileprivate var length: Double { (x * x + y * y).squareRoot() }
}
