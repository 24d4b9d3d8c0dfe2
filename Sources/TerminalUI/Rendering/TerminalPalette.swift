/// A fixed set of colors in which the nearest color can be found.
enum TerminalPalette: Sendable {
    /// The 6×6×6 cube and 24 grays of xterm (entries 16 to 255).
    ///
    /// The 16 theme colors are not included because they differ between terminals.
    case xterm256
    /// The 16 theme colors, with xterm's default values.
    case ansi16

    /// Creates the palette for a color depth, or returns nil for 24-bit color or no colors.
    init?(_ depth: ColorDepth) {
        switch depth {
        case .palette256: self = .xterm256
        case .ansi16: self = .ansi16
        case .trueColor, .monochrome: return nil
        }
    }

    /// Returns the index and color of the palette entry nearest to `color`.
    ///
    /// With 256 colors, the nearest entry is found by `NearestOf256`; with 16 colors, it is found
    /// by `distance`.
    package func nearest(to color: RGB) -> (index: UInt8, color: RGB) {
        switch self {
        case .xterm256: Self.nearestOf256(color)
        case .ansi16: Self.nearestOf16(color)
        }
    }

    /// Returns the palette entry nearest to `color`, for a color that is imitated by mixing several
    /// pixels.
    ///
    /// The nearest entry is found by distance in OKLab. With 256 colors, the distances are
    /// unweighted because other pixels compensate for the error. With 16 colors, a wrong hue counts
    /// twice as much as a wrong lightness; otherwise, a gray sky would have magenta dots.
    func mixing(near color: RGB) -> (index: UInt8, color: RGB) {
        switch self {
        case .xterm256:
            let index = NearestOf256.mixingIndex(of: color)
            return (index, Self.colorsOf256[Int(index) - 16])
        case .ansi16:
            let index = Self.mixingOf16.entry(of: Self.fiveBitKey(of: color)) { key in
                let color = OKLab(RGB(fiveBitKey: key))
                let distances = Self.looksOf16.map { color.squaredDistance(to: $0, hueWeight: 4) }
                return UInt8(distances.indices.min { distances[$0] < distances[$1] } ?? 0)
            }
            return (index, Self.sixteen[Int(index)])
        }
    }

    /// Returns the color of an entry.
    package func color(of index: UInt8) -> RGB {
        switch self {
        case .xterm256: Self.colorsOf256[Int(max(16, index)) - 16]
        case .ansi16: Self.sixteen[Int(index & 15)]
        }
    }

    /// The maximum amount by which ordered dithering changes a channel.
    ///
    /// It is roughly equal to the distance between two palette colors.
    var ditherReach: Int {
        switch self {
        case .xterm256: 24
        case .ansi16: 72
        }
    }

    /// The maximum amount, in linear light, by which diffused errors change a channel.
    ///
    /// With 16 colors, 0.6 was compared with 0.28 and unweighted distances for 34 photos at 24×9
    /// cells. With 0.6 and the extra weight of hues, the error in OKLab after a blur is 0.6 dB
    /// lower.
    var diffusedReach: Float {
        switch self {
        case .xterm256: 24.0 / 255
        case .ansi16: 0.6
        }
    }

    /// The fraction of an error that is diffused.
    ///
    /// With 256 colors, the remaining error is less visible than the noise of full diffusion.
    var diffusedShare: Float {
        switch self {
        case .xterm256: 0.75
        case .ansi16: 1
        }
    }

    /// The weights of red, green and blue in the distance between two colors.
    static let channelWeights = (red: 2, green: 4, blue: 3)

    /// Returns the squared distance between two colors, weighted 2:4:3 for red, green and blue.
    ///
    /// The weights are the midpoint of the "redmean" approximation of color perception.
    package static func distance(_ left: RGB, _ right: RGB) -> Int {
        let red = left.red - right.red
        let green = left.green - right.green
        let blue = left.blue - right.blue
        return 2 * red * red + 4 * green * green + 3 * blue * blue
    }

    /// Returns the entry of the 6×6×6 cube with exactly this color, or nil if there is none.
    static func cubeEntry(_ color: RGB) -> UInt8? {
        let red = cubeStep(color.red)
        let green = cubeStep(color.green)
        let blue = cubeStep(color.blue)
        guard levels[red] == color.red, levels[green] == color.green, levels[blue] == color.blue
        else { return nil }
        return UInt8(16 + 36 * red + 6 * green + blue)
    }

    private static func nearestOf256(_ color: RGB) -> (index: UInt8, color: RGB) {
        let index = NearestOf256.index(of: color)
        return (index, colorsOf256[Int(index) - 16])
    }

    private static let levels = [0, 95, 135, 175, 215, 255]

    private static let colorsOf256: [RGB] =
        (0..<216).map { entry in
            RGB(
                red: levels[entry / 36],
                green: levels[entry / 6 % 6],
                blue: levels[entry % 6]
            )
        }
        + (0..<24).map { step in
            RGB(red: 8 + 10 * step, green: 8 + 10 * step, blue: 8 + 10 * step)
        }

    private static func cubeStep(_ value: Int) -> Int {
        value < 95 ? 0 : (value - 55) / 40
    }

    private static func nearestOf16(_ color: RGB) -> (index: UInt8, color: RGB) {
        let index = foundOf16.entry(of: fiveBitKey(of: color)) { key in
            let color = RGB(fiveBitKey: key)
            let distances = sixteen.map { distance(color, $0) }
            let best = distances.indices.min { distances[$0] < distances[$1] }
            return UInt8(best ?? 0)
        }
        return (index, sixteen[Int(index)])
    }

    private static func fiveBitKey(of color: RGB) -> Int {
        (color.red >> 3) << 10 | (color.green >> 3) << 5 | color.blue >> 3
    }

    /// The results of earlier searches with 16 colors, with keys of five bits per channel.
    private static let foundOf16 = NearestEntryCache(keyCount: RGB.fiveBitKeyCount)
    private static let mixingOf16 = NearestEntryCache(keyCount: RGB.fiveBitKeyCount)
    private static let looksOf16 = sixteen.map { OKLab($0) }

    private static let sixteen: [RGB] = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ].map { RGB(red: $0 >> 16, green: $0 >> 8 & 255, blue: $0 & 255) }
}

/// An opaque sRGB color.
package struct RGB: Hashable, Sendable {
    package var red: Int
    package var green: Int
    package var blue: Int

    /// The perceived brightness (ITU-R BT.601), from 0 to 255.
    package var luma: Int { (299 * red + 587 * green + 114 * blue) / 1000 }

    package var cellColor: CellColor {
        .rgb(UInt8(clamping: red), UInt8(clamping: green), UInt8(clamping: blue))
    }

    /// Returns the color with each channel multiplied by a fraction.
    package func scaled(by numerator: Int, over denominator: Int) -> RGB {
        RGB(
            red: red * numerator / denominator,
            green: green * numerator / denominator,
            blue: blue * numerator / denominator
        )
    }

    package func mean(_ other: RGB) -> RGB {
        RGB(
            red: (red + other.red) / 2,
            green: (green + other.green) / 2,
            blue: (blue + other.blue) / 2
        )
    }
}

/// Colors with five bits per channel, which are the keys of lookup tables.
extension RGB {
    /// The number of colors with five bits per channel.
    static let fiveBitKeyCount = 1 << 15

    /// Creates the color of a key.
    ///
    /// The key has red in the upper five bits and blue in the lower five. The value 31 of a channel
    /// becomes 255.
    package init(fiveBitKey key: Int) {
        func widened(_ value: Int) -> Int { value << 3 | value >> 2 }
        self.init(
            red: widened(key >> 10),
            green: widened(key >> 5 & 31),
            blue: widened(key & 31)
        )
    }
}
