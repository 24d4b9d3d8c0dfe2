/// The chromaticities (CIE 1931 x and y) of a color space's primaries and white point.
struct Chromaticities: Equatable {
    let white: SIMD2<Double>
    let red: SIMD2<Double>
    let green: SIMD2<Double>
    let blue: SIMD2<Double>

    /// The white point of sRGB and most displays (CIE illuminant D65).
    static let daylight: SIMD2<Double> = [0.3127, 0.3290]

    /// BT.709 and sRGB.
    static let sRGB = Chromaticities(
        white: daylight,
        red: [0.64, 0.33],
        green: [0.30, 0.60],
        blue: [0.15, 0.06]
    )

    /// BT.2020 and BT.2100.
    static let bt2020 = Chromaticities(
        white: daylight,
        red: [0.708, 0.292],
        green: [0.170, 0.797],
        blue: [0.131, 0.046]
    )

    /// Returns whether all values match within 0.002, a common rounding error.
    func isNear(_ other: Chromaticities) -> Bool {
        zip([white, red, green, blue], [other.white, other.red, other.green, other.blue])
            .allSatisfy { one, other in
                abs(one.x - other.x) <= 0.002 && abs(one.y - other.y) <= 0.002
            }
    }

    /// The matrix that converts linear light to XYZ under D50, with Bradford adaptation
    /// (ICC.1:2022, annex E).
    ///
    /// Nil if the white point is too extreme or is outside the triangle formed by the primaries.
    var colorants: ColorMatrix? {
        guard let xyz, let adaptation = Self.adaptation(from: Self.xyz(white) / white.y) else {
            return nil
        }
        let colorants = adaptation * xyz
        // `ColorConversion` requires this limit, which an unrealistic white point can exceed.
        guard colorants.columns.allSatisfy({ $0.min() > -2 && $0.max() < 2 }) else { return nil }
        return colorants
    }

    /// The matrix that converts linear light to XYZ under the white point; white has Y = 1.
    ///
    /// Nil if the white point is too extreme or is outside the triangle formed by the primaries.
    var xyz: ColorMatrix? {
        let primaries = ColorMatrix(Self.xyz(red), Self.xyz(green), Self.xyz(blue))
        guard white.y > 0.01, let inverse = primaries.inverse else { return nil }
        let amounts = inverse.applied(to: Self.xyz(white) / white.y)
        guard amounts.min() > 0, amounts.max() < 100 else { return nil }
        let columns = primaries.columns
        return ColorMatrix(
            columns[0] * amounts.x,
            columns[1] * amounts.y,
            columns[2] * amounts.z
        )
    }

    private static func xyz(_ xy: SIMD2<Double>) -> SIMD3<Double> { [xy.x, xy.y, 1 - xy.x - xy.y] }

    private static func adaptation(from white: SIMD3<Double>) -> ColorMatrix? {
        let cones = ColorMatrix(
            [0.8951, -0.7502, 0.0389],
            [0.2664, 1.7135, -0.0685],
            [-0.1614, 0.0367, 1.0296]
        )
        guard let inverse = cones.inverse else { return nil }
        let (from, to) = (cones.applied(to: white), cones.applied(to: ColorProfile.white))
        guard from.min() > 0 else { return nil }
        let scale = to / from
        return inverse * ColorMatrix([scale.x, 0, 0], [0, scale.y, 0], [0, 0, scale.z]) * cones
    }
}

extension ColorMatrix {
    /// The inverse matrix, or nil if the matrix is not invertible.
    var inverse: ColorMatrix? {
        let (a, b, c) = (columns[0], columns[1], columns[2])
        let (first, second, third) = (Self.cross(b, c), Self.cross(c, a), Self.cross(a, b))
        let determinant = (a * first).sum()
        guard determinant.magnitude > 1e-9 else { return nil }
        return ColorMatrix(
            SIMD3(first.x, second.x, third.x) / determinant,
            SIMD3(first.y, second.y, third.y) / determinant,
            SIMD3(first.z, second.z, third.z) / determinant
        )
    }

    private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
        SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
    }
}
