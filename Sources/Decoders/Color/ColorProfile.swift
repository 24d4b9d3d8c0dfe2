/// A color profile with one curve per channel and the XYZ values of the primaries (ICC.1:2022,
/// annex F.3).
///
/// Cameras, phones and monitors use such profiles, for example sRGB, Display P3 and Adobe RGB. Gray
/// profiles contain only a curve. Other kinds of profiles are read with littlecms (`ColorTable`).
struct ColorProfile: Equatable {
    /// D50, the reference white of all profiles (ICC.1:2022, section 7.2.16).
    static let white: SIMD3<Double> = [0.9642, 1, 0.8249]

    /// The maximum number of tags that are read; profiles usually have up to a few dozen tags.
    private static let maximumTagCount = 256

    /// The curves of red, green and blue.
    let curves: [ToneCurve]
    /// The matrix that converts linear light to XYZ under D50.
    let colorants: ColorMatrix

    init(curves: [ToneCurve], colorants: ColorMatrix) {
        self.curves = curves
        self.colorants = colorants
    }

    /// Returns whether a profile contains tables (tag A2B0) and must be read with littlecms.
    static func hasTables(_ bytes: [UInt8]) -> Bool {
        let profile = BigEndianBytes(bytes: bytes)
        return profile.has("acsp", at: 36) && offset(of: "A2B0", tags(profile)) != nil
    }

    /// Reads a gray profile (annex F.2); returns nil if the profile is damaged or not gray.
    init?(gray bytes: [UInt8]) {
        let profile = BigEndianBytes(bytes: bytes)
        guard profile.has("acsp", at: 36), profile.has("GRAY", at: 16),
            let offset = Self.offset(of: "kTRC", Self.tags(profile)),
            let stored = ToneCurve(profile, at: offset),
            let lights = ColorCodes.profile(primaries: 1, transfer: 13)
        else { return nil }
        let curve = profile.has("Lab ", at: 20) ? stored.light : stored
        self.init(curves: [curve, curve, curve], colorants: lights.colorants)
    }

    /// Reads an RGB profile; returns nil if the profile is damaged or not an RGB profile.
    init?(_ bytes: [UInt8]) {
        let profile = BigEndianBytes(bytes: bytes)
        guard profile.has("acsp", at: 36), profile.has("RGB ", at: 16),
            profile.has("XYZ ", at: 20)
        else { return nil }
        let tags = Self.tags(profile)
        guard let red = Self.colorant("rXYZ", tags: tags, profile: profile),
            let green = Self.colorant("gXYZ", tags: tags, profile: profile),
            let blue = Self.colorant("bXYZ", tags: tags, profile: profile),
            let curves = Self.curves(tags, profile)
        else { return nil }
        // The primaries must add up to white. Otherwise the profile is wrong, and using it would
        // tint the image.
        let difference = red + green + blue - Self.white
        guard Self.largest(difference) < 0.1,
            max(Self.largest(red), Self.largest(green), Self.largest(blue)) < 2
        else { return nil }
        colorants = ColorMatrix(red, green, blue)
        self.curves = curves
    }

    /// Returns the offset of the tag with this name, or nil if it is missing.
    static func offset(of name: StaticString, in profile: BigEndianBytes) -> Int? {
        offset(of: name, tags(profile))
    }

    private static func largest(_ numbers: SIMD3<Double>) -> Double {
        max(numbers.max(), -numbers.min())
    }

    /// Returns the offset of each tag by name; if a name is repeated, the first tag is used.
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
        tags: [Int: Int],
        profile: BigEndianBytes
    ) -> SIMD3<Double>? {
        guard let offset = offset(of: name, tags), profile.has("XYZ ", at: offset),
            let x = profile.fixed(at: offset + 8), let y = profile.fixed(at: offset + 12),
            let z = profile.fixed(at: offset + 16)
        else { return nil }
        return [x, y, z]
    }

    /// Returns the curves of red, green and blue, which are usually identical.
    private static func curves(_ tags: [Int: Int], _ profile: BigEndianBytes) -> [ToneCurve]? {
        guard let red = offset(of: "rTRC", tags), let green = offset(of: "gTRC", tags),
            let blue = offset(of: "bTRC", tags), let first = ToneCurve(profile, at: red)
        else { return nil }
        let others = [green, blue].compactMap { $0 == red ? first : ToneCurve(profile, at: $0) }
        return others.count == 2 ? [first] + others : nil
    }
}

/// Reads big-endian numbers from untrusted bytes; numbers out of bounds are nil.
struct BigEndianBytes {
    let bytes: [UInt8]

    /// Returns the unsigned 2-byte number at `offset`.
    func uint16(at offset: Int) -> Int? {
        guard offset >= 0, offset <= bytes.count - 2 else { return nil }
        return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }

    /// Returns the unsigned 4-byte number at `offset`, which can also be a four-letter signature.
    func uint32(at offset: Int) -> Int? {
        guard let high = uint16(at: offset), let low = uint16(at: offset + 2) else { return nil }
        return high << 16 | low
    }

    /// Returns the signed number with 16 fractional bits at `offset` (ICC.1, s15Fixed16Number).
    func fixed(at offset: Int) -> Double? {
        uint32(at: offset).map { Double(Int32(truncatingIfNeeded: $0)) / 65536 }
    }

    /// Returns whether the bytes at `offset` are `text`.
    func has(_ text: StaticString, at offset: Int) -> Bool {
        guard offset >= 0, offset <= bytes.count - text.utf8CodeUnitCount else { return false }
        return (0..<text.utf8CodeUnitCount).allSatisfy { bytes[offset + $0] == text.utf8Start[$0] }
    }
}
