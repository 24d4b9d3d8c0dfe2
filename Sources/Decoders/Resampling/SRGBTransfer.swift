internal import Glibc

/// The sRGB transfer curve (IEC 61966-2-1) as tables; linear light is 0 to 65535.
///
/// Averages are made in linear light, because that is what an eye or a lens far away would do:
/// averaging the coded values darkens fine patterns (a 1-pixel black and white check becomes 128
/// where 188 is right).
package enum SRGBTransfer {
    /// The linear value of white.
    static let white = 65535

    /// Linear light of each coded value.
    static let linear: [UInt64] = (0..<256).map { code in
        UInt64((decode(Double(code) / 255) * Double(white)).rounded())
    }

    /// The coded value nearest to each linear value.
    ///
    /// Made of where each coded value begins: 256 powers instead of 65536, which would take longer
    /// than a small picture.
    static let coded: [UInt8] = {
        var table = [UInt8](repeating: 0, count: white + 1)
        for code in 1...255 {
            let end = code == 255 ? white + 1 : start(of: code + 1)
            for value in start(of: code)..<end { table[value] = UInt8(code) }
        }
        return table
    }()

    /// The coded value nearest to a linear value, worked out.
    static func code(of value: Int) -> Int {
        Int((encode(Double(value) / Double(white)) * 255).rounded())
    }

    /// The smallest linear value that is coded as `code`, which must not be 0.
    private static func start(of code: Int) -> Int {
        // Right but for rounding, so one of these three.
        let value = Int(decode((Double(code) - 0.5) / 255) * Double(white))
        if self.code(of: max(0, value - 1)) >= code { return max(0, value - 1) }
        return self.code(of: value) >= code ? value : value + 1
    }

    /// Light, 0 to 1, of a coded value of 0 to 1.
    package static func decode(_ coded: Double) -> Double {
        coded <= 0.04045 ? coded / 12.92 : pow((coded + 0.055) / 1.055, 2.4)
    }

    private static func encode(_ linear: Double) -> Double {
        linear <= 0.003_130_8 ? linear * 12.92 : 1.055 * pow(linear, 1 / 2.4) - 0.055
    }
}
