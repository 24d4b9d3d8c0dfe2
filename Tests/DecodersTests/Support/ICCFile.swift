/// ICC profiles made by hand: a header, a table of tags, and their data.
struct ICCFile {
    var tags: [(name: String, data: [UInt8])]
    var space = "RGB "
    var connection = "XYZ "
    /// Whether equal data are stored once.
    var sharesData = true

    /// Creates a profile from three colorants (XYZ under D50) and one curve for all.
    init(colorants: [[Double]], curve: [UInt8]) {
        tags = zip(["rXYZ", "gXYZ", "bXYZ"], colorants).map { ($0, Self.xyz($1)) }
        tags += ["rTRC", "gTRC", "bTRC"].map { ($0, curve) }
    }

    /// Returns the encoded profile.
    func encoded() -> [UInt8] {
        let start = 132 + tags.count * 12
        var (table, data): ([UInt8], [UInt8]) = ([], [])
        var places: [[UInt8]: Int] = [:]
        for tag in tags {
            let place = (sharesData ? places[tag.data] : nil) ?? data.count
            if place == data.count { data += tag.data }
            places[tag.data] = place
            table += Array(tag.name.utf8) + PNGFile.number(start + place)
            table += PNGFile.number(tag.data.count)
        }
        var header = PNGFile.number(start + data.count) + Array("test".utf8)
        header += [4, 0x40, 0, 0] + Array("mntr".utf8) + Array(space.utf8)
        header += Array(connection.utf8) + [UInt8](repeating: 0, count: 12) + Array("acsp".utf8)
        header += [UInt8](repeating: 0, count: 128 - header.count)
        return header + PNGFile.number(tags.count) + table + data
    }

    // MARK: - Tags

    static func fixed(_ value: Double) -> [UInt8] {
        PNGFile.number(Int((value * 65536).rounded()))
    }

    static func xyz(_ numbers: [Double]) -> [UInt8] {
        Array("XYZ ".utf8) + [0, 0, 0, 0] + numbers.flatMap(fixed)
    }

    /// Returns a parametric curve (`para`) of this kind with these numbers.
    static func formula(_ kind: Int, _ numbers: [Double]) -> [UInt8] {
        Array("para".utf8) + [0, 0, 0, 0, 0, UInt8(kind), 0, 0] + numbers.flatMap(fixed)
    }

    /// Returns a curve of 16-bit samples; a single number is an exponent with 8 fractional bits.
    static func samples(_ numbers: [Int]) -> [UInt8] {
        let curve = Array("curv".utf8) + [0, 0, 0, 0] + PNGFile.number(numbers.count)
        let data = numbers.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        return curve + data + (numbers.count.isMultiple(of: 2) ? [] : [0, 0])
    }

    // MARK: - Known profiles

    static let sRGBCurve = formula(3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])

    /// IEC 61966-2-1, adapted to D50.
    static let sRGB = ICCFile(colorants: KnownColorants.sRGB, curve: sRGBCurve)
    /// The primaries of SMPTE RP 431-2 with the white and the curve of sRGB.
    static let displayP3 = ICCFile(colorants: KnownColorants.displayP3, curve: sRGBCurve)
    /// Adobe RGB (1998), section 4.3.5: the exponent is 563/256.
    static let adobeRGB = ICCFile(colorants: KnownColorants.adobeRGB, curve: samples([563]))
}

/// The parts of files that contain a profile.
enum ICCParts {
    /// Returns `file` with the profile in APP2 segments after the start marker, part by part, in
    /// the order of `numbers`.
    static func insert(
        _ profile: [UInt8],
        into file: [UInt8],
        partCount: Int = 1,
        numbers: [Int]? = nil
    ) -> [UInt8] {
        let length = (profile.count + partCount - 1) / partCount
        let segments = (numbers ?? Array(1...partCount)).flatMap { number in
            let start = min(profile.count, max(0, number - 1) * length)
            let part = profile[start..<min(profile.count, start + length)]
            let head = Array("ICC_PROFILE\0".utf8) + [UInt8(number), UInt8(partCount)]
            return segment(0xE2, head + part)
        }
        return Array(file.prefix(2)) + segments + file.dropFirst(2)
    }

    static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] {
        let length = body.count + 2
        return [0xFF, marker, UInt8(length >> 8), UInt8(length & 255)] + body
    }

    /// Returns the data of an iCCP chunk.
    static func chunk(_ profile: [UInt8]) -> [UInt8] {
        Array("name".utf8) + [0, 0] + PNGFile.deflated(profile)
    }
}
