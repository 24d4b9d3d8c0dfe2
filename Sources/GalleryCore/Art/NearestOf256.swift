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
        return found.entry(of: key(of: color)) { entry(nearestTo: OKLab(RGB(fiveBitKey: $0))) }
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
        RGB(fiveBitKey: key(of: color))
    }

    /// In order of lightness.
    private static let entries = (16...255)
        .map { (index: UInt8($0), color: OKLab(Palette.xterm256.color(of: UInt8($0)))) }
        .sorted { $0.color.lightness < $1.color.lightness }

    private static let greys = (0...255).map { value in
        entry(nearestTo: OKLab(RGB(red: value, green: value, blue: value)))
    }

    /// What was found before: all of it would take 7 ms, longer than printing a small picture.
    private static let found = EntryMemory(keyCount: RGB.fiveBitKeyCount)

    /// Looked for upwards and downwards from what is as light, until lightness alone is farther
    /// off: a fifth of the time of a search through all.
    private static func entry(nearestTo color: OKLab) -> UInt8 {
        let start = entries.partitioningIndex { $0.color.lightness >= color.lightness }
        var best = (index: UInt8(0), distance: Float.infinity)
        /// False if this one and those behind it can't be nearer.
        func consider(_ place: Int) -> Bool {
            let entry = entries[place]
            let away = entry.color.lightness - color.lightness
            guard away * away <= best.distance else { return false }
            let distance = distance(from: color, to: entry.color)
            if distance < best.distance { best = (entry.index, distance) }
            return true
        }
        for place in start..<entries.count { guard consider(place) else { break } }
        for place in (0..<start).reversed() { guard consider(place) else { break } }
        return best.index
    }

    /// Rounded to five bits a channel.
    private static func key(of color: RGB) -> Int {
        func fiveBits(_ value: Int) -> Int { (value * 31 + 127) / 255 }
        return fiveBits(color.red) << 10 | fiveBits(color.green) << 5 | fiveBits(color.blue)
    }
}
