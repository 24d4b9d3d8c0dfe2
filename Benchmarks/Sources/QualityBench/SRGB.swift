import Foundation

/// The transfer function of sRGB (IEC 61966-2-1).
enum SRGB {
    /// The light from 0 to 1 for each 8-bit value.
    static let linear: [Double] = (0...255).map { value in
        decoded(Double(value))
    }

    /// Returns the light from 0 to 1 for a value from 0 to 255.
    static func decoded(_ value: Double) -> Double {
        let coded = value / 255
        return coded <= 0.04045 ? coded / 12.92 : pow((coded + 0.055) / 1.055, 2.4)
    }

    /// Returns the value from 0 to 255 for an amount of light.
    static func encoded(_ light: Double) -> Double {
        let light = min(max(light, 0), 1)
        return 255 * (light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055)
    }
}
