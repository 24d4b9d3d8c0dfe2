internal import Glibc

/// The sRGB transfer curve (IEC 61966-2-1) as tables; linear light is 0 to 65535.
///
/// Averages are made in linear light, because that is what an eye or a lens far away would do:
/// averaging the coded values darkens fine patterns (a 1-pixel black and white check becomes 128
/// where 188 is right).
enum SRGBTransfer {
    /// The linear value of white.
    static let white = 65535

    /// Linear light of each coded value.
    static let linear: [UInt64] = (0..<256).map { code in
        UInt64((decode(Double(code) / 255) * Double(white)).rounded())
    }

    /// The coded value nearest to each linear value.
    static let coded: [UInt8] = (0...white).map { value in
        UInt8((encode(Double(value) / Double(white)) * 255).rounded())
    }

    private static func decode(_ coded: Double) -> Double {
        coded <= 0.04045 ? coded / 12.92 : pow((coded + 0.055) / 1.055, 2.4)
    }

    private static func encode(_ linear: Double) -> Double {
        linear <= 0.003_130_8 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055
    }
}
