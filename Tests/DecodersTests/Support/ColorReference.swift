import Decoders
import Glibc

/// The XYZ of red, green and blue lights under D50, calculated from the standards: the
/// chromaticities of the lights and of the white (D65), adapted by Bradford's method.
enum KnownColorants {
    static let sRGB = colorants(red: (0.64, 0.33), green: (0.30, 0.60), blue: (0.15, 0.06))
    static let displayP3 = colorants(
        red: (0.680, 0.320),
        green: (0.265, 0.690),
        blue: (0.150, 0.060)
    )
    static let adobeRGB = colorants(red: (0.64, 0.33), green: (0.21, 0.71), blue: (0.15, 0.06))

    private static let white65 = [0.3127 / 0.3290, 1, (1 - 0.3127 - 0.3290) / 0.3290]
    private static let white50 = [0.9642, 1, 0.8249]

    private static func colorants(
        red: (Double, Double),
        green: (Double, Double),
        blue: (Double, Double)
    ) -> [[Double]] {
        let lights = [red, green, blue].map { [$0.0 / $0.1, 1, (1 - $0.0 - $0.1) / $0.1] }
        let strengths = Linear.product(Linear.inverse(Linear.transposed(lights)), white65)
        return zip(lights, strengths).map { light, strength in
            adapted(light.map { $0 * strength })
        }
    }

    private static let bradford = [
        [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
    ]

    private static func adapted(_ color: [Double]) -> [Double] {
        let from = Linear.product(bradford, white65)
        let to = Linear.product(bradford, white50)
        let cones = Linear.product(bradford, color)
        let scaled = (0..<3).map { cones[$0] * to[$0] / from[$0] }
        return Linear.product(Linear.inverse(bradford), scaled)
    }
}

/// Conversion to sRGB according to its definition, in Double and without tables, sharing no code
/// with the decoders.
enum ColorReference {
    static func sRGB(_ pixel: Pixel, colorants: [[Double]], light: (Double) -> Double) -> Pixel {
        let lights = [pixel.red, pixel.green, pixel.blue].map { light(Double($0) / 255) }
        let xyz = Linear.product(Linear.transposed(colorants), lights)
        let linear = Linear.product(Linear.inverse(Linear.transposed(KnownColorants.sRGB)), xyz)
        let bytes = linear.map { UInt8((coded(min(max(0, $0), 1)) * 255).rounded()) }
        return Pixel(bytes[0], bytes[1], bytes[2], pixel.alpha)
    }

    static func sRGBLight(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    private static func coded(_ light: Double) -> Double {
        light <= 0.003_130_8 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055
    }
}

/// 3 by 3 matrices as rows.
enum Linear {
    static func product(_ matrix: [[Double]], _ vector: [Double]) -> [Double] {
        matrix.map { row in zip(row, vector).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    static func transposed(_ matrix: [[Double]]) -> [[Double]] {
        (0..<3).map { column in matrix.map { $0[column] } }
    }

    /// Returns the inverse matrix, calculated from cofactors.
    static func inverse(_ m: [[Double]]) -> [[Double]] {
        func cofactor(_ row: Int, _ column: Int) -> Double {
            let (r1, r2) = ((row + 1) % 3, (row + 2) % 3)
            let (c1, c2) = ((column + 1) % 3, (column + 2) % 3)
            return m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1]
        }
        let determinant = (0..<3).reduce(0) { $0 + m[0][$1] * cofactor(0, $1) }
        return (0..<3).map { row in (0..<3).map { cofactor($0, row) / determinant } }
    }
}
