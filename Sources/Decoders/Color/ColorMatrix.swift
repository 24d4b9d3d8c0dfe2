/// Three linear combinations of three numbers.
struct ColorMatrix: Equatable {
    /// What one of the first, of the second and of the third number adds.
    let columns: [SIMD3<Double>]

    init(_ first: SIMD3<Double>, _ second: SIMD3<Double>, _ third: SIMD3<Double>) {
        columns = [first, second, third]
    }

    /// From XYZ under D50, which profiles refer to, to linear sRGB.
    ///
    /// The inverse of the XYZ of sRGB's lights, which follow from the chromaticities of IEC 61966-2-1
    /// (white 0.3127, 0.3290) and Bradford's adaptation to the D50 of profiles, 0.9642, 1, 0.8249
    /// (ICC.1:2022, section 7.2.16 and annex E).
    static let linearSRGBFromXYZ = ColorMatrix(
        [3.134_186_4, -0.978_748_5, 0.071_963_9],
        [-1.617_209_0, 1.916_130_1, -0.228_993_9],
        [-0.490_694_1, 0.033_433_4, 1.405_753_7]
    )

    func applied(to numbers: SIMD3<Double>) -> SIMD3<Double> {
        columns[0] * numbers.x + columns[1] * numbers.y + columns[2] * numbers.z
    }

    /// Applies `other` first.
    static func * (one: ColorMatrix, other: ColorMatrix) -> ColorMatrix {
        ColorMatrix(
            one.applied(to: other.columns[0]),
            one.applied(to: other.columns[1]),
            one.applied(to: other.columns[2])
        )
    }
}
