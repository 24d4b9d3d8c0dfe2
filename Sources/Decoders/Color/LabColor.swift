/// A color in L*a*b* under D50, the white of color profiles (ICC.1:2022, section 7.2.16).
struct LabColor {
    /// The lightness L*, from 0 to 100.
    let lightness: Double
    let a: Double
    let b: Double

    /// The color in sRGB; colors outside of sRGB are clipped.
    var levels: SIMD3<UInt8> {
        let y = (lightness + 16) / 116
        let scaled = SIMD3(y + a / 500, y, y - b / 200)
        let relative = SIMD3(Self.light(scaled.x), Self.light(scaled.y), Self.light(scaled.z))
        let light = ColorMatrix.linearSRGBFromXYZ.applied(to: relative * ColorProfile.white)
        let white = Double(SRGBTransfer.white)
        let clipped = light.clamped(lowerBound: .zero, upperBound: .one)
        let linear = (clipped * white).rounded(.toNearestOrEven)
        return SIMD3(
            SRGBTransfer.coded[Int(linear.x)],
            SRGBTransfer.coded[Int(linear.y)],
            SRGBTransfer.coded[Int(linear.z)]
        )
    }

    /// The inverse of the function f of CIE 15, section 8.2.1.
    private static func light(_ value: Double) -> Double {
        value > 6.0 / 29 ? value * value * value : (value - 4.0 / 29) * 108 / 841
    }
}
