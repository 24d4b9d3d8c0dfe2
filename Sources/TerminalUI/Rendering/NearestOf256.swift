internal import Decoders
internal import Glibc
import Synchronization
internal import SystemSupport

/// Finds the perceptually nearest of xterm's fixed colors (entries 16 to 255).
///
/// The color cube has no values between 0 and 95, so every dark color is far from all entries of
/// the cube but close to a gray. With the Euclidean distance of encoded values, a navy sticker and
/// a green hill would become gray. The eye notices a missing hue more than a wrong lightness.
enum NearestOf256 {
    /// Returns the index of the entry nearest to a color.
    ///
    /// This method may be called on any thread. The result is exact for grays and for colors of the
    /// cube. Other colors are rounded to five bits per channel, which adds about a hundredth to the
    /// remaining error.
    package static func index(of color: RGB) -> UInt8 {
        if color.red == color.green, color.green == color.blue { return grays[color.red] }
        if let entry = TerminalPalette.cubeEntry(color) { return entry }
        return found.entry(of: key(of: color)) { entry(nearestTo: OKLab(RGB(fiveBitKey: $0))) }
    }

    /// Returns the index of the entry nearest to a color by unweighted distance in OKLab.
    ///
    /// Use this method for colors that are imitated by mixing the entries of several pixels.
    static func mixingIndex(of color: RGB) -> UInt8 {
        if let entry = TerminalPalette.cubeEntry(color) { return entry }
        return mixing.entry(of: key(of: color)) {
            entry(nearestTo: OKLab(RGB(fiveBitKey: $0)), by: { $0.squaredDistance(to: $1) })
        }
    }

    /// Returns the perceived difference between a color and an entry; it is not symmetric.
    ///
    /// It is the squared distance in OKLab, with weights of 1.75 for hue and chroma, and 2.25 for
    /// lost chroma. The weights were tested with 79 images, which were compared after a blur in
    /// linear light. They leave a tenth less error than the Euclidean distance of encoded values,
    /// and a quarter less chroma error. Smaller weights leave 2 % less error but make a navy
    /// sticker half gray.
    package static func distance(from color: OKLab, to entry: OKLab) -> Float {
        let lightness = color.lightness - entry.lightness
        let a = color.a - entry.a
        let b = color.b - entry.b
        let plain = lightness * lightness + 1.75 * (a * a + b * b)
        let loss = color.chroma - entry.chroma
        return loss > 0 ? plain + 2.25 * loss * loss : plain
    }

    /// Returns a color rounded to five bits per channel, like the keys of the caches.
    package static func rounded(_ color: RGB) -> RGB {
        RGB(fiveBitKey: key(of: color))
    }

    /// The entries sorted by lightness.
    private static let entries = (16...255)
        .map { (index: UInt8($0), color: OKLab(TerminalPalette.xterm256.color(of: UInt8($0)))) }
        .sorted { $0.color.lightness < $1.color.lightness }

    private static let grays = (0...255).map { value in
        entry(nearestTo: OKLab(RGB(red: value, green: value, blue: value)))
    }

    /// The results of earlier searches.
    ///
    /// Computing all results in advance would take 7 ms, which is longer than it takes to print a
    /// small image.
    private static let found = NearestEntryCache(keyCount: RGB.fiveBitKeyCount)
    private static let mixing = NearestEntryCache(keyCount: RGB.fiveBitKeyCount)

    /// Returns the entry nearest to a color by `distance`.
    ///
    /// The search starts at the entry with the same lightness, proceeds in both directions, and
    /// stops when the difference in lightness alone is too large. This takes a fifth of the time of
    /// a full search.
    private static func entry(
        nearestTo color: OKLab,
        by distance: (OKLab, OKLab) -> Float = { distance(from: $0, to: $1) }
    ) -> UInt8 {
        let start = entries.partitioningIndex { $0.color.lightness >= color.lightness }
        var best = (index: UInt8(0), distance: Float.infinity)
        /// Tests an entry, and returns false if neither it nor any later entry can be nearer.
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

    /// Returns the key of a color in the caches: the color rounded to five bits per channel.
    private static func key(of color: RGB) -> Int {
        func fiveBits(_ value: Int) -> Int { (value * 31 + 127) / 255 }
        return fiveBits(color.red) << 10 | fiveBits(color.green) << 5 | fiveBits(color.blue)
    }
}

/// A color in the OKLab color space, in which distances approximate perceived differences.
///
/// Source: Björn Ottosson, "A perceptual color space for image processing" (2020).
struct OKLab: Sendable {
    /// The lightness: 0 for black, 1 for white.
    package let lightness: Float
    /// The position on the axis from green to red.
    package let a: Float
    /// The position on the axis from blue to yellow.
    package let b: Float
    /// The distance from gray.
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

    /// Returns the squared perceived difference between two colors.
    ///
    /// The difference in hue and chroma is multiplied by `hueWeight`.
    func squaredDistance(to other: OKLab, hueWeight: Float = 1) -> Float {
        let (lightness, a, b) = (lightness - other.lightness, a - other.a, b - other.b)
        return lightness * lightness + (a * a + b * b) * hueWeight
    }

    /// The linear light from 0 to 1 for each 8-bit value.
    private static let light = (0...255).map { Float(SRGBTransfer.decode(Double($0) / 255)) }
}

/// A thread-safe cache that stores the nearest palette entry for each color.
///
/// If two threads search for the same entry at the same time, both store the same value.
final class NearestEntryCache: @unchecked Sendable {
    // Proof for @unchecked: the pointer never changes, and its elements are atomic.
    private let entries: UnsafeMutablePointer<Atomic<UInt16>>
    private let keyCount: Int
    /// The bit that marks a stored entry and distinguishes entry 0 from an empty element.
    private static let knownBit: UInt16 = 1 << 8

    /// Creates an empty cache for keys less than `keyCount`.
    init(keyCount: Int) {
        self.keyCount = keyCount
        entries = .allocate(capacity: keyCount)
        for key in 0..<keyCount { (entries + key).initialize(to: Atomic(0)) }
    }

    deinit {
        entries.deinitialize(count: keyCount)
        entries.deallocate()
    }

    /// Returns the entry for a key; on first use, `search` finds it.
    package func entry(of key: Int, orSearch search: (Int) -> UInt8) -> UInt8 {
        precondition((0..<keyCount).contains(key), "a key that was not provided for")
        let known = entries[key].load(ordering: .relaxed)
        guard known == 0 else { return UInt8(truncatingIfNeeded: known) }
        let entry = search(key)
        entries[key].store(Self.knownBit | UInt16(entry), ordering: .relaxed)
        return entry
    }
}
