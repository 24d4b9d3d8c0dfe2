/// Possible damage of an ICC profile (ICC.1, section 7): a header of 128 bytes, a table of tags,
/// their data.
enum ProfileDamage {
    private static let s15Fixed16One = 65_536.0

    private typealias Tag = (name: String, data: [UInt8])

    static let files: [DamagedFile] = [
        ("icc-in-order.icc", profile(tags)),
        ("icc-empty.icc", []),
        ("icc-header-cut.icc", profile(tags).prefix(100) + []),
        ("icc-tags-none.icc", profile([])),
        ("icc-tag-count-huge.icc", replaced(profile(tags), 128, [255, 255, 255, 255])),
        ("icc-tag-past-end.icc", replaced(profile(tags), 136, [0x7F, 255, 255, 255])),
        ("icc-tag-length-negative.icc", replaced(profile(tags), 140, [255, 255, 255, 255])),
        ("icc-tag-in-header.icc", replaced(profile(tags), 136, [0, 0, 0, 0])),
        ("icc-signature-wrong.icc", replaced(profile(tags), 36, Array("acsq".utf8))),
        ("icc-of-cmyk.icc", replaced(profile(tags), 16, Array("CMYK".utf8))),
        ("icc-of-gray.icc", replaced(profile(tags), 16, Array("GRAY".utf8))),
        ("icc-to-lab.icc", replaced(profile(tags), 20, Array("Lab ".utf8))),
        ("icc-size-wrong.icc", replaced(profile(tags), 0, [0, 0, 0, 7])),
        ("icc-cut.icc", profile(tags).dropLast(30) + []),
        ("icc-curve-count-huge.icc", profile(colors + curves([0x7F, 255, 255, 255]))),
        ("icc-curve-empty.icc", profile(colors + curves([0, 0, 0, 0]))),
        ("icc-gamma-zero.icc", profile(colors + curves([0, 0, 0, 1, 0, 0, 0, 0]))),
        ("icc-gamma-256.icc", profile(colors + curves([0, 0, 0, 1, 255, 255, 0, 0]))),
        (
            "icc-curve-of-points.icc",
            profile(colors + curves([0, 0, 0, 4, 0, 0, 60, 0, 20, 0, 255, 255]))
        ),
        ("icc-curve-parametric.icc", profile(colors + parametric(0, [2.2]))),
        (
            "icc-curve-parametric-srgb.icc",
            profile(colors + parametric(3, [2.4, 0.948, 0.052, 0.077, 0.04]))
        ),
        ("icc-curve-parametric-9.icc", profile(colors + parametric(9, [2.2]))),
        ("icc-curve-parametric-cut.icc", profile(colors + parametric(4, [2.2]))),
        ("icc-curve-parametric-negative.icc", profile(colors + parametric(1, [-2, 0, -1]))),
        (
            "icc-colors-zero.icc",
            profile(["rXYZ", "gXYZ", "bXYZ"].map { ($0, xyz(0, 0, 0)) } + curves(gamma))
        ),
        (
            "icc-colors-alike.icc",
            profile(["rXYZ", "gXYZ", "bXYZ"].map { ($0, xyz(0.3, 0.3, 0.3)) } + curves(gamma))
        ),
        (
            "icc-colors-huge.icc",
            profile(
                ["rXYZ", "gXYZ", "bXYZ"].map { ($0, xyz(32_767, -32_768, 32_767)) } + curves(gamma)
            )
        ),
        ("icc-blue-missing.icc", profile(Array(tags.filter { !$0.name.hasPrefix("b") }))),
    ]

    private static let gamma: [UInt8] = [0, 0, 0, 1, 2, 51]

    /// The colors of Display P3.
    private static let colors: [Tag] = [
        ("rXYZ", xyz(0.515, 0.241, -0.001)), ("gXYZ", xyz(0.292, 0.692, 0.042)),
        ("bXYZ", xyz(0.157, 0.067, 0.784)), ("wtpt", xyz(0.9642, 1, 0.8249)),
    ]

    private static let tags = colors + curves(gamma)

    private static func curves(_ data: [UInt8]) -> [Tag] {
        ["rTRC", "gTRC", "bTRC"].map { ($0, Array("curv\0\0\0\0".utf8) + data) }
    }

    private static func parametric(_ kind: Int, _ values: [Double]) -> [Tag] {
        let data = bigEndian(kind, 2) + [0, 0] + values.flatMap(fixed)
        return ["rTRC", "gTRC", "bTRC"].map { ($0, Array("para\0\0\0\0".utf8) + data) }
    }

    private static func xyz(_ x: Double, _ y: Double, _ z: Double) -> [UInt8] {
        Array("XYZ \0\0\0\0".utf8) + [x, y, z].flatMap(fixed)
    }

    private static func fixed(_ value: Double) -> [UInt8] {
        bigEndian(Int(value * s15Fixed16One), 4)
    }

    private static func profile(_ tags: [Tag]) -> [UInt8] {
        var (table, data): ([UInt8], [UInt8]) = (bigEndian(tags.count, 4), [])
        for tag in tags {
            let offset = 132 + tags.count * 12 + data.count
            table += Array(tag.name.utf8) + bigEndian(offset, 4) + bigEndian(tag.data.count, 4)
            data += tag.data + [UInt8](repeating: 0, count: -tag.data.count & 3)
        }
        var header = [UInt8](repeating: 0, count: 128)
        header = replaced(header, 0, bigEndian(128 + table.count + data.count, 4))
        header = replaced(header, 8, [4, 0x30, 0, 0] + Array("mntrRGB XYZ ".utf8))
        header = replaced(header, 36, Array("acsp".utf8))
        header = replaced(header, 68, fixed(0.9642) + fixed(1) + fixed(0.8249))
        return header + table + data
    }

    private static func replaced(_ bytes: [UInt8], _ start: Int, _ new: [UInt8]) -> [UInt8] {
        guard start + new.count <= bytes.count else { return bytes }
        return Array(bytes[..<start]) + new + bytes[(start + new.count)...]
    }
}
