/// A fixed set of colours with a nearest-colour search.
enum Palette: Sendable {
    /// xterm's 6×6×6 cube and 24 greys (entries 16 to 255); the 16 theme colours are left out
    /// because each terminal shows them differently.
    case xterm256
    /// The 16 theme colours, taken at xterm's defaults.
    case ansi16

    /// The palette of a terminal; nil with all colours or none.
    init?(_ depth: ColorDepth) {
        switch depth {
        case .palette256: self = .xterm256
        case .ansi16: self = .ansi16
        case .trueColor, .monochrome: return nil
        }
    }

    /// The entry nearest to a colour and what it looks like.
    ///
    /// Of 256 colours by `NearestOf256`; of 16 by `distance`.
    func nearest(to color: RGB) -> (index: UInt8, color: RGB) {
        switch self {
        case .xterm256: Self.nearestOf256(color)
        case .ansi16: Self.nearestOf16(color)
        }
    }

    /// The entry nearest to a colour that is mixed from several pixels' entries.
    ///
    /// By distances in OKLab. Of 256 plain ones: the others make up for what this one is off, so that
    /// no hue needs to be held on to. Of 16 a wrong hue counts twice as much as wrong lightness, or a
    /// grey sky has magenta specks.
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

    /// What an entry of the palette looks like.
    func color(of index: UInt8) -> RGB {
        switch self {
        case .xterm256: Self.colorsOf256[Int(max(16, index)) - 16]
        case .ansi16: Self.sixteen[Int(index & 15)]
        }
    }

    /// How far dithering may move a colour, per channel: about as far as the colours are apart.
    var ditherReach: Int {
        switch self {
        case .xterm256: 24
        case .ansi16: 72
        }
    }

    /// How far diffused errors may move a colour, per channel of light.
    ///
    /// Of 34 pictures in 24×9 cells of 16 colours this and the weight of hues leave, after a blur, 0.6 dB
    /// less of the error in OKLab than 0.28 and plain distances.
    var diffusedReach: Float {
        switch self {
        case .xterm256: 24.0 / 255
        case .ansi16: 0.6
        }
    }

    /// How much of an error is diffused.
    ///
    /// With 256 colours what is left out shows less than the specks that it would make.
    var diffusedShare: Float {
        switch self {
        case .xterm256: 0.75
        case .ansi16: 1
        }
    }

    /// What the channels count for in a distance.
    static let channelWeights = (red: 2, green: 4, blue: 3)

    /// The square of the distance between two colours: Euclid's with weights 2:4:3 for red, green
    /// and blue (the middle of the "redmean" approximation to what the eye sees).
    static func distance(_ left: RGB, _ right: RGB) -> Int {
        let red = left.red - right.red
        let green = left.green - right.green
        let blue = left.blue - right.blue
        return 2 * red * red + 4 * green * green + 3 * blue * blue
    }

    /// The entry of the 6×6×6 cube that a colour is; nil if it is none.
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

    /// The nearest of 16 for colours of five bits a channel.
    private static let foundOf16 = NearestEntryCache(keyCount: RGB.fiveBitKeyCount)
    private static let mixingOf16 = NearestEntryCache(keyCount: RGB.fiveBitKeyCount)
    private static let looksOf16 = sixteen.map { OKLab($0) }

    private static let sixteen: [RGB] = [
        0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
        0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
    ].map { RGB(red: $0 >> 16, green: $0 >> 8 & 255, blue: $0 & 255) }
}

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
