/// A colour to compute with: sRGB components from 0 to 1, not clamped.
struct Color: Equatable {
    var red: Float
    var green: Float
    var blue: Float

    init(_ red: Float, _ green: Float, _ blue: Float) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// A colour as designers write it, 0xRRGGBB.
    init(hex: UInt32) {
        self.init(
            Float(hex >> 16 & 255) / 255,
            Float(hex >> 8 & 255) / 255,
            Float(hex & 255) / 255
        )
    }

    /// The colour `amount` of the way to `other`.
    func mixed(with other: Color, _ amount: Float) -> Color {
        Color(
            red + (other.red - red) * amount,
            green + (other.green - green) * amount,
            blue + (other.blue - blue) * amount
        )
    }

    /// The colour made lighter (above 1) or darker (below 1).
    func scaled(by factor: Float) -> Color {
        Color(red * factor, green * factor, blue * factor)
    }

    /// The colour with light of another one on it.
    func lit(by other: Color, _ amount: Float) -> Color {
        Color(red + other.red * amount, green + other.green * amount, blue + other.blue * amount)
    }
}

/// How far `value` is on the way from `start` to `end`, eased at both ends; 0 before, 1 after.
func smoothStep(_ start: Float, _ end: Float, _ value: Float) -> Float {
    let position = max(0, min(1, (value - start) / (end - start)))
    return position * position * (3 - 2 * position)
}
