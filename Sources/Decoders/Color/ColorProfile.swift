/// What the red, green and blue of a file mean: a curve for each, and the colours of their lights
/// (ICC.1:2022, annex F.3).
///
/// That is what cameras, phones and monitors write: sRGB, Display P3, Adobe RGB. Grey has a curve
/// alone. Profiles of another build are littlecms's (`ColorTable`).
struct ColorProfile: Equatable {
    /// D50, the white all profiles refer to (ICC.1:2022, section 7.2.16).
    private static let white: SIMD3<Double> = [0.9642, 1, 0.8249]

    /// More tags than profiles have; one of a few dozen is usual.
    private static let maximumTagCount = 256

    /// The curves of red, green and blue.
    let curves: [ToneCurve]
    /// From their light to XYZ under D50.
    let colorants: ColorMatrix

    init(curves: [ToneCurve], colorants: ColorMatrix) {
        self.curves = curves
        self.colorants = colorants
    }

    /// Whether a profile has tables, which littlecms reads (tag A2B0).
    static func hasTables(_ bytes: [UInt8]) -> Bool {
        let profile = BigEndianBytes(bytes: bytes)
        return profile.has("acsp", at: 36) && offset(of: "A2B0", tags(profile)) != nil
    }

    /// Reads the bytes of a profile of grey (annex F.2); nil if they are damaged or of another kind.
    init?(grey bytes: [UInt8]) {
        let profile = BigEndianBytes(bytes: bytes)
        guard profile.has("acsp", at: 36), profile.has("GRAY", at: 16),
            let offset = Self.offset(of: "kTRC", Self.tags(profile)),
            let stored = ToneCurve(profile, at: offset),
            let lights = ColorCodes.profile(primaries: 1, transfer: 13)
        else { return nil }
        let curve = profile.has("Lab ", at: 20) ? stored.light : stored
        self.init(curves: [curve, curve, curve], colorants: lights.colorants)
    }

    /// Reads the bytes of a profile; nil if they are damaged or of another kind.
    init?(_ bytes: [UInt8]) {
        let profile = BigEndianBytes(bytes: bytes)
        guard profile.has("acsp", at: 36), profile.has("RGB ", at: 16),
            profile.has("XYZ ", at: 20)
        else { return nil }
        let tags = Self.tags(profile)
        guard let red = Self.colorant("rXYZ", tags, profile),
            let green = Self.colorant("gXYZ", tags, profile),
            let blue = Self.colorant("bXYZ", tags, profile),
            let curves = Self.curves(tags, profile)
        else { return nil }
        // All lights together are white. Where they aren't, the profile is wrong, and to believe it
        // would tint the picture.
        let difference = red + green + blue - Self.white
        guard Self.largest(difference) < 0.1,
            max(Self.largest(red), Self.largest(green), Self.largest(blue)) < 2
        else { return nil }
        colorants = ColorMatrix(red, green, blue)
        self.curves = curves
    }

    /// Where the tag of a name lies; nil if there is none.
    static func offset(of name: StaticString, in profile: BigEndianBytes) -> Int? {
        offset(of: name, tags(profile))
    }

    private static func largest(_ numbers: SIMD3<Double>) -> Double {
        max(numbers.max(), -numbers.min())
    }

    /// Where each tag lies: the first of its name counts.
    private static func tags(_ profile: BigEndianBytes) -> [Int: Int] {
        var tags: [Int: Int] = [:]
        for index in 0..<min(profile.uint32(at: 128) ?? 0, maximumTagCount) {
            guard let name = profile.uint32(at: 132 + 12 * index),
                let offset = profile.uint32(at: 136 + 12 * index)
            else { break }
            if tags[name] == nil { tags[name] = offset }
        }
        return tags
    }

    private static func offset(of name: StaticString, _ tags: [Int: Int]) -> Int? {
        tags[(0..<4).reduce(0) { $0 << 8 | Int(name.utf8Start[$1]) }]
    }

    private static func colorant(
        _ name: StaticString,
        _ tags: [Int: Int],
        _ profile: BigEndianBytes
    ) -> SIMD3<Double>? {
        guard let offset = offset(of: name, tags), profile.has("XYZ ", at: offset),
            let x = profile.fixed(at: offset + 8), let y = profile.fixed(at: offset + 12),
            let z = profile.fixed(at: offset + 16)
        else { return nil }
        return [x, y, z]
    }

    /// The curves of red, green and blue, which are mostly one and the same.
    private static func curves(_ tags: [Int: Int], _ profile: BigEndianBytes) -> [ToneCurve]? {
        guard let red = offset(of: "rTRC", tags), let green = offset(of: "gTRC", tags),
            let blue = offset(of: "bTRC", tags), let first = ToneCurve(profile, at: red)
        else { return nil }
        let others = [green, blue].compactMap { $0 == red ? first : ToneCurve(profile, at: $0) }
        return others.count == 2 ? [first] + others : nil
    }
}

/// Numbers in the middle of bytes from outside: nil where they don't lie within.
struct BigEndianBytes {
    let bytes: [UInt8]

    /// An unsigned number of 2 bytes.
    func uint16(at offset: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - 2 else { return nil }
        return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }

    /// An unsigned number of 4 bytes; also what a signature of four letters is compared by.
    func uint32(at offset: Int) -> Int? {
        guard let high = uint16(at: offset), let low = uint16(at: offset + 2) else { return nil }
        return high << 16 | low
    }

    /// A signed number with 16 bits behind the point (ICC.1, s15Fixed16Number).
    func fixed(at offset: Int) -> Double? {
        uint32(at: offset).map { Double(Int32(truncatingIfNeeded: $0)) / 65536 }
    }

    /// Whether `text` stands at `offset`.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, offset <= bytes.count - text.utf8CodeUnitCount else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[offset + $0] == text.utf8Start[$0] }
    }
}
