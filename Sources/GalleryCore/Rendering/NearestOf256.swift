internal import Decoders
internal import Glibc
import Synchronization

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

    /// The entry for a pixel that is mixed with others, by plain distances in OKLab.
    static func mixingIndex(of color: RGB) -> UInt8 {
        if let entry = Palette.cubeEntry(color) { return entry }
        return mixing.entry(of: key(of: color)) {
            entry(nearestTo: OKLab(RGB(fiveBitKey: $0)), by: { $0.squaredDistance(to: $1) })
        }
    }

    /// How unlike a colour an entry looks; not symmetric.
    ///
    /// The square of the distance in OKLab, with hue and chroma counted 1.75 times, and chroma that
    /// is lost 2.25 times more. Of 79 images, compared after a blur in linear light, these weights
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

    /// What was found before: all of it would take 7 ms, longer than printing a small image.
    private static let found = NearestEntryCache(keyCount: RGB.fiveBitKeyCount)
    private static let mixing = NearestEntryCache(keyCount: RGB.fiveBitKeyCount)

    /// Looked for upwards and downwards from what is as light, until lightness alone is farther
    /// off: a fifth of the time of a search through all.
    private static func entry(
        nearestTo color: OKLab,
        by distance: (OKLab, OKLab) -> Float = { distance(from: $0, to: $1) }
    ) -> UInt8 {
        let start = entries.partitioningIndex { $0.color.lightness >= color.lightness }
        var best = (index: UInt8(0), distance: Float.infinity)
        /// False if this one and those behind it can't be nearer.
        func consider(_ place: Int) -> Bool {
            let entry = entries[place]
            let away = entry.color.lightness - color.lightness
            guard away * away <= best.distance else { return false }
            let distance = distance(color, entry.color)
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

/// A colour in OKLab, in which distances are about as large as they look.
///
/// Björn Ottosson, "A perceptual color space for image processing" (2020).
struct OKLab: Sendable {
    /// 0 for black, 1 for white.
    let lightness: Float
    /// From green to red.
    let a: Float
    /// From blue to yellow.
    let b: Float
    /// How far from grey.
    let chroma: Float

    init(_ color: RGB) {
        let red = Self.light[color.red]
        let green = Self.light[color.green]
        let blue = Self.light[color.blue]
        let long = cbrtf(0.412_221_47 * red + 0.536_332_54 * green + 0.051_445_99 * blue)
        let medium = cbrtf(0.211_903_5 * red + 0.680_699_55 * green + 0.107_396_96 * blue)
        let short = cbrtf(0.088_302_46 * red + 0.281_718_84 * green + 0.629_978_7 * blue)
        lightness = 0.210_454_26 * long + 0.793_617_79 * medium - 0.004_072_05 * short
        a = 1.977_998_5 * long - 2.428_592_2 * medium + 0.450_593_71 * short
        b = 0.025_904_04 * long + 0.782_771_77 * medium - 0.808_675_77 * short
        chroma = (a * a + b * b).squareRoot()
    }

    /// The square of how unlike two colours look.
    func squaredDistance(to other: OKLab, hueWeight: Float = 1) -> Float {
        let (lightness, a, b) = (lightness - other.lightness, a - other.a, b - other.b)
        return lightness * lightness + (a * a + b * b) * hueWeight
    }

    /// Light from 0 to 1 of each value of 8 bits.
    private static let light = (0...255).map { Float(SRGBTransfer.decode(Double($0) / 255)) }
}

/// Caches the palette entry nearest to each of some colours, for all threads.
///
/// Two threads that search for the same one at a time both find it, and write the same.
final class NearestEntryCache: @unchecked Sendable {
    // Proof for @unchecked: the pointer is never changed, and what it points to are atomics.
    private let entries: UnsafeMutablePointer<Atomic<UInt16>>
    private let keyCount: Int
    /// Tells entry 0 from one that is not known yet.
    private static let knownBit: UInt16 = 1 << 8

    /// An empty cache for keys below `keyCount`.
    init(keyCount: Int) {
        self.keyCount = keyCount
        entries = .allocate(capacity: keyCount)
        for key in 0..<keyCount { (entries + key).initialize(to: Atomic(0)) }
    }

    deinit {
        entries.deinitialize(count: keyCount)
        entries.deallocate()
    }

    /// The entry of a key; `search` finds it the first time.
    func entry(of key: Int, orSearch search: (Int) -> UInt8) -> UInt8 {
        precondition((0..<keyCount).contains(key), "a key that was not provided for")
        let known = entries[key].load(ordering: .relaxed)
        guard known == 0 else { return UInt8(truncatingIfNeeded: known) }
        let entry = search(key)
        entries[key].store(Self.knownBit | UInt16(entry), ordering: .relaxed)
        return entry
    }
}
