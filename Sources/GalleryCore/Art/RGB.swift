/// An opaque sRGB colour.
struct RGB: Hashable, Sendable {
    var red: Int
    var green: Int
    var blue: Int

    /// Weighted by what the eye sees (ITU-R BT.601), 0 to 255.
    var luma: Int { (299 * red + 587 * green + 114 * blue) / 1000 }

    var cellColor: CellColor {
        .rgb(UInt8(clamping: red), UInt8(clamping: green), UInt8(clamping: blue))
    }

    /// Each channel times a fraction.
    func scaled(by numerator: Int, over denominator: Int) -> RGB {
        RGB(
            red: red * numerator / denominator,
            green: green * numerator / denominator,
            blue: blue * numerator / denominator
        )
    }

    /// The mean of two colours.
    func mean(_ other: RGB) -> RGB {
        RGB(
            red: (red + other.red) / 2,
            green: (green + other.green) / 2,
            blue: (blue + other.blue) / 2
        )
    }
}

/// Colours of five bits a channel, for tables of all of them.
extension RGB {
    /// How many there are.
    static let fiveBitKeyCount = 1 << 15

    /// The colour of a key: red in its upper five bits, blue in the lower; 31 becomes 255.
    init(fiveBitKey key: Int) {
        func widened(_ value: Int) -> Int { value << 3 | value >> 2 }
        self.init(
            red: widened(key >> 10),
            green: widened(key >> 5 & 31),
            blue: widened(key & 31)
        )
    }
}
