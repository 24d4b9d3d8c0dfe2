import Decoders

/// Possible damage of an EXIF block.
enum EXIFDamage {
    /// Returns a block whose only entry is the orientation.
    static func orientation(_ value: Int, isBig: Bool = true) -> [UInt8] {
        block([entry(0x0112, 3, 1, value << (isBig ? 16 : 0), isBig)], isBig: isBig)
    }

    static func files() throws -> [DamagedFile] {
        let pixels = PixelBuffer(
            size: PixelSize(width: 16, height: 12),
            bytes: (0..<16 * 12).flatMap { [UInt8($0), 90, UInt8(255 - $0), 255] },
            hasAlpha: false
        )
        let thumbnail = try JPEGEncoder.encode(pixels, quality: 40)
        return orientations + plain + [
            ("exif-thumbnail.tif", withThumbnail(thumbnail)),
            ("exif-thumbnail-cut.tif", withThumbnail(thumbnail).dropLast(60)),
            ("exif-thumbnail-is-no-jpeg.tif", withThumbnail(noise(80))),
            ("exif-thumbnail-in-thumbnail.tif", withThumbnail(withThumbnail(thumbnail))),
            ("exif-thumbnail-empty.tif", withThumbnail([])),
            ("exif-thumbnail-offset-past-end.tif", withThumbnail(thumbnail, offset: 1 << 30)),
            ("exif-thumbnail-offset-negative.tif", withThumbnail(thumbnail, offset: -4)),
            ("exif-thumbnail-length-negative.tif", withThumbnail(thumbnail, count: -1)),
            ("exif-thumbnail-length-huge.tif", withThumbnail(thumbnail, count: 1 << 30)),
        ]
    }

    private static let orientations: [DamagedFile] = (0...9).map { value in
        ("exif-orientation-\(value).tif", orientation(value, isBig: value % 2 == 0))
    }

    private static let plain: [DamagedFile] = [
        ("exif-empty.tif", []),
        ("exif-order-unknown.tif", Array("MI".utf8) + orientation(6).dropFirst(2)),
        ("exif-magic-wrong.tif", replaced(orientation(6), 3, [43])),
        ("exif-directory-past-end.tif", replaced(orientation(6), 4, [0, 0, 1, 0])),
        (
            "exif-directory-at-four-billion.tif",
            replaced(orientation(6), 4, [255, 255, 255, 255])
        ),
        ("exif-directory-in-header.tif", replaced(orientation(6), 4, [0, 0, 0, 0])),
        ("exif-entries-65535.tif", replaced(orientation(6), 8, [255, 255])),
        ("exif-entries-none.tif", replaced(orientation(6), 8, [0, 0])),
        ("exif-entry-cut.tif", orientation(6).dropLast(9)),
        ("exif-value-missing.tif", orientation(6).dropLast(8)),
        (
            "exif-orientation-as-byte.tif",
            block([entry(0x0112, 1, 1, 6 << 24, true)], isBig: true)
        ),
        ("exif-orientation-as-long.tif", block([entry(0x0112, 4, 1, 6, true)], isBig: true)),
        ("exif-orientation-as-text.tif", block([entry(0x0112, 2, 2, 6, true)], isBig: true)),
        (
            "exif-orientation-of-two.tif",
            block([entry(0x0112, 3, 2, 6 << 16, true)], isBig: true)
        ),
        (
            "exif-orientation-twice.tif",
            block(
                [entry(0x0112, 3, 1, 6 << 16, true), entry(0x0112, 3, 1, 3 << 16, true)],
                isBig: true
            )
        ),
        ("exif-directories-in-a-ring.tif", replaced(orientation(6), 22, [0, 0, 0, 8])),
    ]

    private static func entry(
        _ tag: Int,
        _ type: Int,
        _ count: Int,
        _ value: Int,
        _ isBig: Bool
    ) -> [UInt8] {
        number(tag, 2, isBig) + number(type, 2, isBig) + number(count, 4, isBig)
            + number(value, 4, isBig)
    }

    private static func block(_ entries: [[UInt8]], isBig: Bool, next: Int = 0) -> [UInt8] {
        Array((isBig ? "MM" : "II").utf8) + number(42, 2, isBig) + number(8, 4, isBig)
            + number(entries.count, 2, isBig) + entries.joined() + number(next, 4, isBig)
    }

    /// Adds a second directory with the position and length of a small JPEG.
    private static func withThumbnail(
        _ file: [UInt8],
        offset: Int = 56,
        count: Int? = nil
    ) -> [UInt8] {
        let first = block([entry(0x0112, 3, 1, 1 << 16, true)], isBig: true, next: 26)
        let second = [
            entry(0x0201, 4, 1, offset, true), entry(0x0202, 4, 1, count ?? file.count, true),
        ]
        return first + number(2, 2, true) + second.joined() + number(0, 4, true) + file
    }

    private static func number(_ value: Int, _ count: Int, _ isBig: Bool) -> [UInt8] {
        isBig ? bigEndian(value, count) : littleEndian(value, count)
    }

    private static func replaced(_ bytes: [UInt8], _ start: Int, _ new: [UInt8]) -> [UInt8] {
        Array(bytes[..<start]) + new + bytes[(start + new.count)...]
    }
}
