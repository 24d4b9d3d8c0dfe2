/// The nearest of xterm's fixed colours, entries 16 to 255, as an eye takes it.
///
/// The cube has nothing between black and 95, so that every dark colour is far from all of its
/// entries but near to a grey. By Euclid's distance of coded values a navy sticker and a green hill
/// become grey; what the eye misses then is the hue, and it forgives a wrong lightness sooner.
enum NearestOf256 {
    /// The entry for a colour.
    ///
    /// Greys, and colours that are in the cube, are looked up as they are; others by five bits a
    /// channel, rounded, which costs about a hundredth of the error that is left. Callable on any
    /// thread.
    static func index(of color: RGB) -> UInt8 {
        if color.red == color.green, color.green == color.blue { return greys[color.red] }
        if let entry = Palette.cubeEntry(color) { return entry }
        let red = fiveBits(color.red)
        let green = fiveBits(color.green)
        return found.entry(of: red << 10 | green << 5 | fiveBits(color.blue), orLookFor: lookFor)
    }

    /// How unlike a colour an entry looks; not symmetric.
    ///
    /// The square of the distance in OKLab, with hue and chroma counted 1.75 times, and chroma that
    /// is lost 2.25 times more. Of 79 pictures, compared after a blur in linear light, these weights
    /// leave a tenth less error than Euclid's distance of coded values, and a quarter less error of
    /// chroma. Smaller ones leave 2 % less error still, but a navy sticker half grey.
    static func distance(from color: OKLab, to entry: OKLab) -> Float {
        let lightness = color.lightness - entry.lightness
        let a = color.a - entry.a
        let b = color.b - entry.b
        let plain = lightness * lightness + 1.75 * (a * a + b * b)
        let loss = color.chroma - entry.chroma
        return loss > 0 ? plain + 2.25 * loss * loss : plain
    }

    /// A colour as the table has it: the nearest of those with five bits a channel.
    static func rounded(_ color: RGB) -> RGB {
        RGB(
            red: eightBits(fiveBits(color.red)),
            green: eightBits(fiveBits(color.green)),
            blue: eightBits(fiveBits(color.blue))
        )
    }

    /// In order of lightness.
    private static let entries = (16...255)
        .map { (index: UInt8($0), color: OKLab(Palette.xterm256.color(of: UInt8($0)))) }
        .sorted { $0.color.lightness < $1.color.lightness }
    private static let colors = entries.map(\.color)

    private static let greys = (0...255).map { value in
        let color = OKLab(RGB(red: value, green: value, blue: value))
        return entry(nearestTo: color)
    }

    /// What was found before: all of it would take 7 ms, longer than printing a small picture.
    private static let found = EntryMemory(keyCount: 1 << 15)

    private static func lookFor(_ key: Int) -> UInt8 {
        let color = RGB(
            red: eightBits(key >> 10),
            green: eightBits(key >> 5 & 31),
            blue: eightBits(key & 31)
        )
        return entry(nearestTo: OKLab(color))
    }

    private static func entry(nearestTo color: OKLab) -> UInt8 {
        let start = min(firstPlace(asLightAs: color), colors.count - 1)
        return entries[place(nearestTo: color, from: start, among: colors)].index
    }

    private static func firstPlace(asLightAs color: OKLab) -> Int {
        var range = 0..<colors.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range =
                colors[middle].lightness < color.lightness
                ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return range.lowerBound
    }

    /// Looked for upwards and downwards from one that may be near, until lightness alone is farther
    /// off: a fifth of the time of a search through all.
    private static func place(
        nearestTo color: OKLab,
        from start: Int,
        among colors: [OKLab]
    ) -> Int {
        var best = start
        var least = distance(from: color, to: colors[start])
        var place = start + 1
        while place < colors.count {
            let away = colors[place].lightness - color.lightness
            if away > 0, away * away > least { break }
            let distance = distance(from: color, to: colors[place])
            if distance < least { (best, least) = (place, distance) }
            place += 1
        }
        place = start - 1
        while place >= 0 {
            let away = color.lightness - colors[place].lightness
            if away > 0, away * away > least { break }
            let distance = distance(from: color, to: colors[place])
            if distance < least { (best, least) = (place, distance) }
            place -= 1
        }
        return best
    }

    private static func fiveBits(_ value: Int) -> Int { (value * 31 + 127) / 255 }

    private static func eightBits(_ value: Int) -> Int { value << 3 | value >> 2 }
}
