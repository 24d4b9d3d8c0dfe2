internal import Decoders
internal import Glibc

/// A color in CIE L\*a\*b\* (1976) for the white point D65.
struct LabColor {
    /// The lightness, from 0 for black to 100 for white.
    let lightness: Double
    /// The position between green (negative) and red (positive).
    let a: Double
    /// The position between blue (negative) and yellow (positive).
    let b: Double

    /// The linear light, from 0 to 1, of each encoded sRGB value.
    static let light = (0..<256).map { SRGBTransfer.decode(Double($0) / 255) }

    init(lightness: Double, a: Double, b: Double) {
        (self.lightness, self.a, self.b) = (lightness, a, b)
    }

    /// Converts an sRGB color.
    ///
    /// The matrix contains the primaries of ITU-R BT.709 in XYZ, and each row is divided by the
    /// value of the white point (0.95047, 1, 1.08883). `light` is `LabColor.light`, which is passed
    /// because accessing a static property for each pixel is slow.
    init(_ color: OpaqueColor, light: [Double]) {
        let (red, green, blue) = (light[Int(color.x)], light[Int(color.y)], light[Int(color.z)])
        let x = Self.compressed(
            (0.412453 * red + 0.357580 * green + 0.180423 * blue) / 0.95047
        )
        let y = Self.compressed(0.212671 * red + 0.715160 * green + 0.072169 * blue)
        let z = Self.compressed(
            (0.019334 * red + 0.119193 * green + 0.950227 * blue) / 1.08883
        )
        self.init(lightness: 116 * y - 16, a: 500 * (x - y), b: 200 * (y - z))
    }

    /// Returns the cube root, with the linear segment that CIE 15 defines for dark colors.
    private static func compressed(_ light: Double) -> Double {
        light > 0.008856 ? cbrt(light) : 7.787 * light + 16 / 116.0
    }
}
